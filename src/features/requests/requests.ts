import { setImmediate } from 'node:timers/promises'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../platform/clock.ts'
import type { Environment } from '../../platform/http/operation.ts'
import { iso } from '../../platform/iso-date.ts'
import type { Db } from '../../platform/storage/tables.ts'
import { FAILED_KEPT } from './counter.ts'
import { BUCKETS, type Latency, latencyOf } from './latency.ts'
import { findFailed, sumCounts, type SummedCounts } from './queries.ts'

/** What is shown, from which rows, and how much a point of the chart is. */
const RANGES = {
  hour: { lengthMs: HOUR_MS, rowMs: MINUTE_MS, stepMs: MINUTE_MS },
  day: { lengthMs: DAY_MS, rowMs: HOUR_MS, stepMs: HOUR_MS },
  week: { lengthMs: 7 * DAY_MS, rowMs: HOUR_MS, stepMs: 6 * HOUR_MS },
  month: { lengthMs: 30 * DAY_MS, rowMs: HOUR_MS, stepMs: DAY_MS },
} as const

export type Range = keyof typeof RANGES
export const RANGE_NAMES = Object.keys(RANGES) as Range[]

interface Totals extends Latency {
  calls: number
  failures: number
}

export interface RequestsView {
  from: string
  stepMs: number
  total: Totals
  points: (Totals & { at: string })[]
  /** By who called, and by what was called; of a site by host, and by status. The busiest first. */
  who: (Totals & { who: string })[]
  what: (Totals & { what: string })[]
}

interface Asked {
  projectId: number
  area: Environment | 'site'
  range: Range
  now: number
}

/** Day by day: a month of a hundred keys is a million rows, and on SQLite others are served in between. */
export async function showRequests(db: Db, { projectId, area, range, now }: Asked): Promise<RequestsView> {
  const { lengthMs, rowMs, stepMs } = RANGES[range]
  const from = now - (now % stepMs) - lengthMs + stepMs
  const rows: SummedCounts[] = []
  for (let day = from; day < from + lengthMs; day += DAY_MS) {
    const to = Math.min(day + DAY_MS, from + lengthMs)
    for (const row of await sumCounts(db, { projectId, area, from: day, to, rowMs, stepMs })) rows.push(row)
    await setImmediate()
  }
  const byPoint = Map.groupBy(rows, ({ at }) => at)
  return {
    from: iso(from),
    stepMs,
    total: totalOf(rows),
    points: Array.from({ length: lengthMs / stepMs }, (_, index) => {
      const at = from + index * stepMs
      return { at: iso(at), ...totalOf(byPoint.get(at) ?? []) }
    }),
    who: [...Map.groupBy(rows, (row) => row.who)].map(([who, of]) => ({ who, ...totalOf(of) })).sort(busiest),
    what: [...Map.groupBy(rows, (row) => row.what)].map(([what, of]) => ({ what, ...totalOf(of) })).sort(busiest),
  }
}

const busiest = (a: Totals, b: Totals) => b.calls - a.calls

function totalOf(rows: readonly SummedCounts[]): Totals {
  const buckets = BUCKETS.map(() => 0)
  let calls = 0
  let failures = 0
  for (const row of rows) {
    calls += row.calls
    failures += row.failures
    for (const [at, count] of row.buckets.entries()) buckets[at] = (buckets[at] as number) + count
  }
  return { calls, failures, ...latencyOf(buckets) }
}

export interface FailedRequest {
  at: string
  requestId: string
  operation: string
  keyId: string
  status: number
  code: string
}

export async function listFailed(db: Db, projectId: number, environment: Environment): Promise<FailedRequest[]> {
  const rows = await findFailed(db, { projectId, environment, limit: FAILED_KEPT })
  return rows.map(({ at, request_id: requestId, operation, key_id: keyId, status, code }) => ({
    at: iso(at),
    requestId,
    operation,
    keyId,
    status,
    code,
  }))
}
