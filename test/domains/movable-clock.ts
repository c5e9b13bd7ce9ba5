import { type Clock, systemClock } from '../../src/platform/clock.ts'

/** As fast as it may run beside pebble: attempts have minutes, of which a busy machine takes seconds. */
export const PEBBLE_SPEED = 10

/**
 * Runs with the machine's clock, and can be moved ahead: what sleeps until then wakes. It may also run so many times as
 * fast: pebble asks for pauses of seconds after work of milliseconds.
 */
export class MovableClock implements Clock {
  readonly #startedAt = systemClock.now()
  readonly #speed: number
  #aheadMs = 0
  readonly #sleepers = new Set<() => void>()

  constructor(speed = 1) {
    this.#speed = speed
  }

  now(): number {
    return this.#startedAt + (systemClock.now() - this.#startedAt) * this.#speed + this.#aheadMs
  }

  async sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
    const wakeAt = this.now() + delayMs
    const woken = new AbortController()
    const look = () => {
      if (this.now() >= wakeAt) woken.abort()
    }
    this.#sleepers.add(look)
    await systemClock.sleep(delayMs / this.#speed, signal ? AbortSignal.any([signal, woken.signal]) : woken.signal)
    this.#sleepers.delete(look)
  }

  advance(byMs: number): void {
    this.#aheadMs += byMs
    for (const look of this.#sleepers) look()
  }
}
