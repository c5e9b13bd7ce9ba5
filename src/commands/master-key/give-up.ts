import { existsSync } from 'node:fs'
import { type Config, readConfig } from '../../config.ts'
import { noticesByMail } from '../../features/accounts/mail/notices.ts'
import { storageOf, type Tell } from '../../features/audit/audited.ts'
import { COMMAND } from '../../features/audit/record.ts'
import { createVault } from '../../features/certificates/vault.ts'
import { migrations } from '../../migrations.ts'
import { findKeyFile, findKeyId, keyHere, masterKeyFile } from '../../platform/master-key.ts'
import { migrate } from '../../platform/storage/migrations.ts'
import { databaseFile, lockStart } from '../../platform/storage/open.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import { livingInstances } from '../../platform/work/instances.ts'
import { mailSwitchedOff } from '../../service/webhooks.ts'
import { CommandError, defineCommand } from '../../../cli/src/line/command.ts'
import { json } from '../../../cli/src/line/options.ts'
import { openUnhurried, requireNoService } from '../move/postgres-side.ts'
import { openPlainStorage } from '../storage.ts'
import { giveUp, type Lost, Rehearsed } from './lost.ts'
import { sentencesOf } from './sentences.ts'

export const command = defineCommand({
  about: `The way back for an installation whose master key is lost: gives up what only that key could open, so that
the service starts again and makes it anew. Accounts, projects, animals, orders, sites and domains stay as they are.
By itself it changes nothing, and says what would be given up and who would notice; --confirm does it, for good.

Look for a copy of the key first. Where the right key is there, and while a service runs, this refuses.`,
  arguments: [],
  options: { confirm: { type: 'boolean', help: 'give it up; without this, only say what that would be' }, json },
  examples: ['petstore master-key give-up', 'petstore master-key give-up --confirm'],
  async run({ values, terminal, clock }) {
    const config = readConfig()
    const { confirm } = values
    await using storage = await openStopped(config)
    using _alone = config.databaseUrl ? undefined : requireNoInstance(config.dataDirectory)
    const keyId = await findKeyId(storage)
    if (keyId === undefined) {
      if (values.json) return terminal.printJson({ keyId: null, givenUp: false })
      return terminal.print('Nothing in this database is sealed with a master key (any more): start the service.')
    }
    requireLost(config, keyId)

    const audited = storageOf(storage, COMMAND, clock, tellOf(config))
    const input = { keyId, now: clock.now(), rehearsal: !confirm, isRunning }
    const lost = await audited.write(giveUp, input).then((outcome) => outcome.lost, rehearsed)
    if (values.json) return terminal.printJson({ keyId, givenUp: confirm, ...lost })
    terminal.print(
      `The master key that sealed this database (${keyId}) is not here: ${lookedAt(config)}. Lost with it:`,
    )
    terminal.print(['', ...sentencesOf(lost, config).map((sentence) => `- ${sentence}`), ''].join('\n'))
    terminal.print(confirm ? given(config) : NOTHING_DONE)
  },
})

const NOTHING_DONE =
  'Nothing has been changed. With a copy of the key nothing of this is lost: put it back and start the service. ' +
  'If there is none, give it up with: petstore master-key give-up --confirm'

function given({ masterKey, dataDirectory }: Config): string {
  const file = masterKeyFile(dataDirectory)
  const made = `${existsSync(file) ? 'uses' : 'makes'} ${file}`
  const next = masterKey === undefined ? made : 'uses PETSTORE_MASTER_KEY'
  return `This has been given up. Start the service, which ${next} as its master key. Keep a copy of it elsewhere.`
}

/** Whoever runs this in another place than the service sees it by this. */
function lookedAt({ masterKey, dataDirectory }: Config): string {
  const file = masterKeyFile(dataDirectory)
  const setting = `PETSTORE_MASTER_KEY is ${masterKey === undefined ? 'not set' : 'another'}`
  return `${setting}, and ${existsSync(file) ? `${file} holds another` : `there is no ${file}`}`
}

/** Also where a file has the right key, and PETSTORE_MASTER_KEY stands in its way. */
function requireLost({ masterKey, dataDirectory }: Config, keyId: string): void {
  for (const configured of [masterKey, undefined]) {
    const key = keyHere({ configured, dataDirectory })
    if (key === undefined || createVault(key).keyId !== keyId) continue
    const isFile = configured === undefined
    throw new CommandError(
      `The master key in ${isFile ? masterKeyFile(dataDirectory) : 'PETSTORE_MASTER_KEY'} (${keyId}) is the one that ` +
        'this database was sealed with: nothing is lost, and nothing has been changed. Start the service with it' +
        `${isFile && masterKey !== undefined ? ', and without PETSTORE_MASTER_KEY, which is another.' : '.'}`,
    )
  }
  const copy = findKeyFile(dataDirectory, (key) => createVault(key).keyId === keyId)
  if (copy === undefined) return
  throw new CommandError(
    `${copy} holds the master key (${keyId}) that this database was sealed with: nothing is lost, and nothing has ` +
      `been changed. Move it to ${masterKeyFile(dataDirectory)}, and start the service.`,
  )
}

const isRunning = () =>
  new CommandError(
    'A service or another command is using this database. A service that runs has the key: look into its settings ' +
      'and its data directory, and keep a copy. If there is none, stop it first, then run this again.',
  )

function rehearsed(error: unknown): Lost {
  if (error instanceof Rehearsed) return error.lost
  throw error
}

async function openStopped(config: Config): Promise<Storage> {
  if (config.databaseUrl === undefined) {
    const file = databaseFile(config.dataDirectory)
    if (existsSync(file)) return openPlainStorage(config)
    throw new CommandError(`There is no database at ${file}. Set PETSTORE_DATA to the directory of the service.`)
  }
  // Every service makes it, also one whose key is a setting.
  if (!existsSync(config.dataDirectory)) {
    throw new CommandError(
      `There is no data directory ${config.dataDirectory}, in which the key may be. Set PETSTORE_DATA to the ` +
        'directory of the service; if its machine is gone, start the service here once, which says how to go on.',
    )
  }
  await using opening = new AsyncDisposableStack()
  const storage = opening.use(await openUnhurried(config.databaseUrl))
  await requireNoService(storage.read, isRunning)
  await migrate(storage.read, 'postgres', migrations)
  opening.move()
  return storage
}

/** Whoever starts waits until this is over: it has to find what has become of the key. */
function requireNoInstance(dataDirectory: string): Disposable {
  const turn = lockStart(dataDirectory)
  if (livingInstances(dataDirectory).length === 0) return turn
  turn[Symbol.dispose]()
  throw isRunning()
}

/** The same people hear of it as when the service does such a thing. */
function tellOf({ smtp, baseUrl }: Config): Tell | undefined {
  if (!smtp) return undefined
  const tells = [noticesByMail(baseUrl.origin), mailSwitchedOff(baseUrl.origin)]
  return async (...note) => {
    for (const tell of tells) await tell(...note)
  }
}
