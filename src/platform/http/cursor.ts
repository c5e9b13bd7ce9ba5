import { hash, timingSafeEqual } from 'node:crypto'
import { invalid } from '../errors.ts'
import { type Int64, parseInt64 } from '../int64.ts'

const MAC_BYTES = 12

/**
 * An opaque position in a list: the last id seen, sealed together with what the list was a list of.
 * It works for the same project, environment and filter only.
 */
export function makeCursor(secret: string, list: string, lastId: Int64): string {
  return Buffer.concat([macOf(secret, list, lastId), Buffer.from(String(lastId), 'latin1')]).toString('base64url')
}

export function readCursor(secret: string, list: string, cursor: string): Int64 {
  const bytes = Buffer.from(cursor, 'base64url')
  // The decoder passes over what is no base64; only the one spelling that was given out is taken back.
  const lastId =
    bytes.toString('base64url') === cursor ? parseInt64(bytes.subarray(MAC_BYTES).toString('latin1')) : undefined
  if (lastId !== undefined && timingSafeEqual(bytes.subarray(0, MAC_BYTES), macOf(secret, list, lastId))) return lastId
  throw invalid(
    'cursor is not one that this list gave out: follow the Link header with rel="next", ' +
      'and keep the same filters and key.',
  )
}

function macOf(secret: string, list: string, lastId: Int64): Buffer {
  // Cut short, a hash that begins with the secret cannot be extended; an HMAC object would cost ten times as much.
  return hash('sha256', `${secret}\n${list}\n${lastId}`, 'buffer').subarray(0, MAC_BYTES)
}
