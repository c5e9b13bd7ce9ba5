import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../platform/clock.ts'
import { readRetryAfter } from '../../platform/http/wire/retry-after.ts'
import type { Sent } from './send.ts'

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

/** The longest that a receiver can ask for with `Retry-After`; whoever asks for more is tried again by then. */
const ASKED_MS_MAX = HOUR_MS

/** How long one message is tried. */
export const TRIED_FOR_MS = 3 * DAY_MS

/** Statuses whose `Retry-After` says how long the whole endpoint is to be left alone. */
const BUSY = new Set<number | null>([429, 503])

/** How long a receiver that is busy asks to be left alone, within bounds; 0 where it does not ask. */
export function askedPauseMs({ status, retryAfter }: Pick<Sent, 'status' | 'retryAfter'>, now: number): number {
  const asked = BUSY.has(status) ? readRetryAfter(retryAfter, now) : undefined
  return Math.min(asked ?? 0, ASKED_MS_MAX)
}

/** Who is back after a long silence waits no longer than that. */
const SILENCE_PAUSE_MS_MAX = 2 * MINUTE_MS

/** How long an endpoint is left alone that let everything time out: as long again as it has been doing so. */
export const silencePauseMs = (silenceMs: number) =>
  Math.min(Math.max(silenceMs, PAUSES_MS[0] as number), SILENCE_PAUSE_MS_MAX)

/**
 * When a message that has failed is tried again, or undefined when its three days are over. A pause that the receiver
 * has asked for is the endpoint's, and not in here: whoever ends it would find the messages still waiting.
 */
export function nextAttemptAt(
  { attempts, firstAttemptAt }: { attempts: number; firstAttemptAt: number },
  now: number,
  random: number,
): number | undefined {
  const pauseMs = PAUSES_MS[Math.min(attempts, PAUSES_MS.length) - 1] as number
  const at = now + Math.round(pauseMs * (1 + SPREAD * random))
  return at - firstAttemptAt > TRIED_FOR_MS ? undefined : at
}
