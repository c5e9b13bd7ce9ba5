import { HOUR_MS, MINUTE_MS } from '../../../platform/clock.ts'
import type { CaLimits } from '../budget/limits.ts'
import { INTERNAL_CA_ID, type IssuanceProblem, type IssuanceProblemCode, type Issuer } from '../issuer.ts'

/** Somebody who issues, with what it allows. */
export interface Authority {
  readonly issuer: Issuer
  /** Undefined where it has none. */
  readonly limits: CaLimits | undefined
}

/** How an authority stands to one name. */
export interface Standing {
  /** Until then it asked to be left alone about the name. */
  readonly retryAt: number | undefined
  /** Until then others are asked before it; 0 when it does not rest. */
  readonly restsUntil: number
}

/** Whom to ask for a certificate, in this order; nobody who wants to be left alone. */
export function inTurn<Asked extends Authority>(
  authorities: readonly Asked[],
  standings: ReadonlyMap<string, Standing>,
): Asked[] {
  const restsUntil = ({ issuer }: Authority) => standings.get(issuer.id)?.restsUntil ?? 0
  return authorities
    .filter(({ issuer }) => standings.get(issuer.id)?.retryAt === undefined)
    .toSorted((a, b) => restsUntil(a) - restsUntil(b))
}

/** What is no fault of the name's owner: another authority may do better. */
const FAULTS: Readonly<Partial<Record<IssuanceProblemCode, 'of the authority' | 'about the name'>>> = {
  ca_unavailable: 'of the authority',
  ca_misbehaves: 'of the authority',
  operator_needed: 'of the authority',
  // A limit may be the account's or the name's, and does not say which.
  rate_limited: 'about the name',
  name_refused: 'about the name',
  rejected: 'about the name',
  order_stuck: 'about the name',
  order_expired: 'about the name',
  order_lost: 'about the name',
  certificate_refused: 'about the name',
}

/** An authority that failed is asked again after this, by whichever order comes next. */
const REST_MS = 10 * MINUTE_MS
const REST_MAX_MS = HOUR_MS

/** For which name others come first from now on, every one where it is undefined, and until when. */
export interface Rest {
  readonly hostname: string | undefined
  readonly until: number
}

/** Undefined for what only the owner of the name can mend. */
export function restAfter({ code, retryAfterMs }: IssuanceProblem, hostname: string, now: number): Rest | undefined {
  const fault = FAULTS[code]
  if (fault === undefined) return undefined
  // It took longer than the usual rest to see that: two that finish nothing would take turns without a pause.
  const leastMs = code === 'order_stuck' ? REST_MAX_MS : REST_MS
  const until = now + Math.min(Math.max(leastMs, retryAfterMs ?? 0), REST_MAX_MS)
  return { hostname: fault === 'about the name' ? hostname : undefined, until }
}

/**
 * An authority usually needs seconds. Short certificates cannot wait so long: a quarter of what is left has to do.
 * Never for an order that does not say when it was begun.
 */
export function stuckAt(beganAt: number | undefined, endsAt: number | undefined): number {
  if (beganAt === undefined) return Infinity
  const leftMs = endsAt === undefined || endsAt <= beganAt ? Infinity : endsAt - beganAt
  return beganAt + Math.min(STUCK_AFTER_MS, Math.max(MINUTE_MS, leftMs / 4))
}

const STUCK_AFTER_MS = 15 * MINUTE_MS

/** As people know it: the host of its directory; null for the internal CA. */
export const authorityName = (issuerId: string) =>
  issuerId === INTERNAL_CA_ID ? null : (URL.parse(issuerId)?.host ?? issuerId)
