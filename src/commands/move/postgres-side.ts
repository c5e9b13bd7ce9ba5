import { sql } from 'kysely'
import type { Db } from '../../platform/storage/tables.ts'

/** A copy takes as long as it takes: no statement of it is given up. */
export const UNHURRIED = { unhurried: true } as const

export async function unhurry(db: Db): Promise<void> {
  for (const limit of ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout']) {
    await sql`set local ${sql.raw(limit)} = 0`.execute(db)
  }
}

/** Every connection of a service says whose it is. */
export async function requireNoService(db: Db, complaint: () => Error): Promise<void> {
  const { rows } = await sql`
    select 1 from pg_stat_activity
    where datname = current_database() and application_name = 'petstore' and pid <> pg_backend_pid()
    limit 1`.execute(db)
  if (rows.length > 0) throw complaint()
}
