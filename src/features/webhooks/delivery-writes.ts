import './tables.ts'
import { forgetTold, type Message, recordTold } from '../../platform/outbox/messages.ts'
import { nextNumber } from '../../platform/storage/sequence.ts'
import { defineWrite } from '../../platform/storage/storage.ts'
import { holdLease, type Lease } from '../../platform/work/lease.ts'
import { type Attempt, findEndpointForUpdate } from './queries.ts'

/** What has been delivered stays in the log as long as it is among so many. */
const TOLD_KEPT = 1000
const ATTEMPTS_KEPT = 3000

interface AttemptResult {
  /** Undefined for a command line, which nobody else delivers to. */
  lease: Lease | undefined
  message: Message
  attempt: Omit<Attempt, 'seq' | 'endpoint_id' | 'message_id'>
  delivered: boolean
  nextDueAt: number | undefined
  now: number
}

/** The attempt and what follows from it; nothing of it where another instance has taken over. */
export const recordAttempt = defineWrite(
  'webhooks.attempt',
  async (db, { lease, message, attempt, delivered, nextDueAt, now }: AttemptResult, engine) => {
    const { subscriber: endpoint_id, id: message_id } = message
    // Before the lease, as where people change it: in two orders they would wait for each other.
    const endpoint = await findEndpointForUpdate(db, engine, endpoint_id)
    // Removed meanwhile, with everything that was to be told.
    if (!endpoint) return false
    if (lease && !(await holdLease(db, engine, lease))) return false
    await db
      .updateTable('webhook_endpoints')
      .set(delivered ? { last_delivered_at: now } : { last_failed_at: now })
      .where('id', '=', endpoint_id)
      .execute()
    await recordTold(db, { message, nextDueAt, delivered, now })
    const seq = await nextNumber(db, engine, 'webhook_attempts')
    await db
      .insertInto('webhook_attempts')
      .values({ endpoint_id, message_id, seq, ...attempt })
      .execute()
    return true
  },
  // The log of deliveries tells of it.
  { note: () => undefined },
)

/** The log holds the newest. */
export const trimLog = defineWrite(
  'webhooks.trim',
  async (db, { endpointId }: { endpointId: string }) => {
    await forgetTold(db, endpointId, TOLD_KEPT)
    const oldest = await db
      .selectFrom('webhook_attempts')
      .select('seq')
      .where('endpoint_id', '=', endpointId)
      .orderBy('seq', 'desc')
      .offset(ATTEMPTS_KEPT)
      .limit(1)
      .executeTakeFirst()
    if (!oldest) return
    const old = db.deleteFrom('webhook_attempts').where('endpoint_id', '=', endpointId)
    await old.where('seq', '<=', oldest.seq).execute()
  },
  { note: () => undefined },
)
