import { unavailable } from '../../errors.ts'

/** connection lost, insufficient resources, operator intervention, read-only server, system error */
const SERVER_TROUBLE = /^(?:08|53|57|58|25006)/
/** What the driver says without a code, and this folder's own sentence. */
const DRIVER_TROUBLE = /connection|terminated|timeout|not queryable|cannot use a pool|accepts writes/i

/** Whether an error speaks of the server or the way to it, and not of the statement. */
export function isServerTrouble(error: unknown): boolean {
  const { code, message, cause } = error as { code?: string; message?: string; cause?: unknown }
  if (code !== undefined) return SERVER_TROUBLE.test(code) || /^E[A-Z]+$/.test(code)
  return DRIVER_TROUBLE.test(message ?? '') || (cause !== undefined && isServerTrouble(cause))
}

export const notReached = (cause: unknown) =>
  unavailable('The database cannot be reached right now. Nothing was changed: send the request again.', cause, 2)

/** A connection that breaks during COMMIT leaves the outcome unknown, and the sentence must not promise otherwise. */
export const notConfirmed = (cause: unknown) =>
  unavailable(
    'The database could not confirm this request. Send it again; with an Idempotency-Key nothing is stored twice.',
    cause,
    2,
  )
