import assert from 'node:assert/strict'
import { setTimeout as wait } from 'node:timers/promises'

/** Soon at first, then less often: looking takes the processor from what is waited for. */
const LOOK_AGAIN_MS = { first: 5, most: 50 }
/** Below the runner's limit for a test, which would leave open whatever the test has opened. */
export const HUNG_AFTER_MS = 200_000

/**
 * Looks until it is so. How long that takes says how busy the machine is, and nothing about the service. A function as
 * `what` is asked when it never happens, and can say what was seen last.
 */
export async function until(what: string | (() => string), holds: () => boolean | Promise<boolean>): Promise<void> {
  const hungAt = performance.now() + HUNG_AFTER_MS
  for (let pauseMs = LOOK_AGAIN_MS.first; !(await holds()); pauseMs = Math.min(pauseMs * 1.3, LOOK_AGAIN_MS.most)) {
    if (performance.now() >= hungAt) assert.fail(`it never happened: ${typeof what === 'string' ? what : what()}`)
    await wait(pauseMs)
  }
}
