import { askBudget, charge, type Meters } from '../src/features/certificates/budget/budget.ts'
import { LETS_ENCRYPT_LIMITS } from '../src/features/certificates/budget/limits.ts'
import { planRenewal } from '../src/features/certificates/renewal.ts'
import { DAY_MS } from '../src/platform/clock.ts'
import { CERTIFICATE_LIFE_MS, hostnameOf, openBenchStorage } from './domains-fill.ts'

const ORDERS = LETS_ENCRYPT_LIMITS.orders as { burst: number; windowMs: number }

/** When orders that become due at these times are made, each at the first moment that the budget of the CA allows. */
export function ordersWithin(dueAt: readonly number[], hostname: (index: number) => string): number[] {
  const meters = new Map<string, number>()
  let now = 0
  return dueAt.map((due, index) => {
    const request = { names: [hostname(index)], replacing: false, urgency: 'live' as const }
    now = Math.max(now, due)
    const answer = askBudget(LETS_ENCRYPT_LIMITS, meters as Meters, request, now)
    if (!answer.allowed) now = answer.at
    if (!askBudget(LETS_ENCRYPT_LIMITS, meters, request, now).allowed) throw new Error('The budget breaks its word.')
    for (const [meter, until] of charge(LETS_ENCRYPT_LIMITS, meters, { kind: 'ordered', ...request }, now)) {
      meters.set(meter, until)
    }
    return now
  })
}

/** The stored renewals as the budget lets them happen, against the CA's own count. */
export async function showRenewals(dataDirectory: string, random: () => number): Promise<void> {
  await using storage = await openBenchStorage(dataDirectory)
  const stored = storage.read.selectFrom('certificates').select(['renew_at', 'not_after'])
  const rows = await stored.orderBy('renew_at').execute()
  const count = rows.length.toLocaleString('en')
  const due = rows.map(({ renew_at }) => renew_at)
  const made = ordersWithin(due, hostnameOf)
  console.log(`\nRenewals of ${count} domains, each counted as a new order (${ORDERS.burst} per 3 h)`)
  showDays('due a day', due)
  showDays('made a day', made)
  const { fullest, refused } = asTheCaCounts(made)
  const waits = made.map((at, index) => at - (due[index] as number))
  const left = made.map((at, index) => (rows[index] as { not_after: number }).not_after - at)
  const longest = waits.reduce((most, wait) => Math.max(most, wait))
  const least = left.reduce((one, other) => Math.min(one, other))
  console.log(`  fullest 3 hours: ${fullest} orders; refused by the CA: ${refused} ${refused === 0 ? '✓' : '✗'}`)
  console.log(`  longest wait for the budget: ${hours(longest)} h; least life left at a renewal: ${days(least)} days`)
  if (refused > 0 || least < CERTIFICATE_LIFE_MS / 6) process.exitCode = 1
  showRush(rows.length, random)
}

/** The worst case: all of them issued at one moment, and no renewal exempt. The budget must hold all the same. */
function showRush(count: number, random: () => number): void {
  const life = { notBefore: 0, notAfter: CERTIFICATE_LIFE_MS }
  const due = Array.from({ length: count }, () => planRenewal(life, undefined, random).renewAt).sort((a, b) => a - b)
  const made = ordersWithin(due, hostnameOf)
  const { fullest, refused } = asTheCaCounts(made)
  const late = made.filter((at) => at > CERTIFICATE_LIFE_MS).length
  console.log('  had all been issued at one moment:')
  showDays('due a day', due)
  showDays('made a day', made)
  console.log(`  fullest 3 hours: ${fullest} orders; refused by the CA: ${refused} ${refused === 0 ? '✓' : '✗'}`)
  console.log(`  renewed too late, unless the CA exempts renewals: ${late.toLocaleString('en')}`)
  if (refused > 0) process.exitCode = 1
}

/** A bucket of its own, written from the CA's description: full at first, one order back every 36 seconds. */
function asTheCaCounts(made: readonly number[]): { fullest: number; refused: number } {
  const perOrderMs = ORDERS.windowMs / ORDERS.burst
  let tokens = ORDERS.burst
  let last = made[0] as number
  let refused = 0
  let fullest = 0
  let oldest = 0
  for (const [index, at] of made.entries()) {
    tokens = Math.min(ORDERS.burst, tokens + (at - last) / perOrderMs)
    last = at
    // A millionth for what adding fractions a hundred thousand times costs.
    if (tokens < 1 - 1e-6) refused++
    else tokens--
    while (at - (made[oldest] as number) >= ORDERS.windowMs) oldest++
    fullest = Math.max(fullest, index - oldest + 1)
  }
  return { fullest, refused }
}

function showDays(what: string, times: readonly number[]): void {
  const counts: number[] = []
  const first = Math.floor((times[0] as number) / DAY_MS)
  for (const at of times) {
    const day = Math.floor(at / DAY_MS) - first
    counts[day] = (counts[day] ?? 0) + 1
  }
  const filled = Array.from(counts, (count) => count ?? 0)
  const bars = filled.map((count) => '▁▂▃▄▅▆▇█'[Math.min(7, Math.floor((count / 3000) * 8))]).join('')
  const whole = filled.slice(1, -1)
  const range = `${Math.min(...whole)}–${Math.max(...whole)} on whole days, ${filled.length} days`
  console.log(`  ${what.padEnd(10)} ${bars}  ${range}`)
}

const hours = (ms: number) => (ms / 3_600_000).toFixed(1)
const days = (ms: number) => (ms / DAY_MS).toFixed(1)
