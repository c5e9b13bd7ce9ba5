import './tables.ts'
import { DAY_MS } from '../clock.ts'
import { publishChange } from '../storage/change-feed.ts'
import type { Db, Engine } from '../storage/tables.ts'
import { WORK_TOPIC } from './lease.ts'

const SEEN = 'clock_seen'
const STEADY = 'clock_steady_since'
/** What comes a day late is still in time, and no fleet has clocks that differ by as much. */
const NOTICED_FROM_MS = DAY_MS

/**
 * Work that was done while the clock was ahead is due again when that time comes, which may be years away. Once the
 * clock has been set back all of it is due now: whoever looks at it plans anew. Says whether it was.
 */
export async function noticeWrongClock(db: Db, engine: Engine, now: number): Promise<boolean> {
  const seen = await findTime(db, SEEN)
  await keepTime(db, SEEN, now)
  const isSteady = seen !== undefined && Math.abs(now - seen) < NOTICED_FROM_MS && (await findTime(db, STEADY))
  if (!isSteady) await keepTime(db, STEADY, now)
  if ((seen ?? now) < now + NOTICED_FROM_MS) return false
  const queues = await db.selectFrom('work').select('queue').distinct().where('due_at', '>', now).execute()
  await db
    .updateTable('work')
    .set((eb) => ({ due_at: now, revision: eb('revision', '+', 1) }))
    .where('due_at', '>', now)
    .execute()
  for (const { queue } of queues) await publishChange(db, engine, WORK_TOPIC, queue, now)
  return true
}

/** Whether the clock has gone on since then without a jump: a look comes every hour, unless the service is off. */
export async function isClockSteadySince(db: Db, time: number): Promise<boolean> {
  return ((await findTime(db, STEADY)) ?? Infinity) <= time
}

async function findTime(db: Db, name: string): Promise<number | undefined> {
  const row = await db.selectFrom('settings').select('value').where('name', '=', name).executeTakeFirst()
  return row && Number(row.value)
}

async function keepTime(db: Db, name: string, now: number): Promise<void> {
  const value = String(now)
  await db
    .insertInto('settings')
    .values({ name, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}
