import './tables.ts'
import { sql } from 'kysely'
import type { Environment } from '../../platform/http/operation.ts'
import type { Db } from '../../platform/storage/tables.ts'
import { BUCKETS } from './latency.ts'

interface CountsQuestion {
  projectId: number
  area: Environment | 'site'
  from: number
  /** Before this. */
  to: number
  /** Of the rows to read: a minute or an hour. */
  rowMs: number
  /** Of the points to show. */
  stepMs: number
}

export interface SummedCounts {
  at: number
  who: string
  what: string
  calls: number
  failures: number
  buckets: number[]
}

/** PostgreSQL sums bigints into numerics, which would arrive as text. */
const summed = (column: string) => sql<number>`cast(sum(${sql.ref(column)}) as bigint)`

/** By point in time, caller and operation; of a site by host and status. */
export async function sumCounts(db: Db, of: CountsQuestion): Promise<SummedCounts[]> {
  const at = sql<number>`at - (at % ${sql.lit(of.stepMs)})`
  const rows = await db
    .selectFrom('request_counts')
    .select(['who', 'what', at.as('point'), summed('calls').as('calls'), summed('failures').as('failures')])
    .select(BUCKETS.map((name) => summed(name).as(name)))
    .where('project_id', '=', of.projectId)
    .where('area', '=', of.area)
    .where('step_ms', '=', of.rowMs)
    .where('at', '>=', of.from)
    .where('at', '<', of.to)
    .groupBy(['who', 'what', at])
    .execute()
  return rows.map((row) => ({
    at: row.point,
    who: row.who,
    what: row.what,
    calls: row.calls,
    failures: row.failures,
    buckets: BUCKETS.map((name) => row[name] as number),
  }))
}

/** The last of them first. */
export function findFailed(db: Db, of: { projectId: number; environment: Environment; limit: number }) {
  return db
    .selectFrom('failed_requests')
    .select(['at', 'request_id', 'operation', 'key_id', 'status', 'code'])
    .where('project_id', '=', of.projectId)
    .where('environment', '=', of.environment)
    .orderBy('at', 'desc')
    .orderBy('request_id', 'desc')
    .limit(of.limit)
    .execute()
}
