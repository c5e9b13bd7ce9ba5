import './tables.ts'
import { DAY_MS } from '../clock.ts'
import { publishChange } from '../storage/change-feed.ts'
import type { Db, Engine } from '../storage/tables.ts'
import { WORK_TOPIC } from './lease.ts'

const SETTING = 'clock_seen'
/** What comes a day late is still in time, and no fleet has clocks that differ by as much. */
const NOTICED_FROM_MS = DAY_MS

/**
 * Work that was done while the clock was ahead is due again when that time comes, which may be years away. Once the
 * clock has been set back all of it is due now: whoever looks at it plans anew. Says whether it was.
 */
export async function noticeWrongClock(db: Db, engine: Engine, now: number): Promise<boolean> {
  const seen = await db.selectFrom('settings').select('value').where('name', '=', SETTING).executeTakeFirst()
  const value = String(now)
  await db
    .insertInto('settings')
    .values({ name: SETTING, value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
  if (Number(seen?.value ?? now) < now + NOTICED_FROM_MS) return false
  const queues = await db.selectFrom('work').select('queue').distinct().where('due_at', '>', now).execute()
  await db
    .updateTable('work')
    .set((eb) => ({ due_at: now, revision: eb('revision', '+', 1) }))
    .where('due_at', '>', now)
    .execute()
  for (const { queue } of queues) await publishChange(db, engine, WORK_TOPIC, queue, now)
  return true
}
