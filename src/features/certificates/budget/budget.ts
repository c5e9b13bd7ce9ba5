import { getDomain } from 'tldts'
import { type CaLimit, type CaLimits, type CountedLimit, type LimitName, limitOf, type ShareName } from './limits.ts'

/** Whether an order keeps a site alive: such orders come before those for new names. */
export type Urgency =
  | 'new'
  /** There is a certificate, and time to replace it. */
  | 'live'
  /** It has ended, or half of the time to replace it is gone: the authority alone may say no from here on. */
  | 'at_risk'

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
  /** Renewals that name the certificate which they replace (ARI) are exempt at some authorities. */
  readonly replacing: boolean
  /** `new` unless told. */
  readonly urgency?: Urgency
  /** Asked for by a person beside what is tried by itself, which must find its room all the same. */
  readonly isExtra?: boolean
  /** Whose share a new order is taken from; nobody's for the operator's own names. */
  readonly holder?: { share: ShareName; id: string } | undefined
}

interface BudgetLeft extends BudgetEntry {
  readonly limit: CountedLimit
  readonly left: number
  /** Of so many that such a request may use. */
  readonly burst: number
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
  const names = unique(request.names)
  return [
    ...(request.urgency === 'at_risk' ? [] : spendingEntries(limits, request)),
    ...names.flatMap((name) => failures(limits, name)),
    ...names.map((name): BudgetEntry => ({ limit: 'retryAfter', meter: retryAfterMeter(name) })),
  ]
}

/** Until when the authority asked to be left alone about a name. */
export const retryAfterMeter = (hostname: string) => `retryAfter:${hostname}`

/** May an order be made now, and if not, when? Of several limits the one that opens last decides. */
export function askBudget(limits: CaLimits, meters: Meters, request: BudgetRequest, now: number): BudgetAnswer {
  let at = now
  let decidedBy: BudgetEntry | undefined
  const left: BudgetLeft[] = []
  for (const entry of entriesFor(limits, request)) {
    const limit = limitOf(limits, entry.limit)
    if (!limit) continue
    const spentMs = Math.max(0, (meters.get(entry.meter) ?? 0) - now)
    const burst = limit.burst - keptFor(entry.limit, limit, request)
    if (isCounted(entry.limit)) {
      left.push({
        limit: entry.limit,
        meter: entry.meter,
        left: Math.max(0, Math.floor(burst - spentMs / costMs(limit))),
        burst,
      })
    }
    const opensAt = now + spentMs + costMs(limit) - burst * costMs(limit)
    if (opensAt <= at) continue
    at = opensAt
    decidedBy = entry
  }
  return decidedBy ? { allowed: false, at, decidedBy, left } : { allowed: true, left }
}

/** What a request leaves: new names for renewals, a person's own attempt for the one that comes by itself. */
function keptFor(name: LimitName, { burst }: CaLimit, { urgency = 'new', isExtra = false }: BudgetRequest): number {
  if (name === 'failedValidationsPerHostname') return isExtra && burst > 1 ? 1 : 0
  const isEverybodys = name === 'orders' || name === 'certificatesPerRegisteredDomain'
  return isEverybodys && urgency === 'new' ? Math.floor(burst * SHARE_FOR_RENEWALS) : 0
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

function spendingEntries(limits: CaLimits, request: BudgetRequest): BudgetEntry[] {
  const { names, replacing, holder, urgency = 'new' } = request
  if (replacing && limits.exemptsReplacements) return []
  const domains = unique(
    names.map((name) => getDomain(name.replace(/^\*\./, ''), { allowPrivateDomains: true }) ?? name),
  )
  return [
    ...entries(limits, 'orders', ''),
    ...(holder && urgency === 'new' ? entries(limits, holder.share, holder.id) : []),
    ...domains.flatMap((domain) => entries(limits, 'certificatesPerRegisteredDomain', domain)),
    ...entries(limits, 'certificatesPerExactSet', unique(names).sort().join(',')),
  ]
}

const failures = (limits: CaLimits, hostname: string) => entries(limits, 'failedValidationsPerHostname', hostname)

const entries = (limits: CaLimits, limit: LimitName, scope: string): BudgetEntry[] =>
  limitOf(limits, limit) ? [{ limit, meter: `${limit}:${scope}` }] : []

/** Of what all share. It only makes the burst of new names smaller: what comes back with time is theirs as before. */
const SHARE_FOR_RENEWALS = 1 / 5

const isCounted = (name: LimitName): name is CountedLimit => name !== 'retryAfter'

const costMs = ({ burst, windowMs }: CaLimit) => Math.ceil(windowMs / burst)

const unique = (names: readonly string[]) => [...new Set(names.map((name) => name.toLowerCase()))]
