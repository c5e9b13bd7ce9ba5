import './tables.ts'
import './tokens/tables.ts'
import { type RawBuilder, sql } from 'kysely'
import { DAY_MS } from '../../platform/clock.ts'
import { deleteSome } from '../../platform/storage/delete-some.ts'
import type { Db } from '../../platform/storage/tables.ts'
import { isClockSteadySince } from '../../platform/work/wrong-clock.ts'

/** Long enough to see in the list what a program was refused with; the audit log knows for longer who ended it. */
const ENDED_KEPT_MS = 90 * DAY_MS
/** Of a project, beyond which those that ended first go: whoever makes and revokes without end fills no table by it. */
export const ENDED_KEPT = 500
const AT_ONCE = 1000
/** How far back the chart of requests goes; a key that is called every hour leaves 8,760 rows a year per operation. */
export const USAGE_DAYS = 90

/**
 * Takes away keys and tokens that ended long ago, and what nobody can ask of the others' use; true: there may be more.
 * What a key was used for goes before it.
 */
export async function sweepKeys(db: Db, now: number): Promise<boolean> {
  const usage = { table: 'key_usage', key: ['key_id', 'operation', 'hour'] } as const
  if (await deleteSome(db, { ...usage, where: sql`hour < ${now - USAGE_DAYS * DAY_MS}`, order: sql`hour` })) return true
  const keys = await forgottenOf(db, 'keys', now)
  if (await deleteSome(db, { ...usage, where: sql`key_id in (select id from keys where ${keys})` })) return true
  const isMore = await deleteSome(db, { table: 'keys', key: ['id'], where: keys })
  const tokens = await forgottenOf(db, 'tokens', now)
  return (await deleteSome(db, { table: 'tokens', key: ['id'], where: tokens })) || isMore
}

/** A condition that finds some of them. Of one project at a time: few ever have as many. */
async function forgottenOf(db: Db, table: 'keys' | 'tokens', now: number): Promise<RawBuilder<unknown>> {
  const before = now - ENDED_KEPT_MS
  // By a clock that is ahead keys have expired that work when it is right again.
  const expiredBefore = (await isClockSteadySince(db, before)) ? before : 0
  const old = sql`(revoked_at < ${before} or expires_at < ${expiredBefore})`
  const ended = sql`${sql.table(table)} where (revoked_at is not null or expires_at <= ${now})`
  const { rows } = await sql<{ project_id: number }>`
    select project_id from ${ended} group by project_id having count(*) > ${ENDED_KEPT} limit 1`.execute(db)
  const [crowded] = rows
  if (!crowded) return old
  return sql`(${old} or id in (
    select id from ${ended} and project_id = ${crowded.project_id}
    order by coalesce(revoked_at, expires_at) desc, id desc limit ${AT_ONCE} offset ${ENDED_KEPT}
  ))`
}
