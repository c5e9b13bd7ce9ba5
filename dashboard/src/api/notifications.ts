import { queryOptions } from '@tanstack/react-query'
import { platform } from './platform.ts'

export type { Notification } from '../../../client/src/platform/platform.ts'

export const notificationsQuery = (project: string) =>
  queryOptions({
    queryKey: ['projects', project, 'notifications'],
    queryFn: ({ signal }) => platform.call('GET /projects/{project}/notifications', { project, signal }),
    staleTime: 30_000,
  })

export const markRead = (project: string, upTo: number) =>
  platform.call('POST /projects/{project}/notifications/read', { project, body: { upTo } })
