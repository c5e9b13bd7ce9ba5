import { EVENT_TYPES } from '../../../features/webhooks/event-types.ts'
import type { SecretSealer } from '../../../features/webhooks/secrets.ts'
import {
  changeEndpoint,
  createEndpoint,
  listEndpoints,
  removeEndpointOf,
  rotateEndpointSecret,
  testEndpoint,
} from '../../../features/webhooks/webhooks.ts'
import type { Clock } from '../../../platform/clock.ts'
import { ENVIRONMENTS } from '../../../platform/http/operation.ts'
import { array, boolean, integer, object, oneOf, optional, SHOWN, shownText, text } from '../../../platform/schema.ts'
import { created, done, ok, parameter, type ProjectCall, route } from '../../route.ts'

export interface WebhooksRouteNeeds {
  clock: Clock
  sealer: SecretSealer
  webhooks: { mayBePlain: boolean }
}

const URL_RULE = 'must be an address such as https://example.com/hooks'
const url = text({ minLength: 1, maxLength: 2000, rule: URL_RULE })
const name = shownText(100)
/** Empty: the endpoint has no name any more. */
const changedName = text({
  maxLength: 100,
  pattern: `^$|${SHOWN}`,
  rule: 'must be at most 100 characters long, without control characters',
})
export const events = array(oneOf(EVENT_TYPES), {
  maxItems: EVENT_TYPES.length,
  rule: `must be a list of these: ${EVENT_TYPES.join(', ')}`,
})

export const NewWebhookBody = object({
  url,
  name: optional(name),
  events: optional(events),
  environment: optional(oneOf(ENVIRONMENTS)),
})

export const WebhookPatch = object({
  url: optional(url),
  name: optional(changedName),
  events: optional(events),
  environment: optional(oneOf([...ENVIRONMENTS, 'both'])),
  on: optional(boolean({ rule: 'must be true or false' })),
})

export const SecretRotation = object({
  overlapHours: optional(integer({ minimum: 0, maximum: 168, rule: 'must be 0 to 168 hours' })),
})

export const webhookOf = (call: ProjectCall) => ({ projectId: call.project.projectId, id: parameter(call, 'webhook') })

/** Where a project's events are sent to. A secret is shown once, in the answer that makes it. */
export function webhookRoutes(needs: WebhooksRouteNeeds) {
  // Not taken apart before a call: tests build the table without them.
  const by = ({ storage }: ProjectCall) => ({
    storage,
    clock: needs.clock,
    sealer: needs.sealer,
    mayBePlain: needs.webhooks.mayBePlain,
  })
  return [
    route({
      id: 'listWebhooks',
      summary: 'List the webhook endpoints',
      method: 'GET',
      path: '/projects/{project}/webhooks',
      role: 'viewer',
      handle: async (call) => ok(await listEndpoints(by(call), call.project.projectId)),
    }),
    route({
      id: 'createWebhook',
      summary: 'Add a webhook endpoint',
      description: 'Its secret is in this answer only.',
      answers: [201],
      method: 'POST',
      path: '/projects/{project}/webhooks',
      role: 'editor',
      body: NewWebhookBody,
      refusal: 'The endpoint was not created',
      handle: async (call, body) => created(await createEndpoint(by(call), call.project.projectId, body)),
    }),
    route({
      id: 'changeWebhook',
      summary: 'Change a webhook endpoint',
      method: 'PATCH',
      path: '/projects/{project}/webhooks/{webhook}',
      role: 'editor',
      body: WebhookPatch,
      refusal: 'The endpoint was not changed',
      async handle(call, { environment, ...body }) {
        const which = environment === 'both' ? { both: true } : { environment }
        return ok(await changeEndpoint(by(call), webhookOf(call), { ...body, ...which }))
      },
    }),
    route({
      id: 'removeWebhook',
      summary: 'Remove a webhook endpoint',
      method: 'DELETE',
      path: '/projects/{project}/webhooks/{webhook}',
      role: 'editor',
      async handle(call) {
        await removeEndpointOf(call, webhookOf(call))
        return done()
      },
    }),
    route({
      id: 'rotateWebhook',
      summary: 'Replace the secret of a webhook endpoint',
      description: 'For the overlap both secrets sign; 0 hours end all old ones. The new one is in this answer only.',
      answers: [201],
      method: 'POST',
      path: '/projects/{project}/webhooks/{webhook}/rotate',
      role: 'editor',
      body: SecretRotation,
      refusal: 'The secret was not rotated',
      handle: async (call, { overlapHours }) =>
        created(await rotateEndpointSecret(by(call), webhookOf(call), overlapHours)),
    }),
    route({
      id: 'testWebhook',
      summary: 'Send a test event',
      answers: [201],
      method: 'POST',
      path: '/projects/{project}/webhooks/{webhook}/test',
      role: 'editor',
      handle: async (call) => created(await testEndpoint(by(call), webhookOf(call))),
    }),
  ]
}
