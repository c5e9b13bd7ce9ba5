import { listFailed, type Range, RANGE_NAMES, showRequests } from '../../../features/requests/requests.ts'
import type { Config } from '../../../config.ts'
import type { Clock } from '../../../platform/clock.ts'
import { ENVIRONMENTS, type Environment } from '../../../platform/http/operation.ts'
import { readQuery } from '../../../platform/http/query-string.ts'
import { validator } from '../../../platform/http/validator.ts'
import { object, oneOf, optional } from '../../../platform/schema.ts'
import { ok, route } from '../../route.ts'

export interface RequestsRouteNeeds {
  clock: Clock
  /** Adds what this process has counted in memory, so that a request shows up as soon as it has been answered. */
  flushRequests(): Promise<void>
  installation: Pick<Config, 'platformHost'>
}

const RangeQuery = object({
  environment: optional(oneOf(ENVIRONMENTS)),
  range: optional(oneOf(RANGE_NAMES)),
})

/** How a project's interface and site are doing, and why calls failed. */
export function requestRoutes({ clock, flushRequests, installation }: RequestsRouteNeeds) {
  const validate = validator(RangeQuery, 'The query is not valid')
  const read = (url: string): { environment: Environment; range: Range } => {
    const { environment = 'production', range = 'day' } = validate(readQuery(url, ['environment', 'range']))
    return { environment, range }
  }

  /** The edge counts a subdomain of the platform by its slug, which has no dot. */
  const hostOf = (host: string) => (host.includes('.') ? host : `${host}.${installation.platformHost}`)

  return [
    route({
      id: 'getRequests',
      method: 'GET',
      path: '/projects/{project}/requests',
      role: 'viewer',
      async handle({ storage, project: { projectId }, url }) {
        const { environment: area, range } = read(url)
        await flushRequests()
        return ok(await showRequests(storage.read, { projectId, area, range, now: clock.now() }))
      },
    }),
    route({
      id: 'getTraffic',
      method: 'GET',
      path: '/projects/{project}/traffic',
      role: 'viewer',
      async handle({ storage, project: { projectId }, url }) {
        const { range } = read(url)
        await flushRequests()
        const shown = await showRequests(storage.read, { projectId, area: 'site', range, now: clock.now() })
        return ok({ ...shown, who: shown.who.map(({ who, ...of }) => ({ who: hostOf(who), ...of })) })
      },
    }),
    route({
      id: 'listFailedRequests',
      method: 'GET',
      path: '/projects/{project}/failed-requests',
      role: 'viewer',
      async handle({ storage, project: { projectId }, url }) {
        await flushRequests()
        return ok(await listFailed(storage.read, projectId, read(url).environment))
      },
    }),
  ]
}
