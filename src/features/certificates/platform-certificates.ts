import './tables.ts'
import { DAY_MS, type Clock } from '../../platform/clock.ts'
import { newId } from '../../platform/id.ts'
import { defineWrite, type Storage } from '../../platform/storage/storage.ts'
import { takeTurn } from '../../platform/storage/turns.ts'
import { scheduleWork } from '../../platform/work/lease.ts'
import { CERTIFICATE_QUEUE } from '../domains/topics.ts'
import type { InternalCa } from './authority/internal-ca.ts'
import { INTERNAL_CA_ID } from './issuer.ts'
import { type CertificateRow, findNextAttempts, findOrderedCertificate, findServedCertificate } from './queries.ts'
import { servedCertificate, type ServedCertificate } from './serving.ts'
import { certificateKey, type Vault } from './vault.ts'

interface PlatformCertificatesNeeds {
  storage: Storage
  clock: Clock
  vault: Vault
  ca: Pick<InternalCa, 'issue'>
  /** Its own addresses, and the subdomains of projects that exist: nobody else's handshake costs a signature. */
  isPlatformName(hostname: string): Promise<boolean>
  /** Those that an authority certifies which browsers know; none while there is only the internal CA. */
  isOrdered(hostname: string): Promise<boolean>
  onError(error: unknown): void
}

/** Long before the end, so that an instance that nobody restarts serves a good one all the time. */
const RENEW_BEFORE_MS = 30 * DAY_MS

interface StopgapInput {
  row: CertificateRow
  ordered: boolean
  goodUntil: number
}

/** Of two instances that issue at once, the first is served by both; what was ordered comes before either. */
const keepPlatformCertificate = defineWrite(
  'certificates.keepPlatformCertificate',
  async (db, { row, ordered, goodUntil }: StopgapInput, engine) => {
    const { hostname, issued_at: now } = row
    await takeTurn(db, engine, `certificate ${hostname}`)
    const [known] = await findServedCertificate(db, { hostname, now: goodUntil })
    const better = ordered ? await findOrderedCertificate(db, hostname, now) : undefined
    if (better ?? known) return (better ?? known) as CertificateRow
    await db.deleteFrom('certificates').where('hostname', '=', hostname).where('not_after', '<=', now).execute()
    await db.insertInto('certificates').values(row).execute()
    return row
  },
)

interface Look {
  hostname: string
  /** `queued`: only where somebody looks at it already. `unqueued`: only where nobody does. */
  only?: 'queued' | 'unqueued'
  now: number
}

/** Has the certificate of a platform's name looked at now: ordered, renewed, or ended when the name is gone. */
export const lookAtPlatformName = defineWrite(
  'certificates.lookAtPlatformName',
  async (db, { hostname, only, now }: Look, engine) => {
    const isQueued = (await findNextAttempts(db, [hostname])).has(hostname)
    if (only !== undefined && (only === 'queued') !== isQueued) return
    await scheduleWork(db, engine, { queue: CERTIFICATE_QUEUE, subject: hostname, dueAt: now, now })
  },
)

/**
 * Certificates of the platform's own names, when they are asked for in a handshake. Those that an authority certifies
 * are ordered by this; until they are there, and for all others, the internal CA issues one. It is kept, because
 * people who let their browser trust one by hand would have to do so again after every start.
 */
export function platformCertificates(needs: PlatformCertificatesNeeds) {
  const { storage, clock, vault, ca, isPlatformName, isOrdered, onError } = needs

  async function issue(hostname: string, ordered: boolean): Promise<CertificateRow> {
    const { chainPem, privateKeyPem, leaf } = await ca.issue([hostname])
    const id = newId('crt')
    const { serial, issuer, fingerprint, notBefore, notAfter } = leaf
    const row: CertificateRow = {
      id,
      hostname,
      issuer: INTERNAL_CA_ID,
      issuer_name: issuer,
      serial,
      fingerprint,
      chain: chainPem,
      sealed_key: vault.seal(certificateKey(id), privateKeyPem),
      not_before: notBefore,
      not_after: notAfter,
      issued_at: clock.now(),
      renew_at: notAfter - RENEW_BEFORE_MS,
      advice_due_at: null,
      advice: null,
      revoke_for: null,
      revoked_at: null,
    }
    return storage.write(keepPlatformCertificate, { row, ordered, goodUntil: clock.now() + RENEW_BEFORE_MS })
  }

  /** Also where a certificate is there: one that nobody looks at would not be renewed. */
  async function order(hostname: string): Promise<CertificateRow | undefined> {
    const isQueued = (await findNextAttempts(storage.read, [hostname])).has(hostname)
    if (!isQueued) {
      const look = { hostname, only: 'unqueued' as const, now: clock.now() }
      await storage.write(lookAtPlatformName, look).catch(onError)
    }
    return findOrderedCertificate(storage.read, hostname, clock.now())
  }

  return async (hostname: string): Promise<ServedCertificate | undefined> => {
    if (!(await isPlatformName(hostname))) return undefined
    const ordered = await isOrdered(hostname)
    const here = ordered ? await order(hostname) : undefined
    const [good] = await findServedCertificate(storage.read, { hostname, now: clock.now() + RENEW_BEFORE_MS })
    const row = here ?? good ?? (await issue(hostname, ordered))
    return servedCertificate(row, vault)
  }
}
