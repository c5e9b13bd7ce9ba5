import { setTimeout as wait } from 'node:timers/promises'

/** Time is passed to commands, never taken: this is the only file of the command line that reads the clock. */
export interface Clock {
  /** Milliseconds since the Unix epoch. */
  now(): number
  /** Resolves after `delayMs`, or as soon as the signal aborts. Never rejects. */
  sleep(delayMs: number, signal?: AbortSignal): Promise<void>
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (delayMs, signal) => wait(Math.max(0, delayMs), undefined, signal && { signal }).catch(() => {}),
}
