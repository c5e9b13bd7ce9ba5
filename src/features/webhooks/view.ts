import { iso, isoOrNull } from '../../platform/iso-date.ts'
import type { Message } from '../../platform/outbox/messages.ts'
import type { EventType } from './event-types.ts'
import { bodyOf } from './message-body.ts'
import type { Attempt, Endpoint } from './queries.ts'
import { oldSecrets } from './secrets.ts'
import type { OffReason } from './tables.ts'

export interface EndpointView {
  id: string
  name: string
  url: string
  events: EventType[]
  /** Null for both. */
  environment: 'production' | 'staging' | null
  createdAt: string
  state: 'on' | 'off'
  /** Why it is off. */
  offReason: OffReason | null
  offAt: string | null
  /** Until then a secret from before this one signs too. */
  oldSecretUntil: string | null
  lastDeliveredAt: string | null
  lastFailedAt: string | null
}

export interface NewEndpointView extends EndpointView {
  /** Shown this once. */
  secret: string
}

interface AttemptView {
  at: string
  url: string
  address: string | null
  signature: string
  status: number | null
  answer: string | null
  error: string | null
  durationMs: number
}

export interface MessageView {
  id: string
  /** Where the next page begins. */
  number: number
  type: string
  environment: string | null
  createdAt: string
  state: 'waiting' | 'delivered' | 'given up'
  /** When it is tried next; null where that is at once, or never. */
  nextAttemptAt: string | null
  attempts: number
  /** What the newest attempt was answered; null where no answer came, or none was made. */
  lastStatus: number | null
}

export interface MessageDetails extends MessageView {
  body: string
  /** Newest first. */
  log: AttemptView[]
}

export function endpointView(endpoint: Endpoint, now: number): EndpointView {
  const { id, name, url, types, environment, off_at, off_reason } = endpoint
  const oldUntil = oldSecrets(endpoint, now).map(({ until }) => until)
  return {
    id,
    name,
    url: url ?? '',
    events: types.split(' ') as EventType[],
    environment: environment as EndpointView['environment'],
    createdAt: iso(endpoint.created_at),
    state: off_at === null ? 'on' : 'off',
    offReason: off_reason,
    offAt: isoOrNull(off_at),
    oldSecretUntil: oldUntil.length > 0 ? iso(Math.max(...oldUntil)) : null,
    lastDeliveredAt: isoOrNull(endpoint.last_delivered_at),
    lastFailedAt: isoOrNull(endpoint.last_failed_at),
  }
}

interface Times {
  now: number
  /** Until when the endpoint gets nothing; in the past where nobody has asked for that. */
  restUntil: number
}

export function messageView(message: Message, newest: Attempt | undefined, { now, restUntil }: Times): MessageView {
  const { id, seq, type, environment, created_at, due_at, delivered_at, attempts } = message
  const nextAt = due_at === null ? 0 : Math.max(due_at, restUntil)
  const isLater = nextAt > now && nextAt < Number.MAX_SAFE_INTEGER
  return {
    id,
    number: seq,
    type,
    environment,
    createdAt: iso(created_at),
    state: due_at !== null ? 'waiting' : delivered_at !== null ? 'delivered' : 'given up',
    nextAttemptAt: isLater ? iso(nextAt) : null,
    attempts,
    lastStatus: newest?.status ?? null,
  }
}

export const messageDetails = (message: Message, log: readonly Attempt[], times: Times): MessageDetails => ({
  ...messageView(message, log[0], times),
  body: bodyOf(message),
  log: log.map(({ at, url, address, signature, status, answer, error, duration_ms: durationMs }) => {
    return { at: iso(at), url, address, signature, status, answer, error, durationMs }
  }),
})
