import { setTimeout as pause } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import type { Db, Engine } from './tables.ts'
import { tryMigrationTurn } from './turns.ts'

/** One step of the schema, the same for both engines; `engine` is for what only one of them has. */
export interface Migration {
  /** Sorted by name: `0001_platform`, `0002_projects`, … Never renamed or edited once released. */
  name: string
  /**
   * Runs in a transaction of its own, and only adds: the version before goes on working on what it leaves.
   * One that is not `inTransaction` must bear being run again after it was interrupted, as `createLargeIndex` does; an
   * empty database takes it in the transaction of all.
   */
  up(db: Db, engine: Engine): Promise<void>
  inTransaction?: false
}

class NewerSchemaError extends Error {}

/** An ALTER TABLE that waits for its lock makes every reader wait behind it: it gives up soon, and tries again. */
const LOCK_WAIT_MAX_MS = 500
/** A lock that was not to be had in time, or a deadlock: the step is taken again. */
const LATER = new Set(['55P03', '40P01'])
const TRY_AGAIN_MS = 500
/** Ten minutes: longer than any transaction of the service lasts. */
const TRIES_MAX = 600

/**
 * Brings the schema up to date, and says which steps it took. Of several instances that start at once one does it.
 * Each step is kept as soon as it is done, so that a start after a crash goes on there; an empty database takes all of
 * them in one transaction, as none of them takes long there, and each commit waits for the disk.
 */
export async function migrate(db: Db, engine: Engine, migrations: readonly Migration[]): Promise<string[]> {
  const done: string[] = []
  while (true) {
    const missing = await findMissing(db, engine, migrations)
    if (missing.length === 0) return done
    if (engine === 'sqlite') await takeSteps(missing)
    else await db.transaction().execute(underLock)
  }

  async function takeSteps(steps: readonly Migration[]): Promise<void> {
    await createHistory(db)
    const parts = steps.length === migrations.length ? [steps] : steps.map((step) => [step])
    for (const part of parts) {
      await takeTogether(db, engine, part)
      done.push(...part.map(({ name }) => name))
    }
  }

  /**
   * Nobody waits inside a statement for the lock: a statement has a snapshot, CREATE INDEX CONCURRENTLY waits for older
   * snapshots to end, and so both would wait for ever.
   */
  async function underLock(tx: Db): Promise<void> {
    if (await tryMigrationTurn(tx)) await takeSteps(await findMissing(db, engine, migrations))
    else await pause(TRY_AGAIN_MS)
  }
}

type History = Kysely<{ kysely_migration: { name: string; timestamp: string } }>

const historyOf = (db: Db) => db as unknown as History

/** The table that Kysely's own migrator made: installations have it. */
async function createHistory(db: Db): Promise<void> {
  await sql`create table if not exists kysely_migration
    (name varchar(255) not null primary key, timestamp varchar(255) not null)`.execute(db)
}

async function takeTogether(db: Db, engine: Engine, steps: readonly Migration[]): Promise<void> {
  const take = async (on: Db) => {
    for (const { name, up } of steps) {
      await up(on, engine)
      const row = { name, timestamp: sql<string>`current_timestamp` }
      await historyOf(on).insertInto('kysely_migration').values(row).execute()
    }
  }
  const isAlone = engine === 'postgres' && steps.length === 1 && steps[0]?.inTransaction === false
  for (let tries = 1; ; tries++) {
    try {
      if (isAlone) return await take(db)
      return await db.transaction().execute(async (tx) => {
        if (engine === 'postgres') await sql.raw(`set local lock_timeout = ${LOCK_WAIT_MAX_MS}`).execute(tx)
        await take(tx)
      })
    } catch (error) {
      const { code } = ((error as Error).cause ?? error) as { code?: string }
      if (!LATER.has(code ?? '') || tries === TRIES_MAX) throw error
      await pause(TRY_AGAIN_MS)
    }
  }
}

async function findMissing(db: Db, engine: Engine, migrations: readonly Migration[]): Promise<Migration[]> {
  const applied = new Set(await appliedNames(db, engine))
  const known = new Set(migrations.map(({ name }) => name))
  const unknown = [...applied].filter((name) => !known.has(name))
  if (unknown.length === 0) return migrations.filter(({ name }) => !applied.has(name))
  throw new NewerSchemaError(
    `The database was written by a newer version of Petstore (it has ${unknown.join(', ')}). ` +
      'Start that version, or restore a backup that was made before the upgrade (petstore restore).',
  )
}

async function appliedNames(db: Db, engine: Engine): Promise<string[]> {
  if (!(await hasHistory(db, engine))) return []
  const rows = await historyOf(db).selectFrom('kysely_migration').select('name').orderBy('name').execute()
  return rows.map(({ name }) => name)
}

/** Kysely's own question describes every column of every table, which takes 50 ms and more. */
async function hasHistory(db: Db, engine: Engine): Promise<boolean> {
  const found =
    engine === 'sqlite'
      ? sql`select 1 from sqlite_schema where name = 'kysely_migration'`
      : sql`select 1 where to_regclass('kysely_migration') is not null`
  return (await found.execute(db)).rows.length > 0
}

/**
 * An index on a table that may be large, built while people read and write: for a migration that is not
 * `inTransaction`. `on` is what follows ON, the same for both engines: `pets (project_id, name)`.
 */
export async function createLargeIndex(db: Db, engine: Engine, name: string, on: string): Promise<void> {
  // In a transaction nobody else has seen the table yet.
  const isBesideOthers = engine === 'postgres' && !db.isTransaction
  const concurrently = isBesideOthers ? 'concurrently' : ''
  // A build that was interrupted leaves an index that is kept up and never used.
  if (isBesideOthers) await sql.raw(`drop index concurrently if exists ${name}`).execute(db)
  await sql.raw(`create index ${concurrently} ${name} on ${on}`).execute(db)
}
