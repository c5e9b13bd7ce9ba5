import { setTimeout as wait } from 'node:timers/promises'
import { sql } from 'kysely'
import { closeMessages, isAnybodyWaiting } from '../../platform/outbox/closed.ts'
import { openPostgresStorage, type PostgresStorage } from '../../platform/storage/postgres/storage.ts'
import { LOCK_NOT_AVAILABLE, sqlStateOf } from '../../platform/storage/postgres/trouble.ts'
import type { Db } from '../../platform/storage/tables.ts'

/** The server takes a moment to notice that a service has gone. */
const GONE_AFTER_MS = 2000
const LOOK_EVERY_MS = 100

/** Connections without limits, and of another name than those of a service: a copy takes as long as it takes. */
export const openUnhurried = (url: string): Promise<PostgresStorage> =>
  openPostgresStorage(url, () => {}, { unhurried: true })

export async function unhurry(db: Db): Promise<void> {
  for (const limit of ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout']) {
    await sql`set local ${sql.raw(limit)} = 0`.execute(db)
  }
}

/** Not inside of a transaction, in which the answer would never change. */
export async function requireNoService(db: Db, complaint: () => Error): Promise<void> {
  for (let waited = 0; waited < GONE_AFTER_MS; waited += LOOK_EVERY_MS) {
    const { rows } = await sql`
      select 1 from pg_stat_activity where datname = current_database() and application_name = 'petstore' limit 1
    `.execute(db)
    if (rows.length === 0) return
    await wait(LOOK_EVERY_MS)
  }
  throw complaint()
}

/**
 * By what a service does, which looks for messages twice a second, and not by its name: behind a pooler a connection
 * has the name of whoever had it last. Inside of a transaction, which then keeps them away until its end.
 */
export async function requireNobodyLooks(db: Db, complaint: () => Error): Promise<void> {
  // Of one that reads for long, as a backup does, the end is not waited for: a service would stand behind this.
  await sql`set local lock_timeout = ${sql.lit(GONE_AFTER_MS)}`.execute(db)
  await closeMessages(db).catch((error: unknown) => {
    throw sqlStateOf(error) === LOCK_NOT_AVAILABLE ? complaint() : error
  })
  await unhurry(db)
  for (let waited = 0; waited < GONE_AFTER_MS; waited += LOOK_EVERY_MS) {
    await wait(LOOK_EVERY_MS)
    if (await isAnybodyWaiting(db)) throw complaint()
  }
}
