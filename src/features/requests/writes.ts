import './tables.ts'
import { type Insertable, sql } from 'kysely'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../platform/clock.ts'
import { deleteSome, deleteSomeOf } from '../../platform/storage/delete-some.ts'
import { defineWrite } from '../../platform/storage/storage.ts'
import type { Db, Tables } from '../../platform/storage/tables.ts'
import { BUCKETS } from './latency.ts'

export type CountRow = Insertable<Tables['request_counts']>
export type FailedRow = Insertable<Tables['failed_requests']>

const KEY = ['project_id', 'area', 'step_ms', 'at', 'who', 'what'] as const
const SUMS = ['calls', 'failures', ...BUCKETS] as const

/** Adds to what this and other processes have counted of the same minutes and hours. */
export const addCounts = defineWrite('requests.addCounts', async (db, rows: CountRow[]) => {
  await db
    .insertInto('request_counts')
    // In one order everywhere: two processes that add to the same rows wait for each other, and never in a circle.
    .values(rows.toSorted(byKey))
    .onConflict((conflict) =>
      conflict
        .columns(KEY)
        .doUpdateSet((eb) =>
          Object.fromEntries(SUMS.map((name) => [name, eb(`request_counts.${name}`, '+', eb.ref(`excluded.${name}`))])),
        ),
    )
    .execute()
})

function byKey(a: CountRow, b: CountRow): number {
  for (const name of KEY) if (a[name] !== b[name]) return a[name] < b[name] ? -1 : 1
  return 0
}

/** Of one project and environment; the oldest beyond those that are kept go in the same transaction. */
export const addFailed = defineWrite(
  'requests.addFailed',
  async (db, { rows, kept }: { rows: FailedRow[]; kept: number }) => {
    const [first] = rows
    if (!first) return
    await db
      .insertInto('failed_requests')
      .values(rows)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    const oldest = await db
      .selectFrom('failed_requests')
      .select(['at', 'request_id'])
      .where('project_id', '=', first.project_id)
      .where('environment', '=', first.environment)
      .orderBy('at', 'desc')
      .orderBy('request_id', 'desc')
      .offset(kept)
      .limit(1)
      .executeTakeFirst()
    if (!oldest) return
    await db
      .deleteFrom('failed_requests')
      .where('project_id', '=', first.project_id)
      .where('environment', '=', first.environment)
      .where((eb) =>
        eb.or([
          eb('at', '<', oldest.at),
          eb.and([eb('at', '=', oldest.at), eb('request_id', '<=', oldest.request_id)]),
        ]),
      )
      .execute()
  },
)

/** An hour of minutes is shown, and a month of hours. */
const MINUTES_KEPT_MS = 3 * HOUR_MS
const HOURS_KEPT_MS = 31 * DAY_MS
const FAILED_KEPT_MS = 7 * DAY_MS

const FAILED_KEY = ['project_id', 'environment', 'at', 'request_id'] as const

/** A step; whether there was anything. */
export async function sweepRequests(db: Db, now: number): Promise<boolean> {
  const steps = [
    [MINUTE_MS, MINUTES_KEPT_MS],
    [HOUR_MS, HOURS_KEPT_MS],
  ] as const
  for (const [step, kept] of steps) {
    const where = sql`step_ms = ${step} and at < ${now - kept}`
    if (await deleteSome(db, { table: 'request_counts', key: KEY, where })) return true
  }
  return deleteSome(db, { table: 'failed_requests', key: FAILED_KEY, where: sql`at < ${now - FAILED_KEPT_MS}` })
}

export const deleteSomeCounts = deleteSomeOf('request_counts', KEY)
export const deleteSomeFailed = deleteSomeOf('failed_requests', FAILED_KEY)
