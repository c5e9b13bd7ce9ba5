import type { Lease } from '../../../platform/work/lease.ts'
import { certificateRiskAt } from '../../domains/lifecycle.ts'
import type { BudgetRequest, Urgency } from '../budget/budget.ts'
import type { CertificateRow, IssuanceRow } from '../queries.ts'
import { lifeMoments } from '../watching/life.ts'

/** One try for a certificate, with what it depends on. */
export interface Attempt {
  readonly lease: Lease
  /** A name of the platform itself, and no project's: then the operators hear of it. */
  readonly isPlatforms: boolean
  /** The newest certificate there is, good or not. */
  readonly predecessor: CertificateRow | undefined
  /** Failures in a row before this one. */
  readonly failures: number
  /** When the next one comes by itself, where a person has asked for this one; undefined for those. */
  readonly nextByItself: number | undefined
}

export function attemptOf(
  { lease, isPlatforms }: Pick<Attempt, 'lease' | 'isPlatforms'>,
  predecessor: CertificateRow | undefined,
  issuance: IssuanceRow | undefined,
  now: number,
): Attempt {
  const planned = issuance?.next_attempt_at ?? 0
  return {
    lease,
    isPlatforms,
    predecessor,
    failures: issuance?.failures ?? 0,
    nextByItself: planned > now ? planned : undefined,
  }
}

export const lifeOf = ({ not_before, not_after }: Pick<CertificateRow, 'not_before' | 'not_after'>) => ({
  notBefore: not_before,
  notAfter: not_after,
})

function urgencyOf(predecessor: CertificateRow | undefined, now: number): Urgency {
  if (predecessor === undefined) return 'new'
  // However late its authority has planned it: what is left is too little to be held back by us.
  return now >= certificateRiskAt(lifeOf(predecessor)) ? 'at_risk' : 'live'
}

/** What an order asks of the budget of an issuer; `replacesPem` is the certificate that the order may name. */
export function requestOf(
  hostname: string,
  { predecessor, nextByItself }: Pick<Attempt, 'predecessor' | 'nextByItself'>,
  { issuer, holder, now }: { issuer: string; holder: BudgetRequest['holder']; now: number },
): { request: BudgetRequest; replacesPem: string | undefined } {
  const isReplaceable = predecessor?.issuer === issuer && predecessor.not_after > now
  const request = {
    names: [hostname],
    replacing: isReplaceable,
    urgency: urgencyOf(predecessor, now),
    isExtra: nextByItself !== undefined,
    holder,
  }
  return { request, replacesPem: isReplaceable ? predecessor.chain : undefined }
}

/** Not later than when people must hear that the certificate runs out, or has ended. */
export function wakeBy(dueAt: number, predecessor: CertificateRow | undefined, now: number): number {
  if (predecessor === undefined) return dueAt
  const moments = [...lifeMoments(predecessor), predecessor.not_after].filter((at) => at > now)
  return Math.min(dueAt, ...moments)
}
