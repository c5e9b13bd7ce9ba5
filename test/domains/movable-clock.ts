import { type Clock, systemClock } from '../../src/platform/clock.ts'

/** Runs with the machine's clock, and can be moved ahead: what sleeps until then wakes. */
export class MovableClock implements Clock {
  #aheadMs = 0
  readonly #sleepers = new Set<() => void>()

  now(): number {
    return systemClock.now() + this.#aheadMs
  }

  async sleep(delayMs: number, signal?: AbortSignal): Promise<void> {
    const wakeAt = this.now() + delayMs
    const woken = new AbortController()
    const look = () => {
      if (this.now() >= wakeAt) woken.abort()
    }
    this.#sleepers.add(look)
    await systemClock.sleep(delayMs, signal ? AbortSignal.any([signal, woken.signal]) : woken.signal)
    this.#sleepers.delete(look)
  }

  advance(byMs: number): void {
    this.#aheadMs += byMs
    for (const look of this.#sleepers) look()
  }
}
