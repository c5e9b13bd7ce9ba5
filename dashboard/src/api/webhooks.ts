import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import type { PageSearch, Routes } from '../../../client/src/platform/platform.ts'
import { platform } from './platform.ts'

export type { EventType, Webhook, WebhookAttempt, WebhookMessage } from '../../../client/src/platform/platform.ts'

export const webhooksKey = (project: string) => ['projects', project, 'webhooks']

export const webhooksQuery = (project: string) =>
  queryOptions({
    queryKey: webhooksKey(project),
    queryFn: ({ signal }) => platform.call('GET /projects/{project}/webhooks', { project, signal }),
  })

/** Newest first. */
export const messagesQuery = (project: string, webhook: string) =>
  infiniteQueryOptions({
    queryKey: [...webhooksKey(project), webhook, 'messages'],
    queryFn: ({ signal, pageParam: query }) =>
      platform.page('GET /projects/{project}/webhooks/{webhook}/messages', { project, webhook, query, signal }),
    initialPageParam: { limit: '25' } as PageSearch,
    getNextPageParam: (page) => page.next,
    // Deliveries are no changes that anybody makes: nobody tells of them.
    refetchInterval: ({ state: { data } }) =>
      data?.pages.some(({ items }) => items.some(({ state }) => state === 'waiting')) ? 2000 : 10_000,
  })

export const messageQuery = (project: string, webhook: string, message: string) =>
  queryOptions({
    queryKey: [...webhooksKey(project), webhook, 'messages', message],
    queryFn: ({ signal }) =>
      platform.call('GET /projects/{project}/webhooks/{webhook}/messages/{message}', {
        project,
        webhook,
        message,
        signal,
      }),
    refetchInterval: ({ state: { data } }) => (data?.state === 'waiting' ? 2000 : false),
  })

export const createWebhook = (project: string, body: Routes['POST /projects/{project}/webhooks']['body']) =>
  platform.call('POST /projects/{project}/webhooks', { project, body })

export const changeWebhook = (
  project: string,
  webhook: string,
  body: Routes['PATCH /projects/{project}/webhooks/{webhook}']['body'],
) => platform.call('PATCH /projects/{project}/webhooks/{webhook}', { project, webhook, body })

export const removeWebhook = (project: string, webhook: string) =>
  platform.call('DELETE /projects/{project}/webhooks/{webhook}', { project, webhook })

export const rotateWebhook = (project: string, webhook: string, overlapHours: number) =>
  platform.call('POST /projects/{project}/webhooks/{webhook}/rotate', { project, webhook, body: { overlapHours } })

export const testWebhook = (project: string, webhook: string) =>
  platform.call('POST /projects/{project}/webhooks/{webhook}/test', { project, webhook })

export const resendMessage = (project: string, webhook: string, message: string) =>
  platform.call('POST /projects/{project}/webhooks/{webhook}/messages/{message}/resend', { project, webhook, message })
