import { randomBytes } from 'node:crypto'
import { linkSync, lstatSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { sql } from 'kysely'
import { shellWord, StartError } from './start-error.ts'
import { findSetting, forgetSetting, proposeSetting } from './storage/setting.ts'
import { giveToOwnerOf } from './storage/sqlite/private-file.ts'
import type { Storage } from './storage/storage.ts'
import type { Db, Engine } from './storage/tables.ts'

const KEY_BYTES = 32
const SETTING = 'master_key_id'
/** The id of the key that a database is used with, for whoever only looks into it. */
export const FIND_KEY_ID = `select value from settings where name = '${SETTING}'`

export const masterKeyFile = (dataDirectory: string) => join(dataDirectory, 'master.key')

export interface MasterKeySource {
  /** PETSTORE_MASTER_KEY: 32 bytes in base64, base64url or hexadecimal. */
  configured: string | undefined
  dataDirectory: string
}

/**
 * The key that seals private keys: what the operator configured, or a file beside the database that is made on the
 * first start. Once a database has been used with a key, it is opened with no other: certificates sealed with the
 * lost one would fail one by one, long after the mistake.
 */
export async function openMasterKey(
  storage: Storage,
  source: MasterKeySource,
  keyIdOf: (key: Uint8Array) => string,
): Promise<Uint8Array> {
  const used = await findKeyId(storage)
  const propose = () => storage.write(proposeSetting, { name: SETTING, value: keyIdOf(firstKey(source)) })
  return keyInUse(source, used ?? (await propose()), keyIdOf)
}

/** The key that a database has been used with, `used` being its id. */
export function keyInUse(source: MasterKeySource, used: string, keyIdOf: (key: Uint8Array) => string): Uint8Array {
  const key = keyHere(source)
  if (key === undefined) throw missing(source, used)
  if (used !== keyIdOf(key)) throw other(source, used, keyIdOf(key))
  return key
}

/** The key that there is, whether it is the right one or not. */
export const keyHere = (source: MasterKeySource): Uint8Array | undefined =>
  source.configured === undefined ? fromFile(source) : parseConfigured(source.configured)

/** A file of the data directory that holds the right key, under whatever name somebody has kept it. */
export const findKeyFile = (dataDirectory: string, isRight: (key: Uint8Array) => boolean): string | undefined =>
  readdirSync(dataDirectory)
    .map((name) => join(dataDirectory, name))
    .find((file) => {
      const stats = statSync(file, { throwIfNoEntry: false })
      // A lock that this process holds is empty, and would end with its file being read.
      const isSmall = stats?.isFile() && stats.size > KEY_BYTES && stats.size < 4 * KEY_BYTES
      const key = isSmall ? decode(readFileSync(file, 'utf8').trim()) : undefined
      return key !== undefined && isRight(key)
    })

/** The id of the key that this database has been used with. */
export const findKeyId = ({ read }: Pick<Storage, 'read'>) => findSetting({ read }, SETTING)

/**
 * As if the database had never been used with a key: the next start makes one, or takes the one that it finds. Whoever
 * starts meanwhile waits, and then starts so too; an instance that has looked before is connected. False where the
 * database has been given another key since somebody looked.
 */
export async function forgetKey(db: Db, engine: Engine, keyId: string): Promise<boolean> {
  if (engine === 'postgres') await sql`lock table settings in access exclusive mode`.execute(db)
  return (await findKeyId({ read: db })) === keyId && forgetSetting(db, SETTING)
}

function firstKey(source: MasterKeySource): Uint8Array {
  const { configured, dataDirectory } = source
  if (configured !== undefined) return parseConfigured(configured)
  return fromFile(source) ?? parseFile(masterKeyFile(dataDirectory), create(masterKeyFile(dataDirectory)))
}

function parseConfigured(text: string): Uint8Array {
  const key = decode(text)
  if (key) return key
  throw new StartError(
    'PETSTORE_MASTER_KEY must be 32 random bytes in base64 or hexadecimal. Make one with: openssl rand -base64 32',
  )
}

function fromFile({ dataDirectory }: MasterKeySource): Uint8Array | undefined {
  const file = masterKeyFile(dataDirectory)
  const text = readIfThere(file)
  return text === undefined ? undefined : parseFile(file, text)
}

function parseFile(file: string, text: string): Uint8Array {
  refuseOpenFile(file)
  const key = decode(text.trim())
  if (key) return key
  throw new StartError(
    `${file} does not hold a master key. Put the right one back from a backup, or set PETSTORE_MASTER_KEY to it. ` +
      `If it is lost for good, move this file away: then ${WAY_ON}`,
  )
}

/** Written whole under another name first: whatever crashes or starts meanwhile, the file is one complete key. */
function create(file: string): string {
  // A name that nobody can put a link at: root may write for another user, who would be given what it leads to.
  const draft = `${file}.${randomBytes(8).toString('hex')}`
  const key = `${randomBytes(KEY_BYTES).toString('base64url')}\n`
  writeFileSync(draft, key, { flag: 'wx', mode: 0o600, flush: true })
  giveToOwnerOf(dirname(file), draft)
  try {
    linkSync(draft, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft, { force: true })
  }
  return readFileSync(file, 'utf8')
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // What a link leads to may be mounted later: this is a key that is not there now, and not none.
    const isLink = code === 'ENOENT' && lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() === true
    if (code === 'ENOENT' && !isLink) return undefined
    const help = isLink ? 'There is nothing where this link leads.' : 'Give this user the right to read it.'
    throw new StartError(`The master key ${file} cannot be read (${code}). ${help}`)
  }
}

function refuseOpenFile(file: string): void {
  if (process.platform === 'win32' || (statSync(file).mode & 0o077) === 0) return
  const todo = `Take that right away with: chmod 600 ${shellWord(file)}`
  throw new StartError(`Other users may read the master key ${file}. ${todo}`)
}

function decode(text: string): Uint8Array | undefined {
  const key = /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : Buffer.from(text, 'base64url')
  return key.length === KEY_BYTES && /^[\w+/=-]+$/.test(text) ? key : undefined
}

/** For whoever has no copy of the key. */
const WAY_ON =
  '`petstore master-key give-up` says what is lost with the key and who notices, and lets the service start without it.'

const missing = ({ dataDirectory }: MasterKeySource, keyId: string) =>
  new StartError(
    `This database holds private keys that were sealed with a master key (${keyId}), and there is none here. ` +
      `Put the file back at ${masterKeyFile(dataDirectory)}, or set PETSTORE_MASTER_KEY to its contents. ` +
      `If there is no copy anywhere, ${WAY_ON}`,
  )

const other = ({ configured, dataDirectory }: MasterKeySource, inUse: string, given: string) =>
  new StartError(
    `This database is sealed with another master key (${inUse}) than the one in ` +
      `${configured === undefined ? masterKeyFile(dataDirectory) : 'PETSTORE_MASTER_KEY'} (${given}). ` +
      'Start with the key that was in use; several instances on one database need the same PETSTORE_MASTER_KEY. ' +
      `If there is no copy of it anywhere, ${WAY_ON}`,
  )
