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

/** Node's own: as a global it is found by a getter, which takes as long as the answer. */
export const { performance } = globalThis

export const systemClock: Clock = {
  now: () => Date.now(),
  async sleep(delayMs, signal) {
    let leftMs = delayMs
    for (; leftMs > TIMER_MAX_MS; leftMs -= TIMER_MAX_MS) await pause(TIMER_MAX_MS, signal)
    await pause(leftMs, signal)
  },
}

/** Timers have 31 bits for it, some 24 days: what is longer would end at once. */
const TIMER_MAX_MS = 2 ** 31 - 1

const pause = (delayMs: number, signal: AbortSignal | undefined): Promise<void> =>
  new Promise((resolve) => {
    if (signal?.aborted) return resolve()
    const finish = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', finish)
      resolve()
    }
    const timer = setTimeout(finish, Math.max(0, delayMs))
    signal?.addEventListener('abort', finish)
  })

/** Of how many parts a wait for others is made up. */
const PARTS = 10

/**
 * How long others are waited for, by the machine's time: aborts when this process has waited for so long and has read
 * what had come until then. A stall of its own, because others have the processor or the machine slept, counts as a
 * tenth of it at most: timers come before what arrived meanwhile, and whoever had answered would be called silent.
 */
export function patience(ms: number): { readonly signal: AbortSignal } & Disposable {
  const over = new AbortController()
  let left = PARTS
  let last: NodeJS.Immediate | undefined
  const timer = setTimeout(() => {
    if (--left > 0) timer.refresh()
    else last = setImmediate(() => over.abort(OUT_OF_TIME))
  }, ms / PARTS).unref()
  return {
    signal: over.signal,
    [Symbol.dispose]() {
      clearTimeout(timer)
      clearImmediate(last)
    },
  }
}

// Given, because Node would otherwise make an error with a trace.
const OUT_OF_TIME = 'out of time'

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
