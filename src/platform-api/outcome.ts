import { NothingChanged, unconfirmed } from '../platform/errors.ts'
import type { AuditedStorage } from '../platform/storage/storage.ts'
import type { PublicCall } from './route.ts'

/** A storage for one call, and whether it has changed anything by now. */
export function noting(storage: AuditedStorage): Pick<PublicCall, 'storage' | 'hasChanged'> {
  let changed = false
  return {
    hasChanged: () => changed,
    storage: {
      ...storage,
      async write(write, input) {
        const outcome = await storage.write(write, input)
        changed = true
        return outcome
      },
    },
  }
}

/**
 * The database may go away between a change and what is read for the answer: that nothing was changed is then true of
 * the reading only, and whoever believes it would do everything twice.
 */
export function knowing({ hasChanged }: Pick<PublicCall, 'hasChanged'>, error: unknown): unknown {
  if (!(error instanceof NothingChanged) || !hasChanged()) return error
  return unconfirmed(error.why, error, error.retryAfterSeconds)
}
