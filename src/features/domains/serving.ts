import type { Storage } from '../../platform/storage/storage.ts'
import { findServedDomain, listDomainsOfProject } from './queries.ts'
import type { RedirectStatus } from './redirects.ts'

/** What an attached domain does. `secured` means that it has a certificate that is good now. */
export type ServedDestination =
  | { kind: 'site'; projectId: number; secured: boolean; hstsSeconds: number | undefined }
  | { kind: 'redirect'; to: { hostname: string; secured: boolean }; status: RedirectStatus }

interface ServedDomains {
  /** Undefined for a hostname that nobody has verified. */
  destinationOf(hostname: string): Promise<ServedDestination | undefined>
  /** The primary domain of a project once it is live, which is where its platform subdomain then leads. */
  livePrimaryOf(projectId: number): Promise<string | undefined>
}

/** What the edge asks about domains. */
export function servedDomains({
  storage,
  hasCertificate,
}: {
  storage: Storage
  hasCertificate: (hostname: string) => Promise<boolean>
}): ServedDomains {
  return {
    async destinationOf(hostname) {
      const [domain] = await findServedDomain(storage.read, { hostname })
      if (!domain) return undefined
      const { project_id: projectId, hsts_seconds } = domain
      const site = async () => {
        const secured = await hasCertificate(hostname)
        return { kind: 'site' as const, projectId, hstsSeconds: hsts_seconds ?? undefined, secured }
      }
      if (domain.redirect_to === null) return site()
      const to = await firstServed(storage, projectId, domain.redirect_to)
      // Before the primary is verified a redirect would lead nowhere, and the site is the better answer.
      if (to === undefined) return site()
      const status = domain.redirect_status as RedirectStatus
      return { kind: 'redirect', to: { hostname: to, secured: await hasCertificate(to) }, status }
    },

    async livePrimaryOf(projectId) {
      const rows = await listDomainsOfProject(storage.read, projectId)
      const primary = rows.find((row) => row.redirect_to === null && row.verified_at !== null)
      return primary && (await hasCertificate(primary.hostname)) ? primary.hostname : undefined
    },
  }
}

/** The first stop of a chain of redirects that is served itself. */
async function firstServed(storage: Storage, projectId: number, hostname: string): Promise<string | undefined> {
  const rows = await listDomainsOfProject(storage.read, projectId)
  let stop: string | undefined = hostname
  for (let hops = 0; stop !== undefined && hops < rows.length; hops++) {
    const row = rows.find((each) => each.hostname === stop)
    if (!row) return undefined
    if (row.verified_at !== null) return row.hostname
    stop = row.redirect_to ?? undefined
  }
  return undefined
}
