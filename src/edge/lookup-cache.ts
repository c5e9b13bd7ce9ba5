import type { Clock } from '../platform/clock.ts'
import { SingleFlight } from '../platform/single-flight.ts'
import { Lru } from './lru.ts'

interface LookupCacheNeeds<Value> {
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
  readonly #needs: Required<LookupCacheNeeds<Value>>
  readonly #known: Lru<Entry<Value>>
  readonly #lookups = new SingleFlight<Value>()

  constructor(needs: LookupCacheNeeds<Value>) {
    this.#needs = { lifeMs: 60_000, ...needs }
    this.#known = new Lru(needs.entriesMax)
  }

  get(key: string): Value | Promise<Value> {
    const entry = this.#known.get(key)
    if (entry === undefined) return this.#lookUp(key)
    // A stale answer is given while its successor is looked up.
    if (entry.staleAt <= this.#needs.clock.now()) this.#lookUp(key).catch(() => {})
    return entry.value
  }

  drop(key: string): void {
    this.#known.delete(key)
    this.#lookups.drop(key)
  }

  /** Changes may have been missed. */
  clear(): void {
    for (const key of this.#known.keys()) this.drop(key)
  }

  #lookUp(key: string): Promise<Value> {
    return this.#lookups.join(key, async (isCurrent) => {
      const { look, clock, lifeMs } = this.#needs
      const value = await look(key)
      if (isCurrent()) this.#known.set(key, { value, staleAt: clock.now() + lifeMs })
      return value
    })
  }
}
