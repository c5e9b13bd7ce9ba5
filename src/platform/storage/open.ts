import { accessSync, chmodSync, constants, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { MessagePort } from 'node:worker_threads'
import { PetstoreError } from '../errors.ts'
import { StartError } from '../start-error.ts'
import { lockFile } from './sqlite/file-lock.ts'
import { migrate, type Migration } from './migrations.ts'
import { openSqlite } from './sqlite/connection.ts'
import { ensurePrivateFile } from './sqlite/private-file.ts'
import { openSqliteStorage } from './sqlite/storage.ts'
import type { Storage } from './storage.ts'

export interface StorageChoice {
  dataDirectory: string
  databaseUrl: string | undefined
  migrations: readonly Migration[]
  onError(error: Error): void
  /** Nothing can be written any more, for ever: whoever serves has to end, and be started again. */
  onDeath?(error: Error): void
  /** Leads to the writer thread that all workers of a service share on SQLite; without it, one is started. */
  writer?: MessagePort | undefined
  /** Connections to PostgreSQL at once. */
  connectionsMax?: number | undefined
}

export const databaseFile = (dataDirectory: string) => join(dataDirectory, 'petstore.sqlite')

/** Opens the database that the operator chose and brings its schema up to date. */
export async function openStorage(choice: StorageChoice): Promise<Storage> {
  prepareDataDirectory(choice.dataDirectory)
  return choice.databaseUrl ? openPostgres(choice, choice.databaseUrl) : openFile(choice)
}

async function openFile({ dataDirectory, migrations, onDeath, writer }: StorageChoice): Promise<Storage> {
  const file = databaseFile(dataDirectory)
  using _alone = lockStart(dataDirectory)
  ensurePrivateFile(file)
  const connection = openSqlite(file, { readOnly: false })
  try {
    chmodSync(file, 0o600)
    await migrate(connection.db, 'sqlite', migrations)
  } finally {
    connection.close()
  }
  return openSqliteStorage(file, (error) => onDeath?.(error), writer)
}

/** One process at a time brings the schema up to date: Kysely locks nothing on SQLite. */
export const lockStart = (dataDirectory: string): Disposable => lockFile(join(dataDirectory, 'start.lock'))

async function openPostgres({ migrations, onError, connectionsMax }: StorageChoice, url: string): Promise<Storage> {
  // Loaded only here: a start on SQLite has no use for the driver.
  const { openPostgresStorage } = await import('./postgres/storage.ts')
  const { requireEveryCharacter } = await import('./postgres/encoding.ts')
  try {
    await using unhurried = await openPostgresStorage(url, onError, { unhurried: true })
    await requireEveryCharacter(unhurried.read)
    await migrate(unhurried.read, 'postgres', migrations)
  } catch (error) {
    throw error instanceof PetstoreError ? unreachable(error) : error
  }
  return openPostgresStorage(url, onError, { connectionsMax })
}

function unreachable(error: PetstoreError): StartError {
  const { cause } = error.cause as { cause?: NodeJS.ErrnoException }
  return new StartError(
    'No PostgreSQL server of DATABASE_URL could be reached, or none accepts writes. ' +
      `Check the address and that the server runs (${cause?.message || cause?.code || error.message}).`,
    { cause },
  )
}

function prepareDataDirectory(directory: string): void {
  try {
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    accessSync(directory, constants.W_OK | constants.X_OK)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EEXIST' || code === 'ENOTDIR') {
      const what = code === 'EEXIST' ? 'is no directory' : 'lies below what is no directory'
      throw new StartError(`The data directory ${directory} ${what}: set PETSTORE_DATA to another one.`)
    }
    throw new StartError(
      `The data directory ${directory} cannot be written (${code}). ` +
        'Give this user the right to write there, or set PETSTORE_DATA to another directory.',
    )
  }
}
