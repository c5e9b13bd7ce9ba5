import { MINUTE_MS } from '../../../platform/clock.ts'
import type { BudgetAnswer } from './budget.ts'
import { type CaLimits, limitOf } from './limits.ts'

/** What decides how soon an order that does not fit into the budget asks again. */
export interface Turn {
  /** Since when the certificate has been wanted. */
  readonly since: number
  /** When the certificate that is to be replaced ends; undefined when there is none. */
  readonly endsAt: number | undefined
  /** From when on that certificate is at risk, and no budget of ours holds its successor back. */
  readonly riskAt: number | undefined
  /** From 0 up to 1: where in the stretch this one asks. */
  readonly share: number
}

/** Short waits are not made longer than this for the sake of spreading. */
const STRETCH_MIN_MS = 5 * MINUTE_MS
const SHARE_OF_LIFE_LEFT = 1 / 20

/**
 * When to ask again, once the budget has said no. All who wait are told the same moment, at which there will be room
 * for one: they come after it, over a stretch as long as they have waited already. So a few who wait are done within
 * minutes, and of ten thousand hardly more than one a second asks. No stretch is longer than the window of the limit,
 * and the nearer the end of the certificate that is served, the sooner its successor asks: at the latest when that
 * certificate is at risk.
 */
export function nextTurnAt(
  refusal: Extract<BudgetAnswer, { allowed: false }>,
  limits: CaLimits,
  { since, endsAt, riskAt, share }: Turn,
  now: number,
): number {
  const { burst, windowMs } = limitOf(limits, refusal.decidedBy.limit) ?? { burst: 1, windowMs: STRETCH_MIN_MS }
  const shortest = Math.max(STRETCH_MIN_MS, windowMs / burst)
  const byWait = Math.max(shortest, Math.min(now - since, windowMs))
  const byEnd = endsAt === undefined ? Infinity : Math.max(0, endsAt - refusal.at) * SHARE_OF_LIFE_LEFT
  const at = Math.floor(refusal.at + share * Math.min(byWait, byEnd))
  return riskAt !== undefined && riskAt > now ? Math.min(at, riskAt) : at
}
