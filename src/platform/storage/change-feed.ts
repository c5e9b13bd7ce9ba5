import type { Clock } from '../clock.ts'
import { sql } from 'kysely'
import { FreshSingleFlight } from '../single-flight.ts'
import { CHANNEL, PostgresNotices } from './postgres/notices.ts'
import type { PostgresStorage } from './postgres/storage.ts'
import { deleteSome } from './delete-some.ts'
import { nextNumber } from './sequence.ts'
import { SqliteNotices } from './sqlite/notices.ts'
import type { Notices, Storage } from './storage.ts'
import type { Db, Engine } from './tables.ts'

declare module './tables.ts' {
  interface Tables {
    notices: { seq: number; topic: string; subject: string; announced_at: number }
  }
}

const POLL_MS = 400

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

/** One that rejects is told again at the next look: a change that could not be read once must not be lost. */
type Listener = (subject: string) => unknown

/**
 * Tells this process what any process has changed, within half a second: by LISTEN/NOTIFY where there is
 * one, and by looking at the table in any case, because a notification can be lost and a row cannot.
 */
export class ChangeFeed implements AsyncDisposable {
  readonly #notices: Notices
  readonly #clock: Clock
  readonly #listeners = new Map<string, Set<Listener>>()
  readonly #gapListeners = new Set<Listener>()
  #unheard = new Map<Listener, Set<string>>()
  readonly #looks = new FreshSingleFlight<void>()
  readonly #stop = new AbortController()
  #wake = new AbortController()
  #running: Promise<unknown> | undefined
  #lookedAt: number | undefined

  constructor(storage: Storage, clock: Clock) {
    this.#notices =
      storage.engine === 'postgres'
        ? new PostgresNotices((storage as PostgresStorage).pool, () => this.#wake.abort())
        : new SqliteNotices(storage)
    this.#clock = clock
  }

  on(topic: string, listener: Listener): void {
    const listeners = this.#listeners.get(topic) ?? new Set()
    this.#listeners.set(topic, listeners.add(listener))
  }

  /** Changes may have been missed, as after a failover or a long sleep: everything that is remembered is in doubt. */
  onGap(listener: () => unknown): void {
    this.#gapListeners.add(listener)
  }

  /** Resolves when everything published so far counts as seen; from then on listeners are called. */
  async start(): Promise<void> {
    await this.#lookSoon()
    this.#running = this.#poll()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort()
    this.#wake.abort()
    await this.#running
    await this.#notices.end()
  }

  async #poll(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      await this.#clock.sleep(POLL_MS, this.#wake.signal)
      if (this.#wake.signal.aborted) this.#wake = new AbortController()
      // Looking again in 400 ms is the right answer to a database that is away.
      await this.#lookSoon().catch(() => {})
    }
  }

  /**
   * Calls the listeners for everything that has been published: after a change of our own, it counts at once. Where the
   * database cannot be looked into it counts as late as with every other process: the change is made, and whoever made
   * it must not be told otherwise.
   */
  async catchUp(): Promise<void> {
    await this.#lookSoon().catch(() => this.#wake.abort())
  }

  #lookSoon(): Promise<void> {
    return this.#looks.ask('', () => this.#look())
  }

  async #look(): Promise<void> {
    if (this.#stop.signal.aborted) return
    const now = this.#clock.now()
    const { gap, notices } = await this.#notices.read()
    const slept = Math.abs(now - (this.#lookedAt ?? now)) > CHANGE_LIFE_MS / 2
    this.#lookedAt = now
    const unheard = this.#unheard
    this.#unheard = new Map()
    for (const [listener, subjects] of unheard) for (const subject of subjects) this.#tell(listener, subject)
    if (gap || slept) for (const listener of this.#gapListeners) this.#tell(listener, '')
    for (const { topic, subject } of notices) {
      for (const listener of this.#listeners.get(topic) ?? []) this.#tell(listener, subject)
    }
  }

  #tell(listener: Listener, subject: string): void {
    // Begins at once, and nobody waits for it: one that is slow holds up no other.
    Promise.try(listener, subject).catch(() => {
      this.#unheard.getOrInsertComputed(listener, () => new Set()).add(subject)
    })
  }
}

/** Every instance has read a change long before this. */
const CHANGE_LIFE_MS = 3_600_000

/** A step; whether there was anything. There are no more of them than changes in an hour: they need no index. */
export function deleteOldChanges(db: Db, now: number): Promise<boolean> {
  return deleteSome(db, { table: 'notices', key: ['seq'], where: sql`announced_at < ${now - CHANGE_LIFE_MS}` })
}
