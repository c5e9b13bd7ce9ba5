import { constants } from 'node:os'
import type { Clock } from './clock.ts'

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const
type StopSignal = (typeof SIGNALS)[number]

/** A signal to the whole group, such as Ctrl-C, comes again through npm, which passes it on: together they are one. */
export const SAME_REQUEST_MS = 200

export interface StopSignals {
  /** Resolves at the first signal; a second one ends the process at once. */
  readonly asked: Promise<StopSignal>
  /** From here on signals do what they do by default. */
  done(): void
}

export function listenForStop(clock: Clock): StopSignals {
  let resolveFirst: (signal: StopSignal) => void
  const asked = new Promise<StopSignal>((resolve) => (resolveFirst = resolve))
  let askedAt: number | undefined
  const onSignal = (signal: StopSignal) => {
    if (askedAt === undefined) {
      askedAt = clock.now()
      resolveFirst(signal)
    } else if (clock.now() - askedAt > SAME_REQUEST_MS) {
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
