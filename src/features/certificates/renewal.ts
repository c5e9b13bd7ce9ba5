import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../platform/clock.ts'
import type { IssuanceProblem, RenewalWindow } from './issuer.ts'

interface Validity {
  readonly notBefore: number
  readonly notAfter: number
}

/** `advised`: the CA's window. `share_of_life`: our own rule. `last_chance`: the CA's window would come too late. */
type RenewalReason = 'advised' | 'share_of_life' | 'last_chance'

interface RenewalPlan {
  /** Due when this is past, which may already be so. */
  readonly renewAt: number
  readonly reason: RenewalReason
}

const SHORT_LIFE_MS = 10 * DAY_MS
/** However the CA advises, no certificate gets older than this. */
const LAST_CHANCE_SHARE = 1 / 20
/** Certificates that were issued together are renewed over a twentieth of their life. */
const SPREAD_SHARE = 1 / 20

/**
 * When to renew. The CA's window (ARI, RFC 9773) decides, at a random moment of it; a window that makes no sense for
 * this certificate counts as none: reversed, over before the certificate began, or so late that little life is left.
 * Otherwise a third of the life is left, or half of it when the life is under ten days.
 *
 * Ask once and store the answer, or the moment moves with every call. `random` gives numbers from 0 up to 1.
 */
export function planRenewal(validity: Validity, window: RenewalWindow | undefined, random: () => number): RenewalPlan {
  const lifeMs = validity.notAfter - validity.notBefore
  const lastChanceAt = validity.notAfter - lifeMs * LAST_CHANCE_SHARE
  if (window && isSensible(window, validity, lastChanceAt)) {
    const renewAt = window.startAt + random() * (window.endAt - window.startAt)
    if (renewAt <= lastChanceAt) return { renewAt: Math.floor(renewAt), reason: 'advised' }
    return { renewAt: Math.floor(lastChanceAt), reason: 'last_chance' }
  }
  const shareLeft = lifeMs < SHORT_LIFE_MS ? 1 / 2 : 1 / 3
  const renewAt = validity.notAfter - lifeMs * shareLeft + random() * lifeMs * SPREAD_SHARE
  return { renewAt: Math.floor(renewAt), reason: 'share_of_life' }
}

const isSensible = ({ startAt, endAt }: RenewalWindow, { notBefore }: Validity, lastChanceAt: number) =>
  Number.isFinite(startAt) && Number.isFinite(endAt) && startAt < endAt && endAt > notBefore && startAt < lastChanceAt

/**
 * When to renew a certificate that came at `issuedAt`: as planned, but not before a twentieth of its life has passed,
 * or a day, or half of what is left. An authority that advises the past, whose clock is behind, or that hands out
 * certificates with little life left would otherwise be asked for the next one at once, and so for ever.
 */
export function renewalAt(
  validity: Validity,
  window: RenewalWindow | undefined,
  issuedAt: number,
  random: () => number,
): number {
  const { notBefore, notAfter } = validity
  const restMs = Math.max(MINUTE_MS, Math.min((notAfter - notBefore) / 20, DAY_MS, (notAfter - issuedAt) / 2))
  return Math.max(planRenewal(validity, window, random).renewAt, Math.floor(issuedAt + restMs))
}

/** Let's Encrypt's integration guide begins so; then, as at Cloudflare, nobody waits for more than 4 hours. */
const RETRY_DELAYS_MS = [MINUTE_MS, 10 * MINUTE_MS, 100 * MINUTE_MS] as const
const RETRY_SPREAD_SHARE = 1 / 10
const RETRY_DELAY_LAST_MS = (4 * HOUR_MS) / (1 + RETRY_SPREAD_SHARE)
/** Four attempts still fit into what is left of the certificate that is served. */
const RETRY_SHARE_OF_LIFE_LEFT = 1 / 4
/** The longest limit of a CA runs a week: a longer `Retry-After` is a fault, and would park a domain for good. */
const RETRY_AFTER_MAX_MS = 8 * DAY_MS

interface FailedAttempt extends Pick<IssuanceProblem, 'retryAfterMs'> {
  now: number
  /** In a row, 1 or more. */
  failures: number
  /** When the certificate that is served ends. */
  endsAt?: number | undefined
}

/**
 * When to try again, up to a tenth later so that failures which came together part ways. What the CA asked for is
 * kept.
 */
export function nextAttemptAt({ now, failures, retryAfterMs, endsAt }: FailedAttempt, random: () => number): number {
  const leftMs = endsAt === undefined || endsAt <= now ? Infinity : endsAt - now
  const pauseMs = RETRY_DELAYS_MS[failures - 1] ?? RETRY_DELAY_LAST_MS
  const delayMs = Math.min(pauseMs, Math.max(MINUTE_MS, leftMs * RETRY_SHARE_OF_LIFE_LEFT))
  const spreadMs = delayMs * RETRY_SPREAD_SHARE * random()
  return now + Math.ceil(Math.max(delayMs, keptRetryAfterMs(retryAfterMs)) + spreadMs)
}

export const keptRetryAfterMs = (retryAfterMs: number | null) => Math.min(retryAfterMs ?? 0, RETRY_AFTER_MAX_MS)
