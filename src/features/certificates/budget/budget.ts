import { getDomain } from 'tldts'
import { DAY_MS, HOUR_MS } from '../../../platform/clock.ts'

/** At most `burst` at once, given back evenly over `windowMs`: the way in which Let's Encrypt counts. */
interface CaLimit {
  readonly burst: number
  readonly windowMs: number
}

/** Limits of our own, so that nobody uses up alone what the authority allows all of us. */
type ShareName = 'ordersPerProject' | 'platformNamesPerAccount'

type CaLimitName =
  | 'orders'
  | 'certificatesPerRegisteredDomain'
  | 'certificatesPerExactSet'
  | 'failedValidationsPerHostname'

export type LimitName = CaLimitName | ShareName

/** Undefined means that the CA sets no such limit. */
export type CaLimits = Readonly<Record<CaLimitName, CaLimit | undefined>>

/** A fifth of what Let's Encrypt allows for all, and for the platform's domain. */
const SHARES: Readonly<Record<ShareName, CaLimit>> = {
  ordersPerProject: { burst: 60, windowMs: 3 * HOUR_MS },
  platformNamesPerAccount: { burst: 10, windowMs: 7 * DAY_MS },
}

export const limitOf = (limits: CaLimits, name: LimitName): CaLimit | undefined =>
  name in SHARES ? SHARES[name as ShareName] : limits[name as CaLimitName]

/** https://letsencrypt.org/docs/rate-limits/, August 2026. */
export const LETS_ENCRYPT_LIMITS: CaLimits = {
  orders: { burst: 300, windowMs: 3 * HOUR_MS },
  certificatesPerRegisteredDomain: { burst: 50, windowMs: 7 * DAY_MS },
  certificatesPerExactSet: { burst: 5, windowMs: 7 * DAY_MS },
  failedValidationsPerHostname: { burst: 5, windowMs: HOUR_MS },
}

/** A CA whose limits are not known: only what keeps a fault of ours from turning into a loop. */
export const CAUTIOUS_LIMITS: CaLimits = {
  ...LETS_ENCRYPT_LIMITS,
  orders: undefined,
  certificatesPerRegisteredDomain: undefined,
}

export const limitsOf = (directoryUrl: string): CaLimits =>
  /(^|\.)letsencrypt\.org$/.test(new URL(directoryUrl).hostname) ? LETS_ENCRYPT_LIMITS : CAUTIOUS_LIMITS

/**
 * One number per meter: the time at which everything spent has been given back. Absent or past means untouched, so
 * that old rows can be deleted. Meters belong to one account at one CA.
 */
export type Meters = ReadonlyMap<string, number>

interface BudgetEntry {
  readonly limit: LimitName
  /** What is counted: `orders:` for the account, otherwise the limit with the domain, names or hostname. */
  readonly meter: string
}

export interface BudgetRequest {
  readonly names: readonly string[]
  /** Renewals that name the certificate which they replace (ARI) are exempt at Let's Encrypt. */
  readonly replacing: boolean
  /** Whose share a new order is taken from; nobody's for the operator's own names. */
  readonly holder?: { share: ShareName; id: string } | undefined
}

interface BudgetLeft extends BudgetEntry {
  readonly left: number
}

export type BudgetAnswer =
  | { allowed: true; left: BudgetLeft[] }
  | { allowed: false; at: number; decidedBy: BudgetEntry; left: BudgetLeft[] }

/** What happened, as the meters see it. Charge an order before it is made: a crash then errs on the safe side. */
export type BudgetEvent =
  | ({ kind: 'ordered' } & BudgetRequest)
  /** Gives back the certificates that will not come; the order itself stays spent. */
  | ({ kind: 'order_failed' } & BudgetRequest)
  | { kind: 'validation_failed'; hostname: string }

/** The meters that decide about a request: read these, ask, and write what `charge` returns. */
export function entriesFor(limits: CaLimits, request: BudgetRequest): BudgetEntry[] {
  return [...spendingEntries(limits, request), ...unique(request.names).flatMap((name) => failures(limits, name))]
}

/** May an order be made now, and if not, when? Of several limits the one that opens last decides. */
export function askBudget(limits: CaLimits, meters: Meters, request: BudgetRequest, now: number): BudgetAnswer {
  let at = now
  let decidedBy: BudgetEntry | undefined
  const left: BudgetLeft[] = []
  for (const entry of entriesFor(limits, request)) {
    const limit = limitOf(limits, entry.limit)
    if (!limit) continue
    const spentMs = Math.max(0, (meters.get(entry.meter) ?? 0) - now)
    left.push({ ...entry, left: Math.max(0, Math.floor(limit.burst - spentMs / costMs(limit))) })
    const opensAt = now + spentMs + costMs(limit) - limit.burst * costMs(limit)
    if (opensAt <= at) continue
    at = opensAt
    decidedBy = entry
  }
  return decidedBy ? { allowed: false, at, decidedBy, left } : { allowed: true, left }
}

/** The meters that an event changes, with their new values. */
export function charge(limits: CaLimits, meters: Meters, event: BudgetEvent, now: number): Map<string, number> {
  const changed = new Map<string, number>()
  for (const entry of chargedEntries(limits, event)) {
    const limit = limitOf(limits, entry.limit)
    if (!limit) continue
    const meter = Math.max(meters.get(entry.meter) ?? 0, now)
    const afterRefund = Math.max(meter - costMs(limit), now)
    changed.set(entry.meter, event.kind === 'order_failed' ? afterRefund : meter + costMs(limit))
  }
  return changed
}

function chargedEntries(limits: CaLimits, event: BudgetEvent): BudgetEntry[] {
  if (event.kind === 'validation_failed') return failures(limits, event.hostname.toLowerCase())
  const entries = spendingEntries(limits, event)
  return event.kind === 'ordered' ? entries : entries.filter(({ limit }) => limit !== 'orders')
}

/**
 * A set of names is counted even where the CA exempts it: a certificate renewed five times within a week is a loop,
 * and the exemption would let it run.
 */
function spendingEntries(limits: CaLimits, { names, replacing, holder }: BudgetRequest): BudgetEntry[] {
  const exactSet = entries(limits, 'certificatesPerExactSet', unique(names).sort().join(','))
  if (replacing) return exactSet
  const domains = unique(names.map((name) => getDomain(name, { allowPrivateDomains: true }) ?? name))
  return [
    ...entries(limits, 'orders', ''),
    ...(holder ? entries(limits, holder.share, holder.id) : []),
    ...domains.flatMap((domain) => entries(limits, 'certificatesPerRegisteredDomain', domain)),
    ...exactSet,
  ]
}

const failures = (limits: CaLimits, hostname: string) => entries(limits, 'failedValidationsPerHostname', hostname)

const entries = (limits: CaLimits, limit: LimitName, scope: string): BudgetEntry[] =>
  limitOf(limits, limit) ? [{ limit, meter: `${limit}:${scope}` }] : []

const costMs = ({ burst, windowMs }: CaLimit) => Math.ceil(windowMs / burst)

const unique = (names: readonly string[]) => [...new Set(names.map((name) => name.toLowerCase()))]
