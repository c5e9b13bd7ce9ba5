import type { Clock } from '../clock.ts'
import { sql } from 'kysely'
import type { PostgresStorage } from './postgres/storage.ts'
import { nextNumber } from './sequence.ts'
import type { Storage } from './storage.ts'
import type { Db, Engine } from './tables.ts'

declare module './tables.ts' {
  interface Tables {
    notices: { seq: number; topic: string; subject: string; announced_at: number }
  }
}

const POLL_MS = 400
/** Numbers may become visible out of order on PostgreSQL: this many of the newest rows are looked at again. */
const OVERLAP = 200
const CHANNEL = 'petstore_notices'

/** Says, in the transaction that makes the change, what every instance has to forget. */
export async function publishChange(
  db: Db,
  engine: Engine,
  topic: string,
  subject: string,
  now: number,
): Promise<void> {
  const seq = await nextNumber(db, engine, 'notices')
  await db.insertInto('notices').values({ seq, topic, subject, announced_at: now }).execute()
  if (engine === 'postgres') await sql`select pg_notify(${CHANNEL}, ${topic})`.execute(db)
}

type Listener = (subject: string) => void

/**
 * Tells this process what any process has changed, within half a second: by LISTEN/NOTIFY where there is
 * one, and by looking at the table in any case, because a notification can be lost and a row cannot.
 */
export class ChangeFeed implements AsyncDisposable {
  readonly #storage: Storage
  readonly #clock: Clock
  readonly #listeners = new Map<string, Set<Listener>>()
  readonly #stop = new AbortController()
  readonly #seen = new Set<number>()
  #newest = 0
  #wake = new AbortController()
  #running: Promise<unknown> | undefined
  #version: number | undefined

  constructor(storage: Storage, clock: Clock) {
    this.#storage = storage
    this.#clock = clock
  }

  on(topic: string, listener: Listener): void {
    const listeners = this.#listeners.get(topic) ?? new Set()
    this.#listeners.set(topic, listeners.add(listener))
  }

  /** Resolves when everything published so far counts as seen; from then on listeners are called. */
  async start(): Promise<void> {
    for (const { seq } of await this.#recent()) this.#remember(seq)
    const loops = [this.#poll()]
    if (this.#storage.engine === 'postgres') loops.push(this.#listen(this.#storage as PostgresStorage))
    this.#running = Promise.all(loops)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort()
    this.#wake.abort()
    await this.#running
  }

  async #poll(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      await this.#clock.sleep(POLL_MS, this.#wake.signal)
      if (this.#wake.signal.aborted) this.#wake = new AbortController()
      // Looking again in 400 ms is the right answer to a database that is away.
      await this.catchUp().catch(() => {})
    }
  }

  /** Calls the listeners for everything that has been published: after a change of our own, it counts at once. */
  async catchUp(): Promise<void> {
    if (this.#stop.signal.aborted) return
    const version = this.#storage.version()
    if (version !== undefined && version === this.#version) return
    for (const { seq, topic, subject } of (await this.#recent()).toReversed()) {
      if (this.#seen.has(seq)) continue
      this.#remember(seq)
      for (const listener of this.#listeners.get(topic) ?? []) listener(subject)
    }
    for (const seq of this.#seen) if (seq < this.#newest - 2 * OVERLAP) this.#seen.delete(seq)
    this.#version = version
  }

  #remember(seq: number): void {
    this.#seen.add(seq)
    this.#newest = Math.max(this.#newest, seq)
  }

  #recent() {
    const unread = this.#storage.read.selectFrom('notices').select(['seq', 'topic', 'subject'])
    const since = unread.where('seq', '>', this.#newest - OVERLAP).orderBy('seq', 'desc')
    return (this.#newest === 0 ? since.limit(OVERLAP) : since).execute()
  }

  async #listen(storage: PostgresStorage): Promise<void> {
    const stopped = new Promise<void>((resolve) =>
      this.#stop.signal.addEventListener('abort', () => resolve(), { once: true }),
    )
    while (!this.#stop.signal.aborted) {
      try {
        const client = await storage.pool.connectApart(1000)
        const lost = new Promise<void>((resolve) => client.once('end', resolve))
        client.on('error', () => {})
        client.on('notification', () => this.#wake.abort())
        await client.query(`listen ${CHANNEL}`)
        await Promise.race([lost, stopped])
        await client.end().catch(() => {})
      } catch {
        // The poll goes on meanwhile.
      }
      await this.#clock.sleep(1000, this.#stop.signal)
    }
  }
}

/** Every instance has read a change long before this. */
const CHANGE_LIFE_MS = 3_600_000

export async function deleteOldChanges(db: Db, now: number): Promise<void> {
  await db
    .deleteFrom('notices')
    .where('announced_at', '<', now - CHANGE_LIFE_MS)
    .execute()
}
