import { chmodSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import type { Kysely } from 'kysely'
import { migrations } from '../../migrations.ts'
import type { Side } from '../../platform/storage/copy/shapes.ts'
import { migrate } from '../../platform/storage/migrations.ts'
import { databaseFile, lockStart } from '../../platform/storage/open.ts'
import { requireEveryCharacter } from '../../platform/storage/postgres/encoding.ts'
import { openSqlite } from '../../platform/storage/sqlite/connection.ts'
import { moveDurablyToNewName } from '../backup/durable-file.ts'
import { appliedInPostgres } from '../backup/schema-state.ts'
import { CommandError } from '../../../cli/src/line/command.ts'
import { nameOf, type Place } from './place.ts'
import { openUnhurried, requireNoService, unhurry } from './postgres-side.ts'

/** Gives an up-to-date schema to write into; all of what is written stays, or nothing of it. */
export function writeWhole<T>(place: Place, work: (to: Side) => Promise<T>): Promise<T> {
  return place.engine === 'postgres' ? writePostgres(place.url, work) : writeFile(place.directory, work)
}

async function writePostgres<T>(url: string, work: (to: Side) => Promise<T>): Promise<T> {
  const name = nameOf({ engine: 'postgres', url })
  await using storage = await openUnhurried(url)
  const db = storage.read
  await requireEveryCharacter(db)
  await requireNoService(db, () => new CommandError(`A service is running on ${name} already. Stop it first.`))
  if (!(await appliedInPostgres(db)) && (await hasTables(db))) {
    throw new CommandError(`${name} holds the tables of something else. Give a database of its own: createdb petstore`)
  }
  await migrate(db, 'postgres', migrations)
  return await db.transaction().execute(async (tx) => {
    await unhurry(tx)
    return work({ db: tx, engine: 'postgres' })
  })
}

const hasTables = async (db: Pick<Kysely<never>, 'introspection'>) => (await db.introspection.getTables()).length > 0

/** Under another name until it is whole: what a run that was killed has left is thrown away by the next. */
async function writeFile<T>(directory: string, work: (to: Side) => Promise<T>): Promise<T> {
  mkdirSync(directory, { recursive: true, mode: 0o700 })
  using _alone = lockStart(directory)
  const file = databaseFile(directory)
  if (existsSync(file)) throw new CommandError(`There is a database in ${directory}. Give a new directory.`)
  const partial = `${file}.moving`
  const clear = () => ['', '-wal', '-shm', '-journal'].forEach((suffix) => rmSync(partial + suffix, { force: true }))
  clear()
  const connection = openSqlite(partial, { readOnly: false })
  try {
    chmodSync(partial, 0o600)
    await migrate(connection.db, 'sqlite', migrations)
    const outcome = await connection.db.transaction().execute((db) => work({ db, engine: 'sqlite' }))
    // Everything into the one file that gets the name.
    connection.raw.exec('pragma journal_mode = delete')
    connection.close()
    moveDurablyToNewName(partial, file)
    return outcome
  } finally {
    if (connection.raw.isOpen) connection.close()
    clear()
  }
}
