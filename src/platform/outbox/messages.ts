import './tables.ts'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import { deleteSome, deleteSomeOf } from '../storage/delete-some.ts'
import type { Db, Tables } from '../storage/tables.ts'
import { AT_ONCE, HELD } from './due.ts'

export type Message = Selectable<Tables['outbox_messages']>

/** How much of what is due is looked at: a resource that fills it makes others wait until it is told of. */
const WINDOW = 2000

/**
 * Who has messages of which this is so, as `found (subscriber)` for a statement that follows. By skipping from one
 * subscriber to the next in an index: it costs as much as there are subscribers, however many messages they have.
 */
const withSubscribers = (what: RawBuilder<unknown>) => sql`with recursive found (subscriber) as (
  select min(subscriber) from outbox_messages where ${what}
  union all
  select (
    select min(next.subscriber) from outbox_messages as next
    where ${what} and next.subscriber > found.subscriber
  ) from found where found.subscriber is not null
)`
const ANYTHING = sql`true`
const WAITING = sql`due_at is not null`

/** Who has something due. */
export async function findDueSubscribers(db: Db, now: number): Promise<string[]> {
  const { rows } = await sql<{ subscriber: string }>`${withSubscribers(WAITING)}
    select subscriber from found where subscriber is not null and exists (
      select 1 from outbox_messages as due where due.subscriber = found.subscriber and due.due_at <= ${now}
    )`.execute(db)
  return rows.map(({ subscriber }) => subscriber)
}

export interface DueMessages {
  /** The first that waits of each of some resources, if it is due. */
  due: Message[]
  /** Resources whose first message waits for later, so that the others have to. */
  heldBack: { resource: string; until: number }[]
}

/** What can be told now: of each resource no more than the first message that waits; the oldest resources first. */
export async function findDueMessages(
  db: Db,
  subscriber: string,
  { now, resourcesMax, except }: { now: number; resourcesMax: number; except: ReadonlySet<string> },
): Promise<DueMessages> {
  const window = db
    .selectFrom('outbox_messages')
    .select(['resource', 'seq'])
    .where('subscriber', '=', subscriber)
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .orderBy('seq')
    .limit(WINDOW)
    .as('window')
  const oldestFirst = db.selectFrom(window).select('resource').groupBy('resource')
  const due = await oldestFirst.orderBy((of) => of.fn.min('seq')).execute()
  const resources = due.map(({ resource }) => resource).filter((resource) => !except.has(resource))
  if (resources.length === 0) return { due: [], heldBack: [] }
  const firsts = await db
    .selectFrom('outbox_messages')
    .selectAll()
    .where('subscriber', '=', subscriber)
    .where('seq', 'in', (eb) =>
      eb
        .selectFrom('outbox_messages as first')
        .select((of) => of.fn.min('first.seq').as('seq'))
        .where('first.subscriber', '=', subscriber)
        .where('first.due_at', 'is not', null)
        .where('first.resource', 'in', resources.slice(0, resourcesMax))
        .groupBy('first.resource'),
    )
    .orderBy('seq')
    .execute()
  const isDue = (message: Message) => (message.due_at as number) <= now
  return {
    due: firsts.filter(isDue),
    heldBack: firsts
      .filter((message) => !isDue(message))
      .map(({ resource, due_at: until }) => ({ resource, until: until as number })),
  }
}

/** The later messages of a resource wait for its first one. */
export async function holdBack(db: Db, subscriber: string, resource: string, until: number): Promise<void> {
  await db
    .updateTable('outbox_messages')
    .set({ due_at: until })
    .where('subscriber', '=', subscriber)
    .where('resource', '=', resource)
    .where('due_at', '<', until)
    .execute()
}

export interface Told {
  message: Pick<Message, 'subscriber' | 'seq' | 'resource' | 'attempts' | 'first_attempt_at'>
  /** Undefined once nothing more is to be done. */
  nextDueAt: number | undefined
  delivered: boolean
  now: number
}

/** After an attempt; what follows in the same resource waits as long, or no longer. */
export async function recordTold(db: Db, { message, nextDueAt, delivered, now }: Told): Promise<void> {
  const { subscriber, seq, resource, attempts, first_attempt_at } = message
  await db
    .updateTable('outbox_messages')
    .set({
      due_at: nextDueAt ?? null,
      attempts: attempts + 1,
      first_attempt_at: first_attempt_at ?? now,
      ...(delivered ? { delivered_at: now } : {}),
    })
    .where('subscriber', '=', subscriber)
    .where('seq', '=', seq)
    .execute()
  if (nextDueAt !== undefined) return holdBack(db, subscriber, resource, nextDueAt)
  // Whoever waited for this one alone need not any longer.
  if (attempts === 0) return
  await db
    .updateTable('outbox_messages')
    .set({ due_at: AT_ONCE })
    .where('subscriber', '=', subscriber)
    .where('resource', '=', resource)
    .where('due_at', 'is not', null)
    .where('attempts', '=', 0)
    .execute()
}

/** After an attempt from which nothing follows: the message is as due as it was. */
export async function countAttempt(db: Db, { subscriber, seq, attempts }: Told['message']): Promise<void> {
  const told = db.updateTable('outbox_messages').where('subscriber', '=', subscriber).where('seq', '=', seq)
  await told.set({ attempts: attempts + 1 }).execute()
}

/** Nothing is told until it is let go. */
export async function holdMessages(db: Db, subscriber: string): Promise<void> {
  const waiting = db.updateTable('outbox_messages').where('subscriber', '=', subscriber).where('due_at', '<', HELD)
  await waiting.set({ due_at: HELD, first_attempt_at: null }).execute()
}

export async function releaseMessages(db: Db, subscriber: string): Promise<void> {
  const waiting = db.updateTable('outbox_messages').where('subscriber', '=', subscriber).where('due_at', 'is not', null)
  await waiting.set({ due_at: AT_ONCE }).execute()
}

/** Of what waits, where nothing of a project could be told for a while: its subscribers have all their time again. */
export async function forgetFirstAttempts(db: Db, projectId: number): Promise<void> {
  const ofProject = db.updateTable('outbox_messages').where('project_id', '=', projectId)
  const tried = ofProject.where('due_at', 'is not', null).where('first_attempt_at', 'is not', null)
  await tried.set({ first_attempt_at: null }).execute()
}

/** Tells once more what has been told, or given up; false where there is no such message, or where it waits anyway. */
export async function tellAgain(db: Db, subscriber: string, id: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('outbox_messages')
    .set({ due_at: AT_ONCE, first_attempt_at: null, delivered_at: null })
    .where('subscriber', '=', subscriber)
    .where('id', '=', id)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function findMessage(db: Db, subscriber: string, id: string): Promise<Message | undefined> {
  return db
    .selectFrom('outbox_messages')
    .selectAll()
    .where('subscriber', '=', subscriber)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Newest first; `before` is the number of the last one seen. */
export async function listMessages(
  db: Db,
  subscriber: string,
  page: { before?: number | undefined; limit: number },
): Promise<Message[]> {
  return db
    .selectFrom('outbox_messages')
    .selectAll()
    .where('subscriber', '=', subscriber)
    .$if(page.before !== undefined, (query) => query.where('seq', '<', page.before as number))
    .orderBy('seq', 'desc')
    .limit(page.limit)
    .execute()
}

/** How many wait, or `enough` where it is at least that many. */
export async function countWaiting(db: Db, subscriber: string, enough: number): Promise<number> {
  const waiting = db
    .selectFrom('outbox_messages')
    .select('seq')
    .where('subscriber', '=', subscriber)
    .where('due_at', 'is not', null)
    .limit(enough)
    .as('waiting')
  const { count } = await db
    .selectFrom(waiting)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Forgets what has been told beyond the newest `kept`; says below which number nothing is left. */
export async function forgetTold(db: Db, subscriber: string, kept: number): Promise<number | undefined> {
  const oldest = await db
    .selectFrom('outbox_messages')
    .select('seq')
    .where('subscriber', '=', subscriber)
    .where('due_at', 'is', null)
    .orderBy('seq', 'desc')
    .offset(kept)
    .limit(1)
    .executeTakeFirst()
  if (!oldest) return undefined
  await db
    .deleteFrom('outbox_messages')
    .where('subscriber', '=', subscriber)
    .where('due_at', 'is', null)
    .where('seq', '<=', oldest.seq)
    .execute()
  return oldest.seq
}

const KEY = ['subscriber', 'seq'] as const

/**
 * A step; whether there was anything. All that may wait for a subscriber, 100,000 messages, would take seconds on
 * SQLite, for which every other write waits: what is left when it is gone, the sweep takes away.
 */
export const forgetSome = (db: Db, subscriber: string): Promise<boolean> =>
  deleteSome(db, { table: 'outbox_messages', key: KEY, where: sql`subscriber = ${subscriber}`, order: sql`seq` })

/** What is of nobody of `known`, a query of subscribers, told or not. A step; whether there was anything. */
export async function deleteStrayMessages(db: Db, known: RawBuilder<unknown>): Promise<boolean> {
  for (const subscriber of await findOthers(db, ANYTHING, known)) if (await forgetSome(db, subscriber)) return true
  return false
}

/** Who has such messages and is not among those of a query. */
async function findOthers(db: Db, what: RawBuilder<unknown>, known: RawBuilder<unknown>): Promise<string[]> {
  const { rows } = await sql<{ subscriber: string }>`${withSubscribers(what)}
    select subscriber from found where subscriber is not null and subscriber not in (${known})`.execute(db)
  return rows.map(({ subscriber }) => subscriber)
}

/**
 * What nobody has taken for so long is of no use to anybody, told or not; what waits for one of `keptFor`, a query of
 * subscribers, has time left. A step; whether there was anything. On PostgreSQL a message that is told again meanwhile
 * stays: it is not as due as it was.
 */
export async function deleteOldMessages(db: Db, before: number, keptFor: RawBuilder<unknown>): Promise<boolean> {
  const table = 'outbox_messages'
  const told = sql`due_at is null`
  if (await deleteSome(db, { table, key: KEY, where: sql`${told} and created_at < ${before}`, still: told }))
    return true
  for (const subscriber of await findOthers(db, WAITING, keptFor)) {
    const old = sql`subscriber = ${subscriber} and due_at is not null and created_at < ${before}`
    // Asked again, as those before it may have taken a while; by a query of its own once, and not for each message.
    const where = sql`${old} and (select ${subscriber} not in (${keptFor}))`
    if (await deleteSome(db, { table, key: [...KEY, 'due_at'], where, order: sql`due_at, seq` })) return true
  }
  return false
}

export const deleteSomeMessages = deleteSomeOf('outbox_messages', KEY)
