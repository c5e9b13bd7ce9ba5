import './tables.ts'
import { AT_ONCE } from '../../platform/outbox/due.ts'
import { countAttempt, forgetTold, holdMessages, type Message, recordTold } from '../../platform/outbox/messages.ts'
import { nextNumber } from '../../platform/storage/sequence.ts'
import { defineWrite } from '../../platform/storage/storage.ts'
import type { Db, Engine } from '../../platform/storage/tables.ts'
import { holdLease, type Lease } from '../../platform/work/lease.ts'
import { noteOfOff, switchOffRow } from './endpoint-writes.ts'
import { type Attempt, type Endpoint, findEndpointForUpdate } from './queries.ts'
import { TRIED_FOR_MS } from './retries.ts'
import type { OffReason } from './tables.ts'

/** What has been delivered stays in the log as long as it is among so many. */
const TOLD_KEPT = 1000
const ATTEMPTS_KEPT = 3000

interface Attempted {
  message: Message
  attempt: Omit<Attempt, 'seq' | 'endpoint_id' | 'message_id'>
  delivered: boolean
  now: number
}

interface AttemptResult extends Attempted {
  lease: Lease
  /** Undefined where the message was taken, or has been tried for as long as one is. */
  nextDueAt: number | undefined
}

/**
 * The attempt and what follows from it, for the message and for the endpoint; nothing of it where another instance has
 * taken over.
 */
export const recordAttempt = defineWrite(
  'webhooks.attempt',
  async (db, result: AttemptResult, engine) => {
    const { lease, message, attempt, delivered, nextDueAt, now } = result
    // Before the lease, as where people change it: in two orders they would wait for each other.
    const endpoint = await findEndpointForUpdate(db, engine, message.subscriber)
    // Removed meanwhile, with everything that was to be told.
    if (!endpoint || !(await holdLease(db, engine, lease))) return { kind: 'not-ours' as const }
    await logAttempt(db, engine, result)
    // What the old address has answered says nothing of the new one, which gets the message too.
    if (attempt.url !== endpoint.url) {
      await countAttempt(db, message)
      return { kind: 'moved' as const }
    }
    await noteOutcome(db, result)
    const wasOff = endpoint.off_at !== null
    const reason = wasOff ? undefined : reasonToSwitchOff(endpoint, result)
    const isKept = !delivered && (wasOff || reason !== undefined)
    await recordTold(db, { message, delivered, nextDueAt: isKept ? AT_ONCE : nextDueAt, now })
    if (reason !== undefined) {
      await switchOffRow(db, endpoint, reason, now)
      return { kind: 'switched-off' as const, endpoint, reason }
    }
    // What was under way meanwhile waits with the others.
    if (wasOff) await holdMessages(db, endpoint.id)
    return { kind: wasOff ? ('off-already' as const) : ('recorded' as const) }
  },
  {
    // Of all others the log of deliveries tells.
    note: (_, outcome) => (outcome.kind === 'switched-off' ? noteOfOff(outcome.endpoint, outcome.reason) : undefined),
  },
)

/** Standard Webhooks: whoever answers so wants nothing any more. */
const GONE = 410

function reasonToSwitchOff(endpoint: Endpoint, result: AttemptResult): OffReason | undefined {
  const { attempt, delivered, nextDueAt, now } = result
  if (attempt.status === GONE) return 'gone'
  // Where others get through, one message that never does is given up alone.
  const tookNothing = (endpoint.last_delivered_at ?? 0) < now - TRIED_FOR_MS
  return !delivered && nextDueAt === undefined && tookNothing ? 'failing' : undefined
}

/** By a command line, which nobody else delivers to: nothing follows, whatever was answered. */
export const recordForwarded = defineWrite(
  'webhooks.forwarded',
  async (db, result: Attempted & { listeningUntil: number }, engine) => {
    const { subscriber: id } = result.message
    if (!(await findEndpointForUpdate(db, engine, id))) return
    await stayListening(db, id, result.listeningUntil)
    await logAttempt(db, engine, result)
    await noteOutcome(db, result)
    await recordTold(db, { ...result, nextDueAt: undefined })
  },
  { note: () => undefined },
)

/** Until when the command line is believed to be there. */
export async function stayListening(db: Db, id: string, until: number): Promise<void> {
  await db.updateTable('webhook_endpoints').set({ listening_until: until }).where('id', '=', id).execute()
}

async function logAttempt(db: Db, engine: Engine, { message, attempt }: Attempted): Promise<void> {
  const { subscriber: endpoint_id, id: message_id } = message
  const seq = await nextNumber(db, engine, 'webhook_attempts')
  await db
    .insertInto('webhook_attempts')
    .values({ endpoint_id, message_id, seq, ...attempt })
    .execute()
}

async function noteOutcome(db: Db, { message, delivered, now }: Attempted): Promise<void> {
  await db
    .updateTable('webhook_endpoints')
    .set(delivered ? { last_delivered_at: now } : { last_failed_at: now })
    .where('id', '=', message.subscriber)
    .execute()
}

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
