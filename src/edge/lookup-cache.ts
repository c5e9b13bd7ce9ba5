import type { Clock } from '../platform/clock.ts'
import { Lru } from './lru.ts'

interface LookupCacheOptions<Value> {
  look: (key: string) => Promise<Value>
  clock: Clock
  entriesMax: number
  /** A safety net: whatever changes is dropped by name long before. */
  lifeMs?: number
}

interface Entry<Value> {
  value: Value
  staleAt: number
}

/**
 * Answers from the database, at once when known. Many who ask for the same key cause one look-up; what is dropped
 * while it is being looked up is not kept. While the database is away, old answers go on counting.
 */
export class LookupCache<Value> {
  readonly #options: Required<LookupCacheOptions<Value>>
  readonly #known: Lru<Entry<Value>>
  readonly #lookups = new Map<string, Promise<Value>>()

  constructor(options: LookupCacheOptions<Value>) {
    this.#options = { lifeMs: 60_000, ...options }
    this.#known = new Lru(options.entriesMax)
  }

  get(key: string): Value | Promise<Value> {
    const entry = this.#known.get(key)
    if (entry === undefined) return this.#lookUp(key)
    // A stale answer is given while its successor is looked up.
    if (entry.staleAt <= this.#options.clock.now()) this.#lookUp(key).catch(() => {})
    return entry.value
  }

  drop(key: string): void {
    this.#known.delete(key)
    this.#lookups.delete(key)
  }

  #lookUp(key: string): Promise<Value> {
    const running = this.#lookups.get(key)
    if (running !== undefined) return running
    const lookup: Promise<Value> = Promise.try(this.#options.look, key)
      .then((value) => {
        const { clock, lifeMs } = this.#options
        if (this.#lookups.get(key) === lookup) this.#known.set(key, { value, staleAt: clock.now() + lifeMs })
        return value
      })
      .finally(() => {
        if (this.#lookups.get(key) === lookup) this.#lookups.delete(key)
      })
    this.#lookups.set(key, lookup)
    return lookup
  }
}
