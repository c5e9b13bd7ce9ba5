import type { Clock } from '../../platform/clock.ts'
import type { AuditedStorage, Storage } from '../../platform/storage/storage.ts'
import type { Lease } from '../../platform/work/lease.ts'
import { ABORTED, orAborted } from '../../platform/work/or-aborted.ts'
import { postpone } from '../../platform/work/runner.ts'
import { checkSubjectOf, type DnsCheck } from './dns-check.ts'
import type { WatchMove } from './switch/move-writes.ts'
import { expireClaim, recordCheck, recordLook } from './check-writes.ts'
import { type Look, newProof, type ProofNeed, rivalsOf } from './claims.ts'
import { claimEndsAt, type DomainRow, factsOf } from './facts.ts'
import type { Problem } from './diagnosis/problem.ts'
import { findDomainById } from './queries.ts'
import type { DomainShares } from './observation/shares.ts'
import type { CertificatesOf } from './view.ts'

interface ReconcileNeeds {
  storage: Storage
  /** Writes in the service's own name, with audit entries. */
  audited: AuditedStorage
  clock: Clock
  check: DnsCheck
  certificatesOf: CertificatesOf
  shares: Pick<DomainShares, 'questions'>
  platformHost: string
  watchMove: WatchMove
}

type LookedAt = Awaited<ReturnType<DnsCheck>> & { look: Look; proofAsked: ProofNeed }

/** One look at one domain: check its DNS and keep what follows from it, or end a claim that was never completed. */
export async function reconcileDomain(needs: ReconcileNeeds, lease: Lease, signal: AbortSignal): Promise<void> {
  const { storage, audited, clock } = needs
  const row = await findDomainById(storage.read, lease.subject)
  if (!row || isOver(row, clock.now())) return void (await audited.write(expireClaim, { lease, now: clock.now() }))
  const endsAt = claimEndsAt(factsOf(row))
  const place = needs.shares.questions.enter(row.project_id, 0)
  if (!place.ok) {
    // The places of this runner are everybody's: whoever has used its share waits outside.
    await storage.write(postpone, { lease, dueAt: clock.now() + place.retryAfterMs, failures: lease.failures })
    return
  }
  using _ = place
  const looked = await lookAtDomain(needs, row, signal)
  if (looked === ABORTED) {
    await storage.write(postpone, { lease, dueAt: lease.dueAt, failures: lease.failures })
  } else if (endsAt !== undefined && row.recheck_from === null) {
    await storage.write(recordLook, { lease, hostname: row.hostname, look: looked.look, now: clock.now() })
  } else {
    await keepCheck(needs, lease, row, looked)
  }
}

function isOver(row: DomainRow, now: number): boolean {
  const endsAt = claimEndsAt(factsOf(row))
  return row.removed_at !== null || (endsAt !== undefined && endsAt <= now)
}

async function lookAtDomain(
  { storage, clock, check, platformHost, watchMove }: ReconcileNeeds,
  row: DomainRow,
  signal: AbortSignal,
): Promise<LookedAt | typeof ABORTED> {
  const { subject, proofAsked } = await checkSubjectOf(storage.read, row, platformHost)
  const rivals = await rivalsOf(storage.read, row.hostname, row.project_id)
  const startedAt = clock.now()
  const checked = await orAborted(check(subject), signal)
  if (checked === ABORTED) return ABORTED
  const { lead, ownZone, nameservers } = checked.diagnosis
  await watchMove(row, nameservers)
  return { ...checked, proofAsked, look: { startedAt, lead, ownZone, rivals } }
}

async function keepCheck(
  needs: ReconcileNeeds,
  lease: Lease,
  row: DomainRow,
  { diagnosis: { outcome, problems }, packed, look, proofAsked }: LookedAt,
): Promise<void> {
  const { audited, clock } = needs
  const verifies = outcome === 'passed' && row.verified_at === null
  await audited.write(recordCheck, {
    lease,
    hostname: row.hostname,
    outcome,
    problems: problems.map(({ code }) => code),
    trouble: problems.find(isBlocking),
    certificate: verifies ? await certificateThere(needs, row) : undefined,
    look,
    proofAsked,
    requestedAt: row.requested_at,
    evidence: packed,
    proofForLoser: newProof(),
    now: clock.now(),
  })
}

async function certificateThere({ certificatesOf }: ReconcileNeeds, { hostname }: DomainRow) {
  const certificate = (await certificatesOf([hostname])).get(hostname)?.certificate
  return certificate ? { issuer: certificate.issuer, notAfter: Date.parse(certificate.notAfter) } : undefined
}

const isBlocking = ({ severity, affects }: Problem) => severity === 'blocking' && affects === 'verification'
