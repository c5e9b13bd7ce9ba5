import { USAGE_DAYS } from '../../features/keys/sweep.ts'
import { findDeprecatedCallers, sumUsage } from '../../features/keys/usage-queries.ts'
import { DAY_MS, HOUR_MS, type Clock } from '../../platform/clock.ts'
import { ENVIRONMENTS } from '../../platform/http/operation.ts'
import { iso } from '../../platform/iso-date.ts'
import { integer, object, oneOf, optional } from '../../platform/schema.ts'
import { ok, route } from '../route.ts'

export interface UsageRouteNeeds {
  clock: Clock
  /** Adds what has been counted in memory, so that a request shows up as soon as it has been answered. */
  flushUsage(): Promise<void>
  /** Names of the operations that are to be removed. */
  deprecatedOperations: readonly string[]
}

const DAYS_DEFAULT = 1
/** Up to here a point of the chart is an hour, beyond it a day. */
const DAYS_BY_HOUR_MAX = 3

const UsageQuery = object({
  environment: optional(oneOf(ENVIRONMENTS, { description: 'Only the requests to this environment.' })),
  days: optional(
    integer({
      minimum: 1,
      maximum: USAGE_DAYS,
      default: DAYS_DEFAULT,
      description: 'How far back: up to three days by the hour, beyond that by the day.',
      rule: `must be 1 to ${USAGE_DAYS}`,
    }),
  ),
})

export interface UsageView {
  from: string
  stepMs: number
  points: { at: string; calls: number; failures: number }[]
  operations: { operation: string; calls: number; failures: number }[]
  /** Keys that still call an operation which is to be removed, in the last 30 days. */
  deprecated: DeprecatedCaller[]
}

interface DeprecatedCaller {
  operation: string
  keyId: string
  name: string
  hint: string
  environment: string
  calls: number
  lastAt: string
}

const DEPRECATED_DAYS = 30

/** Requests over time, and who still calls what will be removed. */
export function usageRoutes({ clock, flushUsage, deprecatedOperations }: UsageRouteNeeds) {
  return [
    route({
      id: 'getUsage',
      summary: 'Count the requests to the animals interface',
      description: 'By time and by operation, and who still calls what will be removed.',
      method: 'GET',
      path: '/projects/{project}/usage',
      role: 'viewer',
      query: UsageQuery,
      async handle({ storage, project: { projectId }, query: { environment, days = DAYS_DEFAULT } }) {
        await flushUsage()
        const now = clock.now()
        const stepMs = days <= DAYS_BY_HOUR_MAX ? HOUR_MS : DAY_MS
        const steps = (days * DAY_MS) / stepMs
        const from = now - (now % stepMs) - (steps - 1) * stepMs
        const rows = await sumUsage(storage.read, { projectId, environment, from, stepMs })
        const deprecated = await findDeprecatedCallers(storage.read, {
          projectId,
          operations: deprecatedOperations,
          from: now - DEPRECATED_DAYS * DAY_MS,
        })
        const byOperation = Map.groupBy(rows, (row) => row.operation)
        const view: UsageView = {
          from: iso(from),
          stepMs,
          points: Array.from({ length: steps }, (_, step) => {
            const at = from + step * stepMs
            return { at: iso(at), ...total(rows.filter((row) => row.at === at)) }
          }),
          operations: [...byOperation].map(([operation, of]) => ({ operation, ...total(of) })),
          deprecated: deprecated.map(({ last_at, ...caller }) => ({ ...caller, lastAt: iso(last_at) })),
        }
        return ok(view)
      },
    }),
  ]
}

function total(rows: readonly { calls: number; failures: number }[]): { calls: number; failures: number } {
  let calls = 0
  let failures = 0
  for (const row of rows) {
    calls += row.calls
    failures += row.failures
  }
  return { calls, failures }
}
