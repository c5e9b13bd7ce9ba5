/** What several ask for at once is asked once: whoever comes while it is on its way joins those who wait. */
export class SingleFlight<Value> {
  readonly #flights = new Map<string, Promise<Value>>()

  get size(): number {
    return this.#flights.size
  }

  /** What is on its way. */
  get(key: string): Promise<Value> | undefined {
    return this.#flights.get(key)
  }

  /** `isCurrent` tells `find`, once it has waited for something, whether the key was dropped meanwhile. */
  join(key: string, find: (isCurrent: () => boolean) => Promise<Value>): Promise<Value> {
    const running = this.#flights.get(key)
    if (running !== undefined) return running
    const isCurrent = () => this.#flights.get(key) === flight
    const flight: Promise<Value> = Promise.try(find, isCurrent).finally(() => {
      if (isCurrent()) this.#flights.delete(key)
    })
    this.#flights.set(key, flight)
    return flight
  }

  /** Whoever asks from now on asks anew. */
  drop(key: string): void {
    this.#flights.delete(key)
  }
}

/**
 * The same for answers that must not be older than the call: a caller only ever joins a question that has not been
 * sent yet. One question of a kind is on its way at a time.
 */
export class FreshSingleFlight<Value> {
  readonly #gathering = new SingleFlight<Value>()
  readonly #sent = new SingleFlight<Value>()

  ask(question: string, find: () => Promise<Value>): Promise<Value> {
    return this.#gathering.join(question, async () => {
      await this.#sent.get(question)?.catch(() => {})
      // Callers of this turn of the event loop still join.
      await new Promise((resolve) => setImmediate(resolve))
      this.#gathering.drop(question)
      return this.#sent.join(question, find)
    })
  }
}

/**
 * Made for the first who asks, and kept. Whoever comes while it is being made waits for the same; after a failure it is
 * made again for the next.
 */
export function makeOnce<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined
      throw error
    })
    return made
  }
}
