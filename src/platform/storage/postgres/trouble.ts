import { NothingChanged, PetstoreError, unconfirmed } from '../../errors.ts'

/** connection lost, insufficient resources, operator intervention, read-only server, system error */
const SERVER_TROUBLE = /^(?:08|53|57|58|25006|25P03)/
/** What the driver says without a code, and this folder's own sentences. */
const DRIVER_TROUBLE = /connection|terminated|timeout|not queryable|cannot use a pool|accepts writes|is a standby/i

/** The server itself gave a statement up: by `statement_timeout`, by an operator, by `lock_timeout`. */
export const LOCK_NOT_AVAILABLE = '55P03'
const GIVEN_UP = new Set(['57014', LOCK_NOT_AVAILABLE])
/** One was to be prepared by another that travelled before it and failed, or has to be prepared anew. */
export const NOT_PREPARED = '26000'
/** The server ended a transaction, such as one that had said nothing for too long; nothing of it was committed. */
export const IDLE_TRANSACTION_ENDED = '25P03'
/** How PgBouncer tells the same, and every other end of its connection to the server. */
const POOLER_LOST_SERVER = '08P01'
export const READ_ONLY = '25006'
const NONE_FREE = 'no connection was free in time'

/** The five characters by which PostgreSQL names what went wrong. */
export function sqlStateOf(error: unknown): string | undefined {
  const { code } = (error instanceof PetstoreError ? (error.cause ?? {}) : error) as { code?: string }
  return code
}

/** The connection ended, and the server's reason, if it had one, did not come through. */
export function isConnectionLost(error: unknown): boolean {
  const { code, message } = error as { code?: string; message?: string }
  return code === undefined ? message === 'Connection terminated unexpectedly' : /^E(?:PIPE|CONN[A-Z]+)$/.test(code)
}

/** What became of a transaction whose COMMIT was not sent, by what a pooler or the connection itself tells. */
export function toldBeforeCommit(error: unknown, pooled: boolean): unknown {
  const isOver = isConnectionLost(error) || (pooled && sqlStateOf(error) === POOLER_LOST_SERVER)
  if (!isOver) return error
  return Object.assign(new Error('the transaction was ended', { cause: error }), { code: IDLE_TRANSACTION_ENDED })
}

export const isGivenUp = (error: unknown) => GIVEN_UP.has(sqlStateOf(error) ?? '')

/** For somebody who waited for a connection that others have: no trouble of any server. */
export const noneFree = () => new Error(NONE_FREE)
export const isBusy = (error: unknown) => (error as Error).message === NONE_FREE

/** Whether an error speaks of the server or the way to it, and not of the statement. */
export function isServerTrouble(error: unknown): boolean {
  const { code, message, cause } = error as { code?: string; message?: string; cause?: unknown }
  if (code !== undefined) return SERVER_TROUBLE.test(code) || /^E[A-Z]+$/.test(code)
  return DRIVER_TROUBLE.test(message ?? '') || (cause !== undefined && isServerTrouble(cause))
}

export const notReached = (cause: unknown) => new NothingChanged('The database cannot be reached right now', cause, 2)

export const tookTooLong = (cause: unknown) => new NothingChanged('The database is too busy for this request', cause, 2)

/** A connection that breaks during COMMIT leaves the outcome unknown, and the sentence must not promise otherwise. */
export const notConfirmed = (cause: unknown) => unconfirmed('The database could not confirm this request', cause, 2)
