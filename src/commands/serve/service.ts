import type { BuildOutcome } from '../../pages/dashboard-build.ts'

/** What `petstore serve` runs, in one thread or in several. */
export interface Service {
  /** What a person reads once it serves. */
  readonly greeting: string
  /** Resolves with the reason when nothing can be stored any more. */
  readonly failed: Promise<Error>
  /** The pages of the dashboard have been built, or not. */
  dashboardBuilt(outcome: BuildOutcome): void
  /** Lets the requests in flight finish. */
  stop(): Promise<'in order' | 'with failures'>
}
