import './tables.ts'
import { type RawBuilder, sql } from 'kysely'
import { publishChange } from '../storage/change-feed.ts'
import type { Db, Engine } from '../storage/tables.ts'

/** The right to work on one subject: it counts until another instance has taken it over. */
export interface Lease {
  readonly queue: string
  readonly subject: string
  /** The token of this lease alone. */
  readonly owner: string
  readonly revision: number
  readonly failures: number
  readonly dueAt: number
  /** How long it lasts after the last sign of life. */
  readonly leaseMs: number
}

/** Announced with the name of the queue when something in it is due at once. */
export const WORK_TOPIC = 'work'

/** Asks for a subject to be looked at by then; an earlier request stands. For the transaction that gives the reason. */
export async function scheduleWork(
  db: Db,
  engine: Engine,
  { queue, subject, dueAt, now }: { queue: string; subject: string; dueAt: number; now: number },
): Promise<void> {
  await db
    .insertInto('work')
    .values({ queue, subject, due_at: dueAt, revision: 1, failures: 0, owner: null, leased_until: null })
    .onConflict((conflict) =>
      conflict.columns(['queue', 'subject']).doUpdateSet((eb) => ({
        due_at: eb.case().when('work.due_at', '>', dueAt).then(dueAt).else(eb.ref('work.due_at')).end(),
        revision: eb('work.revision', '+', 1),
        failures: 0,
      })),
    )
    .execute()
  if (dueAt <= now) await publishChange(db, engine, WORK_TOPIC, queue, now)
}

const SUBJECTS_PER_STATEMENT = 500

/** Has subjects looked at now whose time has not come; what has failed waits as it did. */
export async function hurryWork(
  db: Db,
  engine: Engine,
  { queue, subjects, now }: { queue: string; subjects: readonly string[]; now: number },
): Promise<void> {
  for (let first = 0; first < subjects.length; first += SUBJECTS_PER_STATEMENT) {
    await db
      .updateTable('work')
      .set((eb) => ({ due_at: now, revision: eb('revision', '+', 1) }))
      .where('queue', '=', queue)
      .where('subject', 'in', subjects.slice(first, first + SUBJECTS_PER_STATEMENT))
      .where('due_at', '>', now)
      .where('failures', '=', 0)
      .execute()
  }
  await publishChange(db, engine, WORK_TOPIC, queue, now)
}

/** Nobody needs to look at it any more; whoever is at it finds that its lease has ended. */
export async function cancelWork(db: Db, queue: string, subject: string): Promise<void> {
  await db.deleteFrom('work').where('queue', '=', queue).where('subject', '=', subject).execute()
}

export interface Claim {
  queue: string
  now: number
  /** A token for each lease that is wanted. */
  owners: readonly string[]
  leaseMs: number
  /** Owners who are at their work in this process: while it stood still their leases may have run out. */
  busy: readonly string[]
  /** Subjects that are left to lie. */
  except?: readonly string[]
}

/** Leases on what has been due the longest; each is for one instance alone, whatever the clocks of the others say. */
export async function claimWork(db: Db, engine: Engine, claim: Claim): Promise<Lease[]> {
  const { queue, owners, now, leaseMs, busy, except = [] } = claim
  const free = db
    .selectFrom('work')
    .select('subject')
    .where('queue', '=', queue)
    .where('due_at', '<=', now)
    .where(isFree(engine, busy))
    .$if(except.length > 0, (query) => query.where('subject', 'not in', anyOf(engine, except)))
    .orderBy('due_at')
    .limit(owners.length)
  const rows = await (engine === 'postgres' ? free.forUpdate().skipLocked() : free).execute()
  const leases: Lease[] = []
  for (const [index, { subject }] of rows.entries()) {
    const owner = owners[index] as string
    const row = await db
      .updateTable('work')
      .set({ owner, leased_until: sql<number>`${databaseNow(engine)} + ${sql.lit(leaseMs)}` })
      .where('queue', '=', queue)
      .where('subject', '=', subject)
      .returning(['revision', 'failures', 'due_at'])
      .executeTakeFirst()
    if (!row) continue
    leases.push({ queue, subject, owner, leaseMs, revision: row.revision, failures: row.failures, dueAt: row.due_at })
  }
  return leases
}

/** Ends the lease as if nobody had claimed it: what is due stays due. */
export async function handBack(db: Db, { queue, subject, owner }: Lease): Promise<void> {
  await db
    .updateTable('work')
    .set({ owner: null, leased_until: null })
    .where('queue', '=', queue)
    .where('subject', '=', subject)
    .where('owner', '=', owner)
    .execute()
}

/** Whether the lease still counts. It then lasts as long again, and is ours until this transaction ends. */
export async function holdLease(db: Db, engine: Engine, lease: Lease): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('work')
    .set({ leased_until: sql<number>`${databaseNow(engine)} + ${sql.lit(lease.leaseMs)}` })
    .where('queue', '=', lease.queue)
    .where('subject', '=', lease.subject)
    .where('owner', '=', lease.owner)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * Ends the lease and says when to look again, never when `nextDueAt` is undefined. False when another instance has
 * taken over meanwhile: then nothing of the result may be kept, so ask before writing it.
 */
export async function finishWork(
  db: Db,
  engine: Engine,
  lease: Lease,
  { nextDueAt, failures = 0 }: { nextDueAt: number | undefined; failures?: number },
): Promise<boolean> {
  const mine = await db
    .selectFrom('work')
    .select(['revision', 'due_at'])
    .where('queue', '=', lease.queue)
    .where('subject', '=', lease.subject)
    .where('owner', '=', lease.owner)
    .$if(engine === 'postgres', (query) => query.forUpdate())
    .executeTakeFirst()
  if (!mine) return false
  const askedAgain = mine.revision !== lease.revision
  if (nextDueAt === undefined && !askedAgain) {
    await cancelWork(db, lease.queue, lease.subject)
    return true
  }
  const due_at = askedAgain ? Math.min(mine.due_at, nextDueAt ?? Infinity) : (nextDueAt as number)
  await db
    .updateTable('work')
    .set({ due_at, failures: askedAgain ? 0 : failures, owner: null, leased_until: null })
    .where('queue', '=', lease.queue)
    .where('subject', '=', lease.subject)
    .execute()
  return true
}

/** The first moment at which something in the queue becomes due, later than now. */
export async function nextDueAfter(db: Db, queue: string, now: number): Promise<number | undefined> {
  const row = await db
    .selectFrom('work')
    .select('due_at')
    .where('queue', '=', queue)
    .where('due_at', '>', now)
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst()
  return row?.due_at
}

/** When each of these subjects is looked at next; those that nobody has asked for are missing. */
export async function findDueTimes(db: Db, queue: string, subjects: readonly string[]): Promise<Map<string, number>> {
  if (subjects.length === 0) return new Map()
  const rows = await db
    .selectFrom('work')
    .select(['subject', 'due_at'])
    .where('queue', '=', queue)
    .where('subject', 'in', subjects)
    .execute()
  return new Map(rows.map(({ subject, due_at }) => [subject, due_at]))
}

export async function hasDueWork(
  db: Db,
  engine: Engine,
  { queue, now, busy, except = [] }: Pick<Claim, 'queue' | 'now' | 'busy' | 'except'>,
): Promise<boolean> {
  const row = await db
    .selectFrom('work')
    .select('subject')
    .where('queue', '=', queue)
    .where('due_at', '<=', now)
    .where(isFree(engine, busy))
    .$if(except.length > 0, (query) => query.where('subject', 'not in', anyOf(engine, except)))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

function isFree(engine: Engine, busy: readonly string[]) {
  const isOurs = busy.length > 0 ? sql<boolean>`owner in ${anyOf(engine, busy)}` : sql<boolean>`false`
  return sql<boolean>`(owner is null or (leased_until < ${databaseNow(engine)} and not ${isOurs}))`
}

/** One value, however many there are: each number of them would make a text of its own, and few are kept prepared. */
function anyOf(engine: Engine, texts: readonly string[]): RawBuilder<string> {
  const json = JSON.stringify(texts)
  return engine === 'postgres'
    ? sql`(select value from json_array_elements_text(${json}::json))`
    : sql`(select value from json_each(${json}))`
}

export const databaseNow = (engine: Engine): RawBuilder<number> =>
  engine === 'postgres'
    ? sql`(extract(epoch from clock_timestamp()) * 1000)::bigint`
    : sql`cast(unixepoch('subsec') * 1000 as integer)`
