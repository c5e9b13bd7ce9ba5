import { DatabaseSync } from 'node:sqlite'

/**
 * Stops this process until it holds the file alone. A transaction could not hold what has transactions of its own, and
 * a lock of SQLite ends with its process, however that ends; a process number could be another's by then.
 */
export function lockFile(path: string): Disposable {
  const lock = new DatabaseSync(path, { timeout: TURN_MAX_MS })
  lock.exec('begin exclusive')
  return { [Symbol.dispose]: () => lock.close() }
}

/** Longer than any migration, and any build, takes on a single machine. */
const TURN_MAX_MS = 600_000
