import type { Shared } from '../../main.ts'
import type { BuildOutcome } from '../../pages/dashboard-build.ts'
import type { MetricValues } from '../../platform/metrics.ts'

/** What a worker is started with. */
export interface WorkerData {
  /** Counts from 1; the one that takes the place of a dead worker has its number. */
  number: number
  shared: Shared
}

/** What a worker is asked for; each question has its answer. */
export interface Answers {
  metrics: MetricValues
  ready: undefined
  stopAccepting: undefined
}

/** What the main thread tells a worker. */
export type Order =
  | { kind: 'lead' | 'stop' }
  | { kind: 'dashboard'; outcome: BuildOutcome }
  | { kind: 'ask'; id: number; about: keyof Answers }

/** What a worker tells the main thread. */
export type Report =
  | { kind: 'serving'; greeting: string }
  | { kind: 'failed'; sentence: string }
  | { kind: 'answer'; id: number; value: Answers[keyof Answers] }
  | { kind: 'refusal'; id: number; reason: string }
