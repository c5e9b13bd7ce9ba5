import { existsSync } from 'node:fs'
import type { Side } from '../../platform/storage/copy/shapes.ts'
import { databaseFile, lockStart } from '../../platform/storage/open.ts'
import { openSqlite } from '../../platform/storage/sqlite/connection.ts'
import { livingInstances } from '../../platform/work/instances.ts'
import { appliedInPostgres, appliedInSqlite, schemaState } from '../backup/schema-state.ts'
import { CommandError } from '../../../cli/src/line/command.ts'
import { nameOf, type Place } from './place.ts'
import { openUnhurried, requireNobodyLooks, requireNoService, unhurry } from './postgres-side.ts'

interface SourceOptions {
  /** Copy although a service may store more meanwhile. */
  rehearsal: boolean
}

/** Gives one moment of the database, whoever writes meanwhile. */
export function readMoment<T>(place: Place, options: SourceOptions, work: (from: Side) => Promise<T>): Promise<T> {
  return place.engine === 'postgres' ? readPostgres(place.url, options, work) : readFile(place.directory, options, work)
}

async function readFile<T>(directory: string, { rehearsal }: SourceOptions, work: (from: Side) => Promise<T>) {
  const file = databaseFile(directory)
  if (!existsSync(file)) {
    throw new CommandError(`There is no database in ${directory}. Say where the data is with --from, or PETSTORE_DATA.`)
  }
  if (!rehearsal && isServed(directory)) throw isRunning(directory)
  const connection = openSqlite(file, { readOnly: true })
  try {
    requireSchema(appliedInSqlite(connection.raw), directory)
    return await connection.db.transaction().execute((db) => work({ db, engine: 'sqlite' }))
  } finally {
    connection.close()
  }
}

function isServed(directory: string): boolean {
  using _turn = lockStart(directory)
  return livingInstances(directory).length > 0
}

async function readPostgres<T>(url: string, { rehearsal }: SourceOptions, work: (from: Side) => Promise<T>) {
  const name = nameOf({ engine: 'postgres', url })
  await using storage = await openUnhurried(url)
  requireSchema(await appliedInPostgres(storage.read), name)
  if (!rehearsal) {
    await requireNoService(storage.read, () => isRunning(name))
    // By itself: the copy only reads.
    await storage.read.transaction().execute((db) => requireNobodyLooks(db, () => isUsed(name)))
  }
  const moment = storage.read.transaction().setIsolationLevel('repeatable read').setAccessMode('read only')
  return await moment.execute(async (db) => {
    await unhurry(db)
    return work({ db, engine: 'postgres' })
  })
}

const isRunning = (name: string) =>
  new CommandError(
    `A service is running on ${name}: what it stores from now on would stay behind. ` +
      'Stop it first, or try the move out with --rehearsal.',
  )

const isUsed = (name: string) =>
  new CommandError(
    `A service or another program, such as a backup, is using ${name}. ` +
      'Stop it first, or try the move out with --rehearsal.',
  )

function requireSchema(applied: readonly string[] | undefined, name: string): void {
  if (!applied) throw new CommandError(`${name} is no database of Petstore.`)
  const { pending, unknown } = schemaState(applied)
  if (unknown.length > 0) {
    throw new CommandError(`${name} was written by a newer version of Petstore. Move it with that version.`)
  }
  if (pending.length === 0) return
  throw new CommandError(
    `${name} was written by an older version of Petstore. Start this version on it once, which brings it up to date, ` +
      'stop it, and run this again.',
  )
}
