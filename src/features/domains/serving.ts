import type { Clock } from '../../platform/clock.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import { findDomainById, findServing, listDomainsOfProject } from './queries.ts'
import { isWildcard } from './preparation/challenge-zone.ts'
import type { RedirectStatus } from './redirects.ts'
import { readTrialLabel, trialLabel } from './switch/trial-link.ts'

/** What an attached domain does. `secured` means that it has a certificate that is good now. */
export type ServedDestination =
  | { kind: 'site'; projectId: number; secured: boolean; hstsSeconds: number | undefined }
  | { kind: 'redirect'; to: { hostname: string; secured: boolean }; status: RedirectStatus }

/** What a domain will do once DNS leads here; a redirect goes on to the trial of where it leads. */
type TrialDestination = { hostname: string } & (
  | { kind: 'site'; projectId: number }
  | { kind: 'redirect'; status: RedirectStatus; toLabel: string }
)

interface ServedDomains {
  /** Undefined for a hostname that nobody has verified. */
  destinationOf(hostname: string): Promise<ServedDestination | undefined>
  /** The primary domain of a project while it leads here over HTTPS: its platform subdomain then leads there. */
  livePrimaryOf(projectId: number): Promise<string | undefined>
  /** For a link to try a domain; undefined when it was not made here, is over, or its domain is gone. */
  trialOf(label: string): Promise<TrialDestination | undefined>
}

/** What the edge asks about domains. */
export function servedDomains({
  storage,
  clock,
  trialSecret,
  hasCertificate,
}: {
  storage: Storage
  clock: Pick<Clock, 'now'>
  trialSecret: string
  hasCertificate: (hostname: string) => Promise<boolean>
}): ServedDomains {
  return {
    async destinationOf(hostname) {
      const domain = await findServing(storage.read, hostname)
      if (!domain) return undefined
      const { project_id: projectId, hsts_seconds } = domain
      const site = async () => {
        const secured = await hasCertificate(domain.hostname)
        return { kind: 'site' as const, projectId, hstsSeconds: hsts_seconds ?? undefined, secured }
      }
      if (domain.redirect_to === null || isWildcard(domain.hostname)) return site()
      const to = await firstServed(storage, projectId, domain.redirect_to)
      // Before the primary is verified a redirect would lead nowhere, and the site is the better answer.
      if (to === undefined) return site()
      const status = domain.redirect_status as RedirectStatus
      return { kind: 'redirect', to: { hostname: to, secured: await hasCertificate(to) }, status }
    },

    async livePrimaryOf(projectId) {
      const rows = await listDomainsOfProject(storage.read, projectId)
      const primary = rows.find((row) => row.redirect_to === null && !isWildcard(row.hostname))
      // By the last clear look: DNS that does not answer changes nothing, and a record that leads elsewhere leaves this
      // as the one address that works. Nobody keeps these redirects, so each turn counts at once.
      const leadsHere = primary && primary.verified_at !== null && primary.failing_since === null
      return leadsHere && (await hasCertificate(primary.hostname)) ? primary.hostname : undefined
    },

    async trialOf(label) {
      const trial = readTrialLabel(trialSecret, label, clock.now())
      const domain = trial && (await findDomainById(storage.read, trial.domainId))
      if (!trial || !domain || domain.removed_at !== null) return undefined
      const { hostname, project_id: projectId, redirect_to, redirect_status } = domain
      const rows = redirect_to === null ? [] : await listDomainsOfProject(storage.read, projectId)
      const to = rows.find((row) => row.hostname === redirect_to)
      if (!to) return { kind: 'site', hostname, projectId }
      const toLabel = trialLabel(trialSecret, to.id, trial.endsAt)
      return { kind: 'redirect', hostname, status: redirect_status as RedirectStatus, toLabel }
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
