import './tables.ts'
import { sql } from 'kysely'
import { DAY_MS } from '../../platform/clock.ts'
import { deleteOldMessages, deleteStrayMessages } from '../../platform/outbox/messages.ts'
import { unsubscribe } from '../../platform/outbox/subscriptions.ts'
import { deleteSome } from '../../platform/storage/delete-some.ts'
import type { Db } from '../../platform/storage/tables.ts'
import { endGathering } from './lost-secrets.ts'

/** What waits for an endpoint that is switched off is kept for so long after that, and all else after its event. */
const MESSAGE_LIFE_MS = 14 * DAY_MS

/**
 * Takes away some of the old messages, and the listeners of command lines that are gone, with the messages of these and
 * of other endpoints that are gone; whether there may be more.
 */
export async function sweepWebhooks(db: Db, now: number): Promise<boolean> {
  const before = now - MESSAGE_LIFE_MS
  // What waits for one that is on is told, or given up after its three days, or waits for a suspended project; command
  // lines may never tell of it.
  const waitedFor = sql`
    select id from webhook_endpoints where url is not null and (off_at is null or off_at >= ${before})`
  if (await deleteOldMessages(db, before, waitedFor)) return true
  const key = ['endpoint_id', 'seq'] as const
  if (await deleteSome(db, { table: 'webhook_attempts', key, where: sql`at < ${before}` })) return true
  await endGathering(db)
  const gone = await db.deleteFrom('webhook_endpoints').where('listening_until', '<', now).returning('id').execute()
  for (const { id } of gone) await unsubscribe(db, id)
  return deleteStrayMessages(db, sql`select id from webhook_endpoints`)
}
