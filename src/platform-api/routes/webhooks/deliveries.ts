import { listDeliveries, resend, showMessage } from '../../../features/webhooks/webhooks.ts'
import type { Clock } from '../../../platform/clock.ts'
import { pageParameters } from '../../../platform/http/openapi/page-parameters.ts'
import { nextLink, pageReader } from '../../../platform/http/page.ts'
import { object } from '../../../platform/schema.ts'
import { ok, parameter, route } from '../../route.ts'
import { webhookOf } from './endpoints.ts'

const PageQuery = object(pageParameters)

/** What an endpoint was sent, and what it answered. */
export function webhookMessageRoutes({ clock, cursorSecret }: { clock: Clock; cursorSecret: string }) {
  const readPage = pageReader(PageQuery, cursorSecret)
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
        const { storage, project, baseUrl, url } = call
        const of = webhookOf(call)
        const page = readPage(url, `webhook messages ${of.id}`)
        const before = page.after === 0 ? undefined : Number(page.after)
        const found = await listDeliveries({ storage, clock }, of, { before, limit: page.limit + 1 })
        const shown = found.slice(0, page.limit)
        const last = shown.at(-1)
        if (found.length <= page.limit || !last) return ok(shown)
        const address = `${baseUrl}/projects/${project.slug}/webhooks/${of.id}/messages`
        const [name, value] = nextLink(address, page, cursorSecret, { id: last.number })
        return ok(shown, { [name]: value })
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
