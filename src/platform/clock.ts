/**
 * Time is passed, never taken: this is the only file of the service that reads the machine's clock.
 * Tests pass a clock that they move by hand, so that sixty days are one line.
 */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number
  /** Resolves after `delayMs` of this clock's time, or as soon as the signal aborts. Never rejects. */
  sleep(delayMs: number, signal?: AbortSignal): Promise<void>
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (delayMs, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve()
      const finish = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', finish)
        resolve()
      }
      const timer = setTimeout(finish, Math.max(0, delayMs))
      signal?.addEventListener('abort', finish)
    }),
}

/** A clock that stands still until `advance` moves it; sleepers wake in the order of their times. */
export class ManualClock implements Clock {
  #now: number
  #sleepers: { at: number; wake: () => void }[] = []

  constructor(start: number) {
    this.#now = start
  }

  now(): number {
    return this.#now
  }

  sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
    if (delayMs <= 0 || signal?.aborted) return Promise.resolve()
    return new Promise((resolve) => {
      this.#sleepers.push({ at: this.#now + delayMs, wake: resolve })
      signal?.addEventListener('abort', () => resolve(), { once: true })
    })
  }

  advance(byMs: number): void {
    this.#now += byMs
    const due = this.#sleepers.filter((sleeper) => sleeper.at <= this.#now)
    this.#sleepers = this.#sleepers.filter((sleeper) => sleeper.at > this.#now)
    due.sort((a, b) => a.at - b.at)
    for (const sleeper of due) sleeper.wake()
  }
}

export const SECOND_MS = 1000
export const MINUTE_MS = 60 * SECOND_MS
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS
