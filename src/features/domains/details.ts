import type { Clock } from '../../platform/clock.ts'
import { iso } from '../../platform/iso-date.ts'
import type { AuditedStorage } from '../../platform/storage/storage.ts'
import { findDueTimes } from '../../platform/work/lease.ts'
import { proofNeedOf } from './claims.ts'
import type { Diagnosis } from './diagnosis/diagnose.ts'
import { type DomainRow, nameOfRow, stageOf } from './facts.ts'
import { type ChallengeZone, hasChallengeName } from './preparation/challenge-zone.ts'
import type { AddressesOf } from './observation/addresses.ts'
import type { Lookups } from './observation/lookups.ts'
import { CHECK_QUEUE, findEvidence, findTarget, listChecks } from './queries.ts'
import { adviseRecord } from './record.ts'
import { findSwitches } from './switch/move-writes.ts'
import type { CheckOutcome } from './tables.ts'
import {
  type CertificatesOf,
  type CheckView,
  type DomainDetails,
  type DomainView,
  domainView,
  type InstancesOf,
} from './view.ts'

export interface DomainViewNeeds {
  storage: AuditedStorage
  clock: Clock
  certificatesOf: CertificatesOf
}

export interface DomainDetailsNeeds extends DomainViewNeeds {
  platformHost: string
  /** Undefined where no certificate can be had before a domain leads here. */
  challengeZone: Pick<ChallengeZone, 'nameFor'> | undefined
  /** The edge's public addresses, for apex domains whose provider has no ALIAS. */
  addressesOf: AddressesOf
  diagnosisOf: Lookups['diagnosisOf']
  instancesOf: InstancesOf
}

const CHECKS_SHOWN = 20

/** Everything about one domain: what to do, what was seen, what happens next. */
export async function loadDomainDetails(needs: DomainDetailsNeeds, row: DomainRow): Promise<DomainDetails> {
  const { read } = needs.storage
  const target = await findTarget(read, row.project_id, needs.platformHost)
  const proofNeed = await proofNeedOf(read, row)
  const isServed = (row.verified_at !== null || row.proved_at !== null) && row.removed_at === null
  const [view, addresses, checks, newest, instances] = await Promise.all([
    loadDomainView(needs, row),
    needs.addressesOf(target),
    listChecks(read, row.id, CHECKS_SHOWN),
    findEvidence(read, row.id),
    // What is served for another project's claim of the name is not for this one's eyes.
    isServed ? needs.instancesOf(row.hostname) : [],
  ])
  const diagnosis = newest && (await needs.diagnosisOf(newest.evidence))
  const name = nameOfRow(row)
  const mayLeadByAddress = row.own_zone === null ? name.kind === 'apex' : row.own_zone === 1
  const isProofNeeded = proofNeed === 'always' || (proofNeed === 'address' && mayLeadByAddress)
  const isPreparing = stageOf(row) === 'preparing'
  const need = isProofNeeded && !isPreparing ? proofNeed : 'preparation'
  const isDelegable = needs.challengeZone && hasChallengeName(row.hostname)
  return {
    ...view,
    record: adviseRecord(name, {
      target,
      addresses,
      proof: isProofNeeded || isPreparing ? { value: row.proof, need } : undefined,
      challengeTarget: isDelegable
        ? needs.challengeZone?.nameFor({ hostname: row.hostname, projectId: row.project_id })
        : undefined,
    }),
    lastCheck: newest && diagnosis ? lastCheck(newest, diagnosis) : null,
    checks: checks.map(checkView),
    instances,
  }
}

export async function loadDomainViews(needs: DomainViewNeeds, rows: readonly DomainRow[]): Promise<DomainView[]> {
  const { storage, clock, certificatesOf } = needs
  const ids = rows.map(({ id }) => id)
  const [certificates, dueTimes, switches] = await Promise.all([
    certificatesOf(rows.map(({ hostname }) => hostname)),
    findDueTimes(storage.read, CHECK_QUEUE, ids),
    findSwitches(storage.read, ids),
  ])
  return rows.map((row) =>
    domainView(row, certificates.get(row.hostname), dueTimes.get(row.id), clock.now(), switches.get(row.id)),
  )
}

export async function loadDomainView(needs: DomainViewNeeds, row: DomainRow): Promise<DomainView> {
  return (await loadDomainViews(needs, [row]))[0] as DomainView
}

const lastCheck = ({ last_at, outcome }: { last_at: number; outcome: CheckOutcome }, diagnosis: Diagnosis) => ({
  at: iso(last_at),
  outcome,
  problems: diagnosis.problems,
  nameservers: diagnosis.nameservers,
})

function checkView(row: Awaited<ReturnType<typeof listChecks>>[number]): CheckView {
  const { id, outcome, trigger, times, first_at, last_at } = row
  const problems = JSON.parse(row.problems) as string[]
  return { id, outcome, problems, trigger, firstAt: iso(first_at), lastAt: iso(last_at), times }
}
