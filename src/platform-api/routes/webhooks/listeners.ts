import {
  fetchMessages,
  ListenerWaits,
  MESSAGES_MAX,
  openListener,
  recordForward,
} from '../../../features/webhooks/listen.ts'
import { removeEndpointOf } from '../../../features/webhooks/webhooks.ts'
import { SECOND_MS } from '../../../platform/clock.ts'
import { ENVIRONMENTS } from '../../../platform/http/operation.ts'
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

const FetchQuery = object({
  wait: optional(
    integer({ minimum: 0, description: 'Seconds to wait for a message, if there is none.', rule: 'must be seconds' }),
  ),
  limit: optional(
    integer({
      minimum: 1,
      maximum: MESSAGES_MAX,
      default: MESSAGES_MAX,
      description: 'Messages at once: as many as are forwarded before their signatures are too old.',
      rule: `must be an integer from 1 to ${MESSAGES_MAX}`,
    }),
  ),
})

export interface ListenersRouteNeeds extends Omit<WebhooksRouteNeeds, 'webhooks'> {
  /** Aborts when the service ends: whoever waits is answered. */
  stopping: AbortSignal
}

const listenerOf = (call: ProjectCall) => ({ projectId: call.project.projectId, id: parameter(call, 'listener') })

/** For a machine that nobody can reach: it fetches the messages, and forwards them by itself. */
export function listenerRoutes({ clock, ...needs }: ListenersRouteNeeds) {
  const waits = new ListenerWaits()
  return [
    route({
      id: 'openListener',
      summary: 'Begin to listen',
      description: 'For a machine that nobody can reach: it fetches its messages itself.',
      answers: [201],
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
      summary: 'Fetch the messages of a listener',
      description: 'One request waits for each listener: the next one ends it, without a message.',
      method: 'GET',
      path: '/projects/{project}/listeners/{listener}/messages',
      role: 'editor',
      // It is a read, and how these webhooks are sent.
      whileSuspended: false,
      query: FetchQuery,
      async handle(call) {
        const { storage, query, judgeAgain } = call
        const { wait = 0, limit } = query
        const how = { waitMs: wait * SECOND_MS, limit, signals: [needs.stopping, call.left()], judgeAgain }
        return ok(await fetchMessages({ storage, clock, sealer: needs.sealer, waits }, listenerOf(call), how))
      },
    }),
    route({
      id: 'forwardedMessage',
      summary: 'Tell what became of a message',
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
      summary: 'Stop listening',
      method: 'DELETE',
      path: '/projects/{project}/listeners/{listener}',
      role: 'editor',
      uncounted: true,
      whileSuspended: true,
      async handle(call) {
        await removeEndpointOf(call, listenerOf(call))
        return done()
      },
    }),
  ]
}
