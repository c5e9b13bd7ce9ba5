import type { Clock } from '../../../platform/clock.ts'
import { iso } from '../../../platform/iso-date.ts'
import { enterOrRefuse } from '../../../platform/share.ts'
import type { AuditedStorage } from '../../../platform/storage/storage.ts'
import type { DnsCheck } from '../dns-check.ts'
import { type DomainActor, requireDomain } from '../domains.ts'
import { findTarget } from '../queries.ts'
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
  /** What the nameservers answer. */
  answers: { nameserver: string; answers: string[] }[]
  advice: string
}

/** After removal: whether DNS still leads here. A record that is left behind shows visitors an error page. */
export async function findDangling(needs: DanglingNeeds, actor: DomainActor, hostname: string): Promise<DanglingDns> {
  const row = await requireDomain(needs, actor, hostname, { removedToo: true })
  const target = await findTarget(needs.storage.read, row.project_id, needs.platformHost)
  using _ = enterOrRefuse(needs.shares.live, row.project_id, 'Looks at removed domains')
  const { diagnosis } = await needs.check({ projectId: row.project_id, hostname: row.hostname, target })
  // One nameserver that still has the record is enough to send some visitors here.
  const isSomewhere = diagnosis.outcome === 'passed' || diagnosis.nameservers.some(({ isRight }) => isRight)
  const pointsHere = isSomewhere || (diagnosis.outcome === 'inconclusive' ? null : false)
  return {
    hostname: row.hostname,
    removedAt: iso(row.removed_at ?? needs.clock.now()),
    pointsHere,
    answers: diagnosis.nameservers.map(({ nameserver, answers }) => ({ nameserver, answers })),
    advice: pointsHere
      ? `The DNS record of ${row.hostname} still leads here, where nothing is served for it any more: delete it.`
      : pointsHere === null
        ? `DNS gave no clear answer for ${row.hostname}. Look again in a while.`
        : `${row.hostname} no longer leads here.`,
  }
}
