import './tables.ts'
import { DAY_MS } from '../../platform/clock.ts'
import { deleteOldMessages, forgetSubscriber } from '../../platform/outbox/messages.ts'
import { unsubscribe } from '../../platform/outbox/subscriptions.ts'
import type { Db } from '../../platform/storage/tables.ts'

/** Longer than anything is tried; what an endpoint that is switched off has missed by then it has missed. */
const MESSAGE_LIFE_MS = 14 * DAY_MS

/** Takes away old messages, and the listeners of command lines that are gone. */
export async function sweepWebhooks(db: Db, now: number): Promise<void> {
  await deleteOldMessages(db, now - MESSAGE_LIFE_MS)
  await db
    .deleteFrom('webhook_attempts')
    .where('at', '<', now - MESSAGE_LIFE_MS)
    .execute()
  const gone = await db.deleteFrom('webhook_endpoints').where('listening_until', '<', now).returning('id').execute()
  for (const { id } of gone) {
    await unsubscribe(db, id)
    await forgetSubscriber(db, id)
  }
}
