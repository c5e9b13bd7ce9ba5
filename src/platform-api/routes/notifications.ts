import { listNotifications, markNotificationsRead } from '../../features/domains/notifications/notifications.ts'
import type { Clock } from '../../platform/clock.ts'
import { integer, object } from '../../platform/schema.ts'
import type { AuditedStorage } from '../../platform/storage/storage.ts'
import { done, ok, route } from '../route.ts'

export interface NotificationsRouteNeeds {
  clock: Clock
  storage: AuditedStorage
}

export const ReadUpTo = object({
  upTo: integer({ minimum: 1, rule: 'must be the id of the newest one that was seen' }),
})

/** What the service has to tell the people of a project. */
export function notificationRoutes({ clock, storage }: NotificationsRouteNeeds) {
  return [
    route({
      id: 'listNotifications',
      summary: 'List the notifications',
      method: 'GET',
      path: '/projects/{project}/notifications',
      role: 'viewer',
      handle: async (call) => ok(await listNotifications(call, call.project.projectId, { limit: 30 })),
    }),
    route({
      id: 'readNotifications',
      summary: 'Mark notifications as read',
      method: 'POST',
      path: '/projects/{project}/notifications/read',
      role: 'viewer',
      whileSuspended: true,
      body: ReadUpTo,
      async handle({ project }, { upTo }) {
        // Having read something is no change that anybody would look for in the audit log.
        await storage.write(markNotificationsRead, { projectId: project.projectId, upTo, now: clock.now() })
        return done()
      },
    }),
  ]
}
