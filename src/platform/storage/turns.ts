import { sql } from 'kysely'
import type { Db, Engine } from './tables.ts'

/**
 * Transactions that name the same turn run one after the other: each has it until it ends. SQLite has one writer, and
 * so nothing to wait for.
 *
 * A write that takes several locks takes them in this order, or PostgreSQL ends one of two that wait for each other
 * after a second, and it is done again. Turns in one call are sorted, so that the order within a line is kept.
 *
 *   1. `projects of <account>`: what one account takes and gives up
 *   2. `members <project>`: who may do what, and invitations
 *   3. `domains of <project>`, then `hostname <name>`: claims and facts of domains
 *   4. `webhooks of <project>`, and the other turns of one noun of a project: `keys of`, `tokens of`, `deploys`
 *   5. the row of the project (`findProjectForUpdate`); its slug is changed last of all, because rows that refer to
 *      the project wait for that
 *   6. `slug <slug>`
 *   7. the row of an account (`lockAccount`), then `address <e-mail>`
 *   8. the row of a link (`takeLink` takes what comes before it), of an endpoint, of a domain, and last of work
 *
 * Whoever has a turn and stops loses it within a second: the server ends a transaction that is silent for so long.
 */
export async function takeTurn(db: Db, engine: Engine, names: string | readonly string[]): Promise<void> {
  if (engine === 'sqlite') return
  const turns = [...new Set([names].flat())].sort()
  await sql`select pg_advisory_xact_lock(hashtextextended(turn, 0)) from unnest(${turns}::text[]) as turn`.execute(db)
}

/** The same turn in SQL that is written out; `name` is an expression. */
export const turnLock = (name: string) => `pg_advisory_xact_lock(hashtextextended(${name}, 0))`

/** Keeps out whoever takes the turn, but not others who share it. */
export async function shareTurn(db: Db, engine: Engine, name: string): Promise<void> {
  if (engine === 'sqlite') return
  await sql`select pg_advisory_xact_lock_shared(hashtextextended(${name}, 0))`.execute(db)
}

/** The lock of Kysely's own migrator, which earlier versions used. */
const MIGRATION_TURN = '3853314791062309107'

/**
 * False at once when another instance is bringing the schema up to date. Without parameters, which would leave a
 * snapshot open that CREATE INDEX CONCURRENTLY waits for.
 */
export async function tryMigrationTurn(db: Db): Promise<boolean> {
  const lock = sql<{ mine: boolean }>`select pg_try_advisory_xact_lock(${sql.raw(MIGRATION_TURN)}) as mine`
  return (await lock.execute(db)).rows[0]?.mine === true
}
