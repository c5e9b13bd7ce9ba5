import { listDeliveries, resend, showMessage } from '../../../features/webhooks/webhooks.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { Cursors } from '../../../platform/http/lists/cursor.ts'
import { pageParameters } from '../../../platform/http/openapi/page-parameters.ts'
import { pageReader } from '../../../platform/http/lists/page.ts'
import { object } from '../../../platform/schema.ts'
import { ok, okPage, parameter, route } from '../../route.ts'
import { webhookOf } from './endpoints.ts'

const PageQuery = object(pageParameters)

/** What an endpoint was sent, and what it answered. */
export function webhookMessageRoutes({ clock, cursors }: { clock: Clock; cursors: Cursors }) {
  const readPage = pageReader(PageQuery, cursors)
  return [
    route({
      id: 'listWebhookMessages',
      summary: 'List what an endpoint was sent',
      description: 'Newest first, in pages.',
      method: 'GET',
      path: '/projects/{project}/webhooks/{webhook}/messages',
      role: 'viewer',
      query: PageQuery,
      async handle(call) {
        const of = webhookOf(call)
        const page = readPage(call.url, `webhook messages ${of.id}`)
        const before = page.after === 0 ? undefined : Number(page.after)
        const rows = await listDeliveries({ storage: call.storage, clock }, of, { before, limit: page.limit + 1 })
        return okPage(call, { page, rows, cursors, positionOf: ({ number: id }) => ({ id }) })
      },
    }),
    route({
      id: 'showWebhookMessage',
      summary: 'Get a message with every attempt',
      method: 'GET',
      path: '/projects/{project}/webhooks/{webhook}/messages/{message}',
      role: 'viewer',
      async handle(call) {
        const { storage } = call
        return ok(await showMessage({ storage, clock }, webhookOf(call), parameter(call, 'message')))
      },
    }),
    route({
      id: 'resendWebhookMessage',
      summary: 'Send a message again',
      method: 'POST',
      path: '/projects/{project}/webhooks/{webhook}/messages/{message}/resend',
      role: 'editor',
      async handle(call) {
        const { storage } = call
        return ok(await resend({ storage, clock }, webhookOf(call), parameter(call, 'message')))
      },
    }),
  ]
}
