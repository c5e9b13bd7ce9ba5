import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../platform/clock.ts'

/** After the first, the second, … attempt; the last one again and again. */
const PAUSES_MS = [
  5 * SECOND_MS,
  30 * SECOND_MS,
  2 * MINUTE_MS,
  10 * MINUTE_MS,
  30 * MINUTE_MS,
  HOUR_MS,
  2 * HOUR_MS,
  4 * HOUR_MS,
  8 * HOUR_MS,
]
/** A part of the pause that is left to chance, so that what failed together does not come back together. */
const SPREAD = 0.2

/** How long one message is tried. */
export const TRIED_FOR_MS = 3 * DAY_MS

/** When a message that has failed is tried again, or undefined when its three days are over. */
export function nextAttemptAt(
  { attempts, firstAttemptAt }: { attempts: number; firstAttemptAt: number },
  now: number,
  random: number,
): number | undefined {
  const pauseMs = PAUSES_MS[Math.min(attempts, PAUSES_MS.length) - 1] as number
  const at = now + Math.round(pauseMs * (1 + SPREAD * random))
  return at - firstAttemptAt > TRIED_FOR_MS ? undefined : at
}
