import { iso } from '../../platform/iso-date.ts'
import { domainNameOf } from './check.ts'
import { isContested } from './claims.ts'
import { type Diagnosis, diagnose } from './diagnosis/diagnose.ts'
import { type CheckView, type DomainDetails, type DomainView, domainView } from './view.ts'
import type { DomainCapabilities } from './domains.ts'
import type { DomainRow } from './facts.ts'
import { unpackEvidence } from './observation/packed-evidence.ts'
import { findDueTimes, findEvidence, findTargetLabel, listChecks } from './queries.ts'
import { adviseRecord } from './record.ts'
import type { CheckOutcome } from './tables.ts'

const CHECKS_SHOWN = 20

/** Everything about one domain: what to do, what was seen, what happens next. */
export async function details(capabilities: DomainCapabilities, row: DomainRow): Promise<DomainDetails> {
  const { storage } = capabilities
  const target = `${await findTargetLabel(storage.read, row.project_id)}.${capabilities.platformHost}`
  const contested = row.verified_at === null && (await isContested(storage.read, row.hostname, row.project_id))
  const [view, addresses, checks, newest] = await Promise.all([
    oneView(capabilities, row),
    capabilities.addressesOf(target),
    listChecks(storage.read, row.id, CHECKS_SHOWN),
    findEvidence(storage.read, row.id),
  ])
  const evidence = newest && unpackEvidence(newest.evidence)
  const diagnosis = evidence && diagnose(evidence.observation, evidence.expectation)
  return {
    ...view,
    record: adviseRecord(domainNameOf(row.hostname), { target, addresses, proofValue: contested ? row.proof : null }),
    lastCheck: newest && diagnosis ? lastCheck(newest, diagnosis) : null,
    checks: checks.map(checkView),
  }
}

export async function views(capabilities: DomainCapabilities, rows: readonly DomainRow[]): Promise<DomainView[]> {
  const { storage, clock } = capabilities
  const [certificates, dueTimes] = await Promise.all([
    capabilities.certificatesOf(rows.map(({ hostname }) => hostname)),
    findDueTimes(
      storage.read,
      rows.map(({ id }) => id),
    ),
  ])
  return rows.map((row) => domainView(row, certificates.get(row.hostname), dueTimes.get(row.id), clock.now()))
}

export async function oneView(capabilities: DomainCapabilities, row: DomainRow): Promise<DomainView> {
  return (await views(capabilities, [row]))[0] as DomainView
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
