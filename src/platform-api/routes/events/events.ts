import { requireAccess } from '../../../features/accounts/members.ts'
import { whoIs } from '../../../features/accounts/sessions.ts'
import type { Clock } from '../../../platform/clock.ts'
import type { EventStreams } from '../../event-streams.ts'
import { route } from '../../route.ts'

export interface EventsRouteNeeds {
  clock: Clock
  streams: Pick<EventStreams, 'open' | 'requireRoom'>
}

/** What has changed in a project, for its pages, for as long as somebody looks at them. */
export function eventRoutes(needs: EventsRouteNeeds) {
  return [
    route({
      id: 'watchProject',
      summary: 'Follow what changes in a project',
      description: 'Server-sent events named `change`, whose data are the nouns of what has changed.',
      events: true,
      errors: ['conflict'],
      method: 'GET',
      path: '/projects/{project}/events',
      role: 'viewer',
      async handle({ storage, who, visitor, project: { projectId, slug } }) {
        const { clock, streams } = needs
        streams.requireRoom(who.id)
        const mayStay = async () => {
          const now = await whoIs({ storage, clock }, visitor.sessionToken)
          if (now?.sessionId !== who.sessionId) return false
          return (await requireAccess({ storage }, now, slug, 'viewer')).projectId === projectId
        }
        return {
          status: 200,
          headers: { 'Content-Type': 'text/event-stream', 'X-Accel-Buffering': 'no' },
          stream: (response) => streams.open({ projectId, accountId: who.id, mayStay }, response),
        }
      },
    }),
  ]
}
