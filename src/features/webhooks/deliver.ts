import { type Clock, SECOND_MS } from '../../platform/clock.ts'
import { countWaiting, findDueMessages, holdBack, type Message } from '../../platform/outbox/messages.ts'
import { type AuditedStorage, defineWrite, type Storage } from '../../platform/storage/storage.ts'
import { finishWork, type Lease } from '../../platform/work/lease.ts'
import { recordAttempt, trimLog } from './delivery-writes.ts'
import { switchOff } from './endpoint-writes.ts'
import { bodyOf, headersOf } from './message-body.ts'
import { findEndpoint, findSilenceMs } from './queries.ts'
import { askedPauseMs, nextAttemptAt, silencePauseMs } from './retries.ts'
import { type SecretSealer, signingSecrets } from './secrets.ts'
import { type Line, openLine, type SendNeeds, type Sent } from './send.ts'

export interface DeliverNeeds {
  storage: Storage
  /** Tells people of what the service switches off. */
  audited: AuditedStorage
  clock: Clock
  isSuspended(projectId: number): boolean
  sealer: Pick<SecretSealer, 'open'>
  sending: SendNeeds
  random: () => number
}

/** Messages of one endpoint that are under way at once, each of another resource. */
const AT_ONCE_MAX = 4
const RESOURCES_PER_LOOK = 50
/** Then whoever waits for a place gets one. */
const ROUND_MS = 20 * SECOND_MS
/** More than that wait only for an endpoint that takes nothing, or far too little. */
export const WAITING_MAX = 100_000

const finish = defineWrite(
  'webhooks.finish',
  (db, { lease, nextDueAt }: { lease: Lease; nextDueAt: number | undefined }, engine) =>
    finishWork(db, engine, lease, { nextDueAt }),
)

const holdBackAll = defineWrite(
  'webhooks.holdBack',
  async (db, { subscriber, resources }: { subscriber: string; resources: { resource: string; until: number }[] }) => {
    for (const { resource, until } of resources) await holdBack(db, subscriber, resource, until)
  },
)

/**
 * Delivers what is due for one endpoint, for a while; the watch finds what is left. The messages of one resource go out
 * one after the other, those of different ones side by side.
 */
export async function deliverDue(needs: DeliverNeeds, lease: Lease, signal: AbortSignal): Promise<void> {
  const { storage, clock } = needs
  using line = openLine(needs.sending, AT_ONCE_MAX)
  const round: Round = { lease, line, signal, endsAt: clock.now() + ROUND_MS, ...NOTHING_YET }
  await deliverRound(needs, round)
  if (!signal.aborted) await tidy(needs, lease.subject)
  let nextDueAt = round.restUntil
  if (isSilent(round)) nextDueAt = clock.now() + silencePauseMs(await findSilenceMs(storage.read, lease.subject))
  // Also when the service stops: another instance need not wait for the lease to run out.
  await storage.write(finish, { lease, nextDueAt })
}

async function tidy({ storage, audited, clock }: DeliverNeeds, id: string): Promise<void> {
  await storage.write(trimLog, { endpointId: id })
  const waiting = await countWaiting(storage.read, id, WAITING_MAX)
  if (waiting >= WAITING_MAX) await audited.write(switchOff, { id, reason: 'backlog', now: clock.now() })
}

interface Round {
  lease: Lease
  line: Line
  signal: AbortSignal
  endsAt: number
  /** Until when the receiver has asked to be left alone: nothing of this endpoint is sent before. */
  restUntil: number | undefined
  wasLate: boolean
  wasAnswered: boolean
}

const NOTHING_YET = { restUntil: undefined, wasLate: false, wasAnswered: false }

/** Each attempt at such a receiver keeps a place for all of its time: it gets no more of them in this round. */
const isSilent = ({ wasLate, wasAnswered }: Round) => wasLate && !wasAnswered

async function deliverRound(needs: DeliverNeeds, round: Round): Promise<void> {
  const { storage, clock } = needs
  const { subject: subscriber } = round.lease
  const underWay = new Map<string, Promise<unknown>>()
  let isOver = false
  let failure: unknown
  const end = (error?: unknown) => {
    isOver = true
    failure ??= error
  }
  try {
    while (!isOver && !round.signal.aborted && clock.now() < round.endsAt) {
      const look = { now: clock.now(), resourcesMax: RESOURCES_PER_LOOK, except: new Set(underWay.keys()) }
      const { due, heldBack } = await findDueMessages(storage.read, subscriber, look)
      if (heldBack.length > 0) await storage.write(holdBackAll, { subscriber, resources: heldBack })
      // What was under way has been left out of the look, with what waits behind it, and may have ended since; what is
      // held back has taken the places of others.
      const isAll = look.except.size === 0 && heldBack.length === 0
      if (due.length === 0 && isAll) return
      for (const message of due) {
        if (isOver || round.signal.aborted) break
        const sending = deliver(needs, message, round)
          .then((goesOn) => goesOn || end())
          // Nobody may be waiting for it when it fails.
          .catch(end)
          .finally(() => underWay.delete(message.resource))
        underWay.set(message.resource, sending)
        if (underWay.size >= AT_ONCE_MAX) await Promise.race(underWay.values())
      }
      if (due.length === 0 && underWay.size > 0) await Promise.race(underWay.values())
    }
  } finally {
    await Promise.all(underWay.values())
  }
  if (failure !== undefined) throw failure
}

/** One attempt. False when the endpoint gets no more for now: it rests, is switched off, or another instance's. */
async function deliver(needs: DeliverNeeds, message: Message, round: Round): Promise<boolean> {
  const { storage, audited, clock, sealer, random } = needs
  // For each message: its address and its secrets may have been changed while others were sent.
  const endpoint = await findEndpoint(storage.read, message.subscriber)
  if (!endpoint || endpoint.off_at !== null || endpoint.url === null) return false
  // It may have been scheduled before it was suspended, or be in the middle of a round.
  if (needs.isSuspended(endpoint.project_id)) return false
  const { url } = endpoint
  const at = clock.now()
  const body = bodyOf(message)
  const headers = headersOf(message, body, signingSecrets(sealer, endpoint, at), at)
  const startedAt = performance.now()
  const { retryAfter, isLate, ...sent } = await round.line.post(new URL(url), headers, body, round.signal)
  // It may have been delivered, or not: the next one to deliver sends it again.
  if (round.signal.aborted) return false
  const duration_ms = Math.round(performance.now() - startedAt)
  const attempt = { at, url, signature: headers['webhook-signature'], duration_ms, ...sent }
  const delivered = isSuccess(sent)
  const now = clock.now()
  const tried = { attempts: message.attempts + 1, firstAttemptAt: message.first_attempt_at ?? now }
  const askedMs = askedPauseMs({ status: sent.status, retryAfter }, now)
  const nextDueAt = delivered ? undefined : nextAttemptAt(tried, now, random())
  const { lease } = round
  const { kind } = await audited.write(recordAttempt, { lease, message, attempt, delivered, nextDueAt, now })
  if (kind === 'moved') return true
  round.wasLate ||= isLate
  round.wasAnswered ||= sent.status !== null
  if (kind !== 'recorded') return false
  if (delivered) return true
  if (askedMs > 0) round.restUntil = Math.max(round.restUntil ?? 0, now + askedMs)
  return askedMs === 0 && !isSilent(round)
}

const isSuccess = ({ status }: Pick<Sent, 'status'>) => status !== null && status >= 200 && status < 300
