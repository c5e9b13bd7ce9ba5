import type { Config } from '../config.ts'
import { LookupCache } from '../edge/lookup-cache.ts'
import type { DomainSource } from '../edge/requests.ts'
import type { CertificateLookups } from '../features/certificates/serving.ts'
import { CERTIFICATES_TOPIC } from '../features/certificates/writes.ts'
import { type ServedDestination, servedDomains } from '../features/domains/serving.ts'
import { isWildcard } from '../features/domains/preparation/challenge-zone.ts'
import { DOMAINS_TOPIC, PROJECT_DOMAINS_TOPIC } from '../features/domains/topics.ts'
import type { Clock } from '../platform/clock.ts'
import type { ChangeFeed } from '../platform/storage/change-feed.ts'
import type { Storage } from '../platform/storage/storage.ts'

interface DomainSourceNeeds {
  storage: Storage
  clock: Clock
  changes: ChangeFeed
  certificates: Pick<CertificateLookups, 'hasCertificate'>
  config: Pick<Config, 'platformHost'>
  /** Signs links to try a domain. */
  trialSecret: string
}

const HOSTNAMES_KNOWN_MAX = 20_000

/** What the edge asks about custom domains, from memory until it is told of a change. */
export function domainSource(needs: DomainSourceNeeds): DomainSource {
  const { storage, clock, changes, certificates, config, trialSecret } = needs
  const served = servedDomains({ storage, clock, trialSecret, hasCertificate: certificates.hasCertificate })
  const destinations = new LookupCache<ServedDestination | undefined>({
    look: (hostname) => served.destinationOf(hostname),
    clock,
    entriesMax: HOSTNAMES_KNOWN_MAX,
  })
  const primaries = new LookupCache<string | undefined>({
    look: (projectId) => served.livePrimaryOf(Number(projectId)),
    clock,
    entriesMax: HOSTNAMES_KNOWN_MAX,
  })
  // What a wildcard stands for is not known by name, and wildcards change seldom.
  const forget = (hostname: string) => (isWildcard(hostname) ? destinations.clear() : destinations.drop(hostname))
  changes.on(DOMAINS_TOPIC, forget)
  changes.on(CERTIFICATES_TOPIC, forget)
  changes.on(PROJECT_DOMAINS_TOPIC, (projectId) => primaries.drop(projectId))
  changes.onGap(() => {
    destinations.clear()
    primaries.clear()
  })
  return {
    destinationOf: (hostname) => destinations.get(hostname),
    livePrimaryOf: (projectId) => primaries.get(String(projectId)),
    // Seldom enough to be looked up each time, as previews of deploys are.
    async trialOf(label) {
      const found = await served.trialOf(label)
      if (found?.kind !== 'redirect') return found
      const { toLabel, ...rest } = found
      return { ...rest, toHost: `${toLabel}.${config.platformHost}` }
    },
  }
}
