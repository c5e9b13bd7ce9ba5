import type { WatchedName } from '../../../features/certificates/watching/watch.ts'
import type { InstancesOf } from '../../../features/domains/view.ts'
import { ok, route } from '../../route.ts'

export interface PlatformNamesRouteNeeds {
  platformNames: { watched(): Promise<WatchedName[]> }
  domains: { instancesOf: InstancesOf }
}

/** What every instance really serves for the names of the platform itself. */
export function platformNameRoutes(needs: PlatformNamesRouteNeeds) {
  return [
    route({
      id: 'listPlatformNames',
      summary: 'List the names of the platform and what each instance serves for them',
      method: 'GET',
      path: '/operator/platform-names',
      role: 'operator',
      async handle() {
        const names = await needs.platformNames.watched()
        const views = names.map(async ({ hostname, visitName }) => {
          return { hostname, visitName, instances: await needs.domains.instancesOf(hostname) }
        })
        return ok(await Promise.all(views))
      },
    }),
  ]
}
