import { queryOptions } from '@tanstack/react-query'
import type { NotificationView } from '../../../src/features/domains/notifications/notifications.ts'
import { pathOf } from './projects.ts'
import { request } from './request.ts'

export type { NotificationView }

export const notificationsQuery = (slug: string) =>
  queryOptions({
    queryKey: ['projects', slug, 'notifications'],
    queryFn: ({ signal }) =>
      request<{ unread: number; notifications: NotificationView[] }>(`${pathOf(slug)}/notifications`, { signal }),
    staleTime: 30_000,
  })

export const markRead = (slug: string, upTo: number) =>
  request<void>(`${pathOf(slug)}/notifications/read`, { method: 'POST', body: { upTo } })
