import { DAY_MS, HOUR_MS } from '../../../platform/clock.ts'

/** At most `burst` at once, given back evenly over `windowMs`: the way in which Let's Encrypt counts. */
export interface CaLimit {
  readonly burst: number
  readonly windowMs: number
}

/** Limits of our own, so that nobody uses up alone what the authority allows all of us. */
export type ShareName = 'ordersPerProject' | 'platformNamesPerAccount'

type CaLimitName =
  | 'orders'
  | 'certificatesPerRegisteredDomain'
  | 'certificatesPerExactSet'
  | 'failedValidationsPerHostname'

export type CountedLimit = CaLimitName | ShareName

/** `retryAfter` is what the authority itself said about a name. */
export type LimitName = CountedLimit | 'retryAfter'

/** What an authority has said of itself; what is absent it does not limit, as far as anybody knows. */
export interface CaLimits extends Readonly<Partial<Record<CaLimitName, CaLimit | undefined>>> {
  /** Whether an order that names the certificate which it replaces (ARI) counts against nothing. */
  readonly exemptsReplacements?: boolean
}

/** A fifth of what Let's Encrypt allows for all, and for the platform's domain. */
const SHARES: Readonly<Record<ShareName, CaLimit>> = {
  ordersPerProject: { burst: 60, windowMs: 3 * HOUR_MS },
  platformNamesPerAccount: { burst: 10, windowMs: 7 * DAY_MS },
}

/** Its meter is the moment itself. */
const RETRY_AFTER: CaLimit = { burst: 1, windowMs: HOUR_MS }

export function limitOf(limits: CaLimits, name: LimitName): CaLimit | undefined {
  if (name === 'retryAfter') return RETRY_AFTER
  return name in SHARES ? SHARES[name as ShareName] : limits[name as CaLimitName]
}

/** https://letsencrypt.org/docs/rate-limits/, August 2026. */
export const LETS_ENCRYPT_LIMITS: CaLimits = {
  orders: { burst: 300, windowMs: 3 * HOUR_MS },
  certificatesPerRegisteredDomain: { burst: 50, windowMs: 7 * DAY_MS },
  certificatesPerExactSet: { burst: 5, windowMs: 7 * DAY_MS },
  failedValidationsPerHostname: { burst: 5, windowMs: HOUR_MS },
  exemptsReplacements: true,
}

/** https://letsencrypt.org/docs/staging-environment/, as read in November 2026. */
const LETS_ENCRYPT_STAGING_LIMITS: CaLimits = {
  orders: { burst: 1500, windowMs: 3 * HOUR_MS },
  certificatesPerRegisteredDomain: { burst: 30_000, windowMs: 7 * DAY_MS },
  certificatesPerExactSet: { burst: 30_000, windowMs: 7 * DAY_MS },
  failedValidationsPerHostname: { burst: 60, windowMs: HOUR_MS },
  exemptsReplacements: true,
}

/** By the host of the directory. */
const PRESETS: ReadonlyMap<string, CaLimits> = new Map([
  ['acme-v02.api.letsencrypt.org', LETS_ENCRYPT_LIMITS],
  ['acme-staging-v02.api.letsencrypt.org', LETS_ENCRYPT_STAGING_LIMITS],
])

/**
 * The limits that belong to an authority: those that the operator names, else those that it has published, else none.
 * No figures for orders are known here of ZeroSSL, Google Trust Services, Buypass and private authorities.
 * What such a one does not want it answers with 429, and its `Retry-After` is kept.
 */
export const limitsOf = (directoryUrl: string, set?: CaLimits): CaLimits =>
  set ?? PRESETS.get(new URL(directoryUrl).hostname) ?? {}
