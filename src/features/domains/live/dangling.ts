import type { Clock } from '../../../platform/clock.ts'
import { iso } from '../../../platform/iso-date.ts'
import { enterOrRefuse } from '../../../platform/share.ts'
import type { AuditedStorage } from '../../../platform/storage/storage.ts'
import type { DnsCheck } from '../dns-check.ts'
import { type DomainActor, requireDomain } from '../domains.ts'
import type { DomainRow } from '../facts.ts'
import { findServing, findTarget } from '../queries.ts'
import type { DomainShares } from '../observation/shares.ts'

interface DanglingNeeds {
  storage: AuditedStorage
  clock: Clock
  platformHost: string
  check: DnsCheck
  shares: DomainShares
}

export interface DanglingDns {
  hostname: string
  removedAt: string
  /** Null when DNS gave no clear answer. */
  pointsHere: boolean | null
  /** Whether whoever is led here is served all the same: for another project, or by a wildcard of this one. */
  isServed: boolean
  /** What the nameservers answer. */
  answers: { nameserver: string; answers: string[] }[]
  advice: string
}

/** After removal: whether DNS still leads here. A record that nobody needs any more shows visitors an error page. */
export async function findDangling(needs: DanglingNeeds, actor: DomainActor, hostname: string): Promise<DanglingDns> {
  const row = await requireDomain(needs, actor, hostname, { removedToo: true })
  const target = await findTarget(needs.storage.read, row.project_id, needs.platformHost)
  using _ = enterOrRefuse(needs.shares.live, row.project_id, 'Looks at removed domains')
  const { diagnosis } = await needs.check({ projectId: row.project_id, hostname: row.hostname, target })
  // One nameserver that still has the record is enough to send some visitors here.
  const isSomewhere = diagnosis.outcome === 'passed' || diagnosis.nameservers.some(({ isRight }) => isRight)
  const pointsHere = isSomewhere || (diagnosis.outcome === 'inconclusive' ? null : false)
  const served = await findServing(needs.storage.read, row.hostname)
  return {
    hostname: row.hostname,
    removedAt: iso(row.removed_at ?? needs.clock.now()),
    pointsHere,
    isServed: served !== undefined,
    answers: diagnosis.nameservers.map(({ nameserver, answers }) => ({ nameserver, answers })),
    advice: adviceFor(row, pointsHere, served),
  }
}

/** Whose project it is that serves the name now, nobody is told. */
function adviceFor(row: DomainRow, pointsHere: boolean | null, served: DomainRow | undefined): string {
  const { hostname } = row
  if (pointsHere === null) return `DNS gave no clear answer for ${hostname}. Look again in a while.`
  if (!pointsHere) return `${hostname} no longer leads ${served ? 'to this project' : 'here'}.`
  const still = `The DNS record of ${hostname} still leads here, where`
  if (!served) return `${still} nothing is served for it any more: delete it.`
  if (served.project_id === row.project_id) return `${still} ${served.hostname} serves it: leave the record.`
  return `${still} it is served for another project. If that is yours, leave the record; if not, delete it.`
}
