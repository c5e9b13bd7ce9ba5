import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'

export const LOOK_EVERY_MS = 10
/** Below the runner's limit for a test, which would leave open whatever the test has opened. */
export const HUNG_AFTER_MS = 200_000

/** Looks until it is so. How long that takes says how busy the machine is, and nothing about the service. */
export async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const hungAt = performance.now() + HUNG_AFTER_MS
  while (!(await holds())) {
    assert.ok(performance.now() < hungAt, `it never happened: ${what}`)
    await wait(LOOK_EVERY_MS)
  }
}
