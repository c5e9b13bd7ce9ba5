import './tables.ts'
import { countWaiting, holdMessages } from '../../platform/outbox/messages.ts'
import { unsubscribe } from '../../platform/outbox/subscriptions.ts'
import type { Db } from '../../platform/storage/tables.ts'
import { WAITING_MAX } from './deliver.ts'
import { removeRows } from './endpoint-writes.ts'
import type { Endpoint } from './queries.ts'
import { LOST } from './secrets.ts'

interface LostSecrets {
  endpoints: number
  /** Those that were on. */
  off: Endpoint[]
}

/**
 * For the transaction that gives a master key up: nothing can be signed any more. Endpoints are off until their people
 * rotate the secret, and go on gathering what they are to be told.
 */
export async function loseSecrets(db: Db, now: number): Promise<LostSecrets> {
  // A command line that listens begins anew.
  const listeners = await db.selectFrom('webhook_endpoints').select('id').where('url', 'is', null).execute()
  for (const { id } of listeners) await removeRows(db, id)
  const none = { sealed_secret: LOST, sealed_old_secret: null, old_secret_until: null, older_secrets: null }
  const { numUpdatedRows } = await db.updateTable('webhook_endpoints').set(none).executeTakeFirst()
  const off = await db
    .updateTable('webhook_endpoints')
    .set({ off_at: now, off_reason: 'secret_lost' })
    .where('off_at', 'is', null)
    .returningAll()
    .execute()
  for (const { id } of off) await holdMessages(db, id)
  return { endpoints: Number(numUpdatedRows), off }
}

/** One that nobody rotates does not gather for ever. */
export async function endGathering(db: Db): Promise<void> {
  const gathering = db.selectFrom('webhook_endpoints').select('id').where('off_reason', '=', 'secret_lost')
  for (const { id } of await gathering.execute()) {
    if ((await countWaiting(db, id, WAITING_MAX)) >= WAITING_MAX) await unsubscribe(db, id)
  }
}
