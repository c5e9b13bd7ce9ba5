import { IDLE_TRANSACTION_ENDED, LOCK_NOT_AVAILABLE, NOT_PREPARED, sqlStateOf } from './trouble.ts'

/** For a lock that others keep these are 5 s. */
const TRIES_MAX = 7

/**
 * Serialisation failure, deadlock, a lock that was not to be had in time, and what was never begun: a statement by
 * itself did nothing then.
 */
export const AFTER_STATEMENT: ReadonlySet<string> = new Set(['40001', '40P01', LOCK_NOT_AVAILABLE, NOT_PREPARED])
/** A transaction did nothing either, also when it was ended because it had stopped for too long. */
export const AFTER_TRANSACTION: ReadonlySet<string> = new Set([...AFTER_STATEMENT, IDLE_TRANSACTION_ENDED])

/** Does it again after these states, in which nothing was done. */
export async function runAgain<T>(after: ReadonlySet<string>, work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (!after.has(sqlStateOf(error) ?? '') || tries === TRIES_MAX) throw error
    }
  }
}
