import { listFailed, RANGE_NAMES, showRequests } from '../../../features/requests/requests.ts'
import type { Config } from '../../../config.ts'
import type { Clock } from '../../../platform/clock.ts'
import { ENVIRONMENTS } from '../../../platform/http/operation.ts'
import { object, oneOf, optional } from '../../../platform/schema.ts'
import { ok, route } from '../../route.ts'

export interface RequestsRouteNeeds {
  clock: Clock
  /** Adds what this process has counted in memory, so that a request shows up as soon as it has been answered. */
  flushRequests(): Promise<void>
  installation: Pick<Config, 'platformHost'>
}

const environment = optional(
  oneOf(ENVIRONMENTS, { default: 'production', description: 'Which environment was called.' }),
)
const range = optional(oneOf(RANGE_NAMES, { default: 'day', description: 'How far back.' }))

/** How a project's interface and site are doing, and why calls failed. */
export function requestRoutes({ clock, flushRequests, installation }: RequestsRouteNeeds) {
  /** The edge counts a subdomain of the platform by its slug, which has no dot. */
  const hostOf = (host: string) => (host.includes('.') ? host : `${host}.${installation.platformHost}`)

  return [
    route({
      id: 'getRequests',
      summary: 'Count the requests to the animals interface by key',
      method: 'GET',
      path: '/projects/{project}/requests',
      role: 'viewer',
      query: object({ environment, range }),
      async handle({ storage, project: { projectId }, query }) {
        const { environment: area = 'production', range: back = 'day' } = query
        await flushRequests()
        return ok(await showRequests(storage.read, { projectId, area, range: back, now: clock.now() }))
      },
    }),
    route({
      id: 'getTraffic',
      summary: 'Count the requests to the site by host',
      method: 'GET',
      path: '/projects/{project}/traffic',
      role: 'viewer',
      query: object({ range }),
      async handle({ storage, project: { projectId }, query: { range: back = 'day' } }) {
        await flushRequests()
        const shown = await showRequests(storage.read, { projectId, area: 'site', range: back, now: clock.now() })
        return ok({ ...shown, who: shown.who.map(({ who, ...of }) => ({ who: hostOf(who), ...of })) })
      },
    }),
    route({
      id: 'listFailedRequests',
      summary: 'List the requests that failed lately',
      method: 'GET',
      path: '/projects/{project}/failed-requests',
      role: 'viewer',
      query: object({ environment }),
      async handle({ storage, project: { projectId }, query }) {
        await flushRequests()
        return ok(await listFailed(storage.read, projectId, query.environment ?? 'production'))
      },
    }),
  ]
}
