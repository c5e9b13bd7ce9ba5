import { fetchMessages, openListener, recordForward } from '../../../features/webhooks/listen.ts'
import { removeEndpointOf } from '../../../features/webhooks/webhooks.ts'
import { SECOND_MS } from '../../../platform/clock.ts'
import { ENVIRONMENTS } from '../../../platform/http/operation.ts'
import { readQuery } from '../../../platform/http/query-string.ts'
import { integer, object, oneOf, optional, text } from '../../../platform/schema.ts'
import { created, done, ok, parameter, type ProjectCall, route } from '../../route.ts'
import { events, type WebhooksRouteNeeds } from './endpoints.ts'

export const NewListenerBody = object({ events: optional(events), environment: optional(oneOf(ENVIRONMENTS)) })

export const ForwardBody = object({
  url: text({ minLength: 1, maxLength: 2000, rule: 'must be where it was forwarded to' }),
  status: optional(integer({ minimum: 100, maximum: 599, rule: 'must be the status of the answer' })),
  error: optional(text({ minLength: 1, maxLength: 500, rule: 'must be up to 500 characters long' })),
  durationMs: integer({ minimum: 0, maximum: 3_600_000, rule: 'must be milliseconds' }),
})

export interface ListenersRouteNeeds extends Omit<WebhooksRouteNeeds, 'webhooks'> {
  /** Aborts when the service ends: whoever waits is answered. */
  stopping: AbortSignal
}

const listenerOf = (call: ProjectCall) => ({ projectId: call.project.projectId, id: parameter(call, 'listener') })

/** For a machine that nobody can reach: it fetches the messages, and forwards them by itself. */
export function listenerRoutes({ clock, ...needs }: ListenersRouteNeeds) {
  return [
    route({
      id: 'openListener',
      method: 'POST',
      path: '/projects/{project}/listeners',
      role: 'editor',
      body: NewListenerBody,
      refusal: 'Nobody listens',
      handle: async ({ storage, project }, body) =>
        created(await openListener({ storage, clock, sealer: needs.sealer }, project.projectId, body)),
    }),
    route({
      id: 'fetchMessages',
      method: 'GET',
      path: '/projects/{project}/listeners/{listener}/messages',
      role: 'editor',
      async handle(call) {
        const { storage, url } = call
        const { wait } = readQuery(url, ['wait'])
        const how = { waitMs: (Number(wait) || 0) * SECOND_MS, signal: needs.stopping }
        return ok(await fetchMessages({ storage, clock, sealer: needs.sealer }, listenerOf(call), how))
      },
    }),
    route({
      id: 'forwardedMessage',
      method: 'POST',
      path: '/projects/{project}/listeners/{listener}/messages/{message}',
      role: 'editor',
      uncounted: true,
      body: ForwardBody,
      refusal: 'The result was not kept',
      async handle(call, { url, status = null, error = null, durationMs }) {
        const { storage } = call
        const result = { messageId: parameter(call, 'message'), url, status, error, durationMs }
        await recordForward({ storage, clock }, listenerOf(call), result)
        return done()
      },
    }),
    route({
      id: 'closeListener',
      method: 'DELETE',
      path: '/projects/{project}/listeners/{listener}',
      role: 'editor',
      uncounted: true,
      async handle(call) {
        await removeEndpointOf(call, listenerOf(call))
        return done()
      },
    }),
  ]
}
