import type { EventType } from '../../webhooks/events.ts'
import type { Environment } from '../projects.ts'
import type { FetchedMessage, NewWebhook, Webhook, WebhookMessage, WebhookMessageDetails } from '../webhooks.ts'
import type { PageQuery } from './queries.ts'

/** What is sent to others when something changes, and to whoever listens from a laptop. */
export interface WebhookRoutes {
  'GET /projects/{project}/webhooks': { answer: Webhook[] }
  'POST /projects/{project}/webhooks': {
    body: { url: string; name?: string; events?: EventType[]; environment?: Environment }
    answer: NewWebhook
  }
  'PATCH /projects/{project}/webhooks/{webhook}': {
    body: { url?: string; name?: string; events?: EventType[]; environment?: Environment | 'both'; on?: boolean }
    answer: Webhook
  }
  'DELETE /projects/{project}/webhooks/{webhook}': { answer: void }
  'POST /projects/{project}/webhooks/{webhook}/rotate': { body: { overlapHours?: number }; answer: NewWebhook }
  'POST /projects/{project}/webhooks/{webhook}/test': { answer: WebhookMessage }
  'GET /projects/{project}/webhooks/{webhook}/messages': { query: PageQuery; answer: WebhookMessage[] }
  'GET /projects/{project}/webhooks/{webhook}/messages/{message}': { answer: WebhookMessageDetails }
  'POST /projects/{project}/webhooks/{webhook}/messages/{message}/resend': { answer: WebhookMessageDetails }
  'POST /projects/{project}/listeners': {
    body: { events?: EventType[]; environment?: Environment }
    answer: { id: string; secret: string }
  }
  'GET /projects/{project}/listeners/{listener}/messages': {
    query: { wait?: number; limit?: number }
    answer: FetchedMessage[]
  }
  'POST /projects/{project}/listeners/{listener}/messages/{message}': {
    body: { url: string; status?: number; error?: string; durationMs: number }
    answer: void
  }
  'DELETE /projects/{project}/listeners/{listener}': { answer: void }
}
