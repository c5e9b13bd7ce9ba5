import { sql } from 'kysely'
import type { Db } from '../storage/tables.ts'

/** On PostgreSQL: whoever looks for messages waits for the end of this transaction. */
export async function closeMessages(db: Db): Promise<void> {
  await sql`lock table outbox_messages in access exclusive mode`.execute(db)
}

/** Whether somebody waits for messages that are closed. Those of a clone of the database have the same number. */
export async function isAnybodyWaiting(db: Db): Promise<boolean> {
  const { rows } = await sql`
    select 1 from pg_locks where relation = 'outbox_messages'::regclass and not granted
      and database = (select oid from pg_database where datname = current_database()) limit 1
  `.execute(db)
  return rows.length > 0
}
