import { hash } from 'node:crypto'
import { invalid } from '../errors.ts'
import { type Int64, parseInt64 } from '../int64.ts'

/** 12 bytes: a whole number of characters, so that seal and id are encoded each by itself. */
const SEAL_CHARACTERS = 16

/**
 * An opaque position in a list: the last id seen, sealed together with what the list was a list of.
 * It works for the same project, environment and filter only.
 */
export function makeCursor(secret: string, list: string, lastId: Int64): string {
  // Cut short, a hash that begins with the secret cannot be extended; an HMAC object would cost ten times as much.
  const seal = hash('sha256', `${secret}\n${list}\n${lastId}`, 'base64url').slice(0, SEAL_CHARACTERS)
  return seal + Buffer.from(String(lastId), 'latin1').toString('base64url')
}

export function readCursor(secret: string, list: string, cursor: string): Int64 {
  const lastId = parseInt64(Buffer.from(cursor.slice(SEAL_CHARACTERS), 'base64url').toString('latin1'))
  // The decoder passes over what is no base64; only the one spelling that was given out is taken back. Compared
  // plainly: who guesses a seal has found a place in a list that is open to them anyway.
  if (lastId !== undefined && makeCursor(secret, list, lastId) === cursor) return lastId
  throw invalid(
    'cursor is not one that this list gave out: follow the Link header with rel="next", ' +
      'and keep the same filters and key.',
  )
}
