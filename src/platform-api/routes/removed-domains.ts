import { domainNameOf } from '../../features/domains/hostname-input.ts'
import { listDomainsOfProject, listRemovedDomains } from '../../features/domains/queries.ts'
import { type Clock, DAY_MS } from '../../platform/clock.ts'
import { iso } from '../../platform/iso-date.ts'
import type { RemovedDomainView } from '../views/removed-domain.ts'
import { ok, route } from '../route.ts'

/** After this long a record that was left behind is no news any more. */
const RECENT_MS = 30 * DAY_MS

/** What has left the list of domains, so that its DNS records are not forgotten. */
export function removedDomainRoutes({ clock }: { clock: Clock }) {
  return [
    route({
      id: 'listRemovedDomains',
      summary: 'List the domains that were removed lately',
      method: 'GET',
      path: '/projects/{project}/removed-domains',
      role: 'viewer',
      async handle({ storage, project: { projectId } }) {
        const [attached, removed] = await Promise.all([
          listDomainsOfProject(storage.read, projectId),
          listRemovedDomains(storage.read, projectId, clock.now() - RECENT_MS),
        ])
        const seen = new Set(attached.map(({ hostname }) => hostname))
        // Newest first: of a hostname that was removed more than once, the last time counts.
        const gone = removed.filter(({ hostname }) => !seen.has(hostname) && seen.add(hostname))
        return ok(
          gone.map(({ hostname, removed_at }): RemovedDomainView => {
            const removedAt = iso(removed_at as number)
            return { hostname, unicode: domainNameOf(hostname).unicode, removedAt }
          }),
        )
      },
    }),
  ]
}
