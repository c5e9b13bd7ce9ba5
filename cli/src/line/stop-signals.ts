import { constants } from 'node:os'
import type { Clock } from './clock.ts'

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const
type StopSignal = (typeof SIGNALS)[number]

/**
 * A signal to the whole group, such as Ctrl-C, comes again through npm, which passes it on when it gets round to it:
 * together they are one.
 */
export const SAME_REQUEST_MS = 3000
const OF_ONE_REQUEST = 2

export interface StopSignals {
  /** Resolves at the first signal. A third one ends the process at once, and so does a second that comes later. */
  readonly asked: Promise<StopSignal>
  /** From here on signals do what they do by default. */
  done(): void
}

export function listenForStop(clock: Clock): StopSignals {
  let resolveFirst: (signal: StopSignal) => void
  const asked = new Promise<StopSignal>((resolve) => (resolveFirst = resolve))
  let askedAt = 0
  let signals = 0
  const onSignal = (signal: StopSignal) => {
    if (++signals === 1) {
      askedAt = clock.now()
      resolveFirst(signal)
    } else if (signals > OF_ONE_REQUEST || clock.now() - askedAt > SAME_REQUEST_MS) {
      process.exit(128 + constants.signals[signal])
    }
  }
  for (const signal of SIGNALS) process.on(signal, onSignal)
  return {
    asked,
    done() {
      for (const signal of SIGNALS) process.off(signal, onSignal)
    },
  }
}
