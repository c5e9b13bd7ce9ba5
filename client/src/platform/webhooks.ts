import type { EventType } from '../webhooks/events.ts'
import type { Environment } from './projects.ts'

/** Why an endpoint gets nothing any more: somebody chose so, or the service did. */
export type WebhookOffReason = 'person' | 'failing' | 'gone' | 'backlog' | 'secret_lost'

/** Where a project's events are sent to. */
export interface Webhook {
  id: string
  name: string
  url: string
  events: EventType[]
  /** Null for both. */
  environment: Environment | null
  createdAt: string
  state: 'on' | 'off'
  offReason: WebhookOffReason | null
  offAt: string | null
  /** Until then a secret from before this one signs too. */
  oldSecretUntil: string | null
  lastDeliveredAt: string | null
  lastFailedAt: string | null
}

export interface NewWebhook extends Webhook {
  /** Shown this once. */
  secret: string
}

export interface WebhookMessage {
  id: string
  number: number
  type: string
  environment: string | null
  createdAt: string
  state: 'waiting' | 'delivered' | 'given up'
  nextAttemptAt: string | null
  attempts: number
  lastStatus: number | null
}

export interface WebhookAttempt {
  at: string
  url: string
  address: string | null
  signature: string
  status: number | null
  /** The beginning of what was answered. */
  answer: string | null
  error: string | null
  durationMs: number
}

export interface WebhookMessageDetails extends WebhookMessage {
  body: string
  /** Newest first. */
  log: WebhookAttempt[]
}

/** A message for a command line that forwards it by itself. */
export interface FetchedMessage {
  id: string
  type: string
  headers: Record<string, string>
  body: string
}
