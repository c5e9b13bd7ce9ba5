import './tables.ts'
import { sql } from 'kysely'
import { MINUTE_MS } from '../clock.ts'
import { iso, isoOrNull } from '../iso-date.ts'
import { type BoundedCount, countSome } from '../storage/bounded-count.ts'
import type { Storage } from '../storage/storage.ts'
import type { Db } from '../storage/tables.ts'
import { databaseNow, nextDueAfter } from './lease.ts'
import { FAILURE_PAUSE_MAX_MS } from './runner.ts'

/** What waits in one queue. */
export interface QueueView {
  queue: string
  /** All that will be looked at, most of it long after now. */
  waiting: BoundedCount
  due: BoundedCount
  /** Due for more than a minute, and nobody is at it. */
  late: number
  underWay: number
  /** Whose last try ended in an error that nobody expected. */
  retrying: number
  oldestDueAt: string | null
  nextDueAt: string | null
}

/** One thing that is late, or is being tried again. */
export interface PressingView {
  queue: string
  subject: string
  dueAt: string
  /** Tries in a row that failed. */
  failures: number
  isUnderWay: boolean
}

const LATE_AFTER_MS = MINUTE_MS
/** More of one queue are not read: by then it is known that something is wrong. */
const READ_MAX = 2000
const PRESSING_MAX = 20

type Reader = Pick<Storage, 'read' | 'engine'>

/**
 * What the background has to do, and what of it is pressing, the longest due first. Reads a stretch of an index for
 * each queue, never all of it: the requests of others do not wait for the operator's look.
 */
export async function readBacklog(
  storage: Reader,
  now: number,
): Promise<{ queues: QueueView[]; pressing: PressingView[] }> {
  const queues: QueueView[] = []
  const pressing: PressingView[] = []
  for (const queue of await queueNames(storage.read)) {
    const rows = await soonDue(storage, queue, now)
    const due = rows.filter(({ due_at }) => due_at <= now)
    const isLate = ({ due_at, isHeld }: (typeof rows)[number]) => due_at < now - LATE_AFTER_MS && !isHeld
    queues.push({
      queue,
      waiting: await countSome(
        storage.read,
        storage.read.selectFrom('work').select('subject').where('queue', '=', queue),
      ),
      due: { count: due.length, more: due.length === READ_MAX },
      late: due.filter(isLate).length,
      underWay: rows.filter(({ isHeld }) => isHeld).length,
      retrying: rows.filter(({ failures }) => failures > 0).length,
      oldestDueAt: isoOrNull(due[0]?.due_at),
      nextDueAt: isoOrNull(await nextDueAfter(storage.read, queue, now)),
    })
    for (const row of rows.filter((each) => isLate(each) || each.failures > 0).slice(0, PRESSING_MAX)) {
      const { subject, due_at, failures, isHeld } = row
      pressing.push({ queue, subject, dueAt: iso(due_at), failures, isUnderWay: Boolean(isHeld) })
    }
  }
  pressing.sort((a, b) => (a.dueAt < b.dueAt ? -1 : 1))
  return { queues, pressing: pressing.slice(0, PRESSING_MAX) }
}

/** One step in the index for each. */
async function queueNames(db: Db): Promise<string[]> {
  const names: string[] = []
  for (;;) {
    const after = names.at(-1) ?? ''
    const next = await db
      .selectFrom('work')
      .select('queue')
      .where('queue', '>', after)
      .orderBy('queue')
      .limit(1)
      .executeTakeFirst()
    if (!next) return names
    names.push(next.queue)
  }
}

/** Whatever failed is due again within the longest pause. */
async function soonDue({ read, engine }: Reader, queue: string, now: number) {
  return read
    .selectFrom('work')
    .select([
      'subject',
      'due_at',
      'failures',
      sql<boolean>`(owner is not null and leased_until >= ${databaseNow(engine)})`.as('isHeld'),
    ])
    .where('queue', '=', queue)
    .where('due_at', '<=', now + FAILURE_PAUSE_MAX_MS)
    .orderBy('due_at')
    .limit(READ_MAX)
    .execute()
}
