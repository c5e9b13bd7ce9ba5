import { accessSync, constants } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { StartError } from '../../start-error.ts'
import { ensurePrivateFile } from './private-file.ts'

/**
 * Stops this process until it holds the file alone. A transaction could not hold what has transactions of its own, and
 * a lock of SQLite ends with its process, however that ends; a process number could be another's by then.
 */
export function lockFile(path: string): Disposable {
  ensurePrivateFile(path)
  requireWritable(path)
  const lock = new DatabaseSync(path, { timeout: TURN_MAX_MS })
  lock.exec('begin exclusive')
  return { [Symbol.dispose]: () => lock.close() }
}

/** Longer than any migration, and any build, takes on a single machine. */
const TURN_MAX_MS = 600_000

/** Where a file can only be read SQLite gives it to any number of processes, and to none where it cannot be read. */
function requireWritable(path: string): void {
  try {
    accessSync(path, constants.R_OK | constants.W_OK)
  } catch {
    throw new StartError(
      `The lock ${path} belongs to another user, as after a command that was run as root. It is empty: remove it as ` +
        'that user, and run commands as the user who runs the service.',
    )
  }
}
