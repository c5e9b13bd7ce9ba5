import type { Clock } from '../../platform/clock.ts'
import type { AuditedStorage, Storage } from '../../platform/storage/storage.ts'
import type { Lease } from '../../platform/work/lease.ts'
import { ABORTED, orAborted } from '../../platform/work/or-aborted.ts'
import { postpone } from '../../platform/work/runner.ts'
import type { DnsCheck } from './dns-check.ts'
import { expireClaim, recordCheck } from './check-writes.ts'
import { isContested, newProof } from './claims.ts'
import { claimEndsAt, type DomainRow, factsOf } from './facts.ts'
import { packEvidence } from './observation/evidence.ts'
import type { Problem } from './diagnosis/problem.ts'
import { findDomainById, findTarget } from './queries.ts'

interface ReconcileNeeds {
  storage: Storage
  /** Writes in the service's own name, with audit entries. */
  audited: AuditedStorage
  clock: Clock
  check: DnsCheck
  platformHost: string
}

/** One look at one domain: check its DNS and keep what follows from it, or end a claim that was never completed. */
export async function reconcileDomain(needs: ReconcileNeeds, lease: Lease, signal: AbortSignal): Promise<void> {
  const { storage, audited, clock } = needs
  const row = await findDomainById(storage.read, lease.subject)
  if (!row || isOver(row, clock.now())) return void (await audited.write(expireClaim, { lease, now: clock.now() }))
  const endsAt = claimEndsAt(factsOf(row))
  if (endsAt !== undefined && row.recheck_from === null) {
    await storage.write(postpone, { lease, dueAt: endsAt, failures: 0 })
    return
  }
  await checkDomain(needs, lease, row, signal)
}

function isOver(row: DomainRow, now: number): boolean {
  const endsAt = claimEndsAt(factsOf(row))
  return row.removed_at !== null || (endsAt !== undefined && endsAt <= now)
}

async function checkDomain(
  { storage, audited, clock, check, platformHost }: ReconcileNeeds,
  lease: Lease,
  row: DomainRow,
  signal: AbortSignal,
): Promise<void> {
  const target = await findTarget(storage.read, row.project_id, platformHost)
  // Once verified, the proof has done its work and its record may go.
  const proofAsked = row.verified_at === null && (await isContested(storage.read, row.hostname, row.project_id))
  const { hostname } = row
  const checked = await orAborted(check({ hostname, target, proof: proofAsked ? row.proof : undefined }), signal)
  if (checked === ABORTED) {
    await storage.write(postpone, { lease, dueAt: lease.dueAt, failures: lease.failures })
    return
  }
  const { outcome, problems } = checked.diagnosis
  await audited.write(recordCheck, {
    lease,
    hostname,
    outcome,
    problems: problems.map(({ code }) => code),
    trouble: problems.find(isBlocking),
    proofAsked,
    trigger: row.requested_at === null ? 'automatic' : 'verify',
    evidence: await packEvidence(checked.evidence),
    proofForLoser: newProof(),
    now: clock.now(),
  })
}

const isBlocking = ({ severity, affects }: Problem) => severity === 'blocking' && affects === 'verification'
