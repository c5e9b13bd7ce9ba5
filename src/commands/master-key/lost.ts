import { dropSealedMails } from '../../features/accounts/mail/outbox.ts'
import { listLockedOut, loseCodes, noteOfLost } from '../../features/accounts/second-factors/lost-codes.ts'
import { type LostKeys, loseKeys } from '../../features/certificates/lost-keys.ts'
import { loseSigningKey } from '../../features/domains/connect/signing-key.ts'
import { noteOfOff } from '../../features/webhooks/endpoint-writes.ts'
import { loseSecrets } from '../../features/webhooks/lost-secrets.ts'
import { forgetKey } from '../../platform/master-key.ts'
import { defineWrite } from '../../platform/storage/storage.ts'
import { CommandError } from '../../../cli/src/line/command.ts'
import { requireNobodyLooks, requireNoService } from '../move/postgres-side.ts'

/** What nobody can read without the key. */
export interface Lost extends LostKeys {
  /** The key that signs links to DNS providers. */
  domainConnectKey: boolean
  webhookSecrets: number
  /** Apps for one-time codes. */
  codes: number
  /** Addresses of accounts that nothing opens any more but a link of the operator. */
  lockedOut: string[]
  mails: number
}

interface GiveUp {
  keyId: string
  now: number
  /** What a rehearsal has done is taken back by its transaction: so it says exactly what would be done. */
  rehearsal: boolean
  isRunning(): Error
}

export class Rehearsed extends Error {
  readonly lost: Lost

  constructor(lost: Lost) {
    super('This was a rehearsal.')
    this.lost = lost
  }
}

const changedMeanwhile = () =>
  new CommandError('The master key of this database has changed meanwhile. This has changed nothing: run it again.')

/** All of it or nothing: whenever this is killed, the database is sealed as before, or not at all. */
export const giveUp = defineWrite(
  'masterKey.giveUp',
  async (db, { keyId, now, rehearsal, isRunning }: GiveUp, engine) => {
    if (!(await forgetKey(db, engine, keyId))) throw changedMeanwhile()
    // Once more, behind the lock: whoever has started since the first look.
    if (engine === 'postgres') {
      await requireNoService(db, isRunning)
      await requireNobodyLooks(db, isRunning)
    }
    const keys = await loseKeys(db, engine, now)
    const secrets = await loseSecrets(db, now)
    const apps = await loseCodes(db)
    const lost: Lost = {
      ...keys,
      domainConnectKey: await loseSigningKey(db),
      webhookSecrets: secrets.endpoints,
      codes: apps.length,
      lockedOut: await listLockedOut(db),
      mails: await dropSealedMails(db),
    }
    if (rehearsal) throw new Rehearsed(lost)
    return { lost, endpoints: secrets.off, apps }
  },
  {
    note({ keyId }, { lost, endpoints, apps }) {
      const { accounts, lockedOut: _, ...counts } = lost
      return [
        { verb: 'master-key.give-up', subject: keyId, details: { ...counts, accounts: accounts.join(' ') } },
        ...endpoints.map((endpoint) => noteOfOff(endpoint, 'secret_lost')),
        ...apps.map(noteOfLost),
      ]
    },
  },
)
