/** `If-None-Match`: true when the client already has this representation (weak comparison, RFC 9110). */
export function alreadyHeld(ifNoneMatch: string, etag: string): boolean {
  if (ifNoneMatch === etag || ifNoneMatch.trim() === '*') return true
  return ifNoneMatch.match(ENTITY_TAG)?.some((tag) => tag.replace(/^W\//, '') === etag) ?? false
}

/** `If-Match`: true when the client asks for this representation or for any (strong comparison). */
export function isWanted(ifMatch: string, etag: string): boolean {
  if (ifMatch === etag || ifMatch.trim() === '*') return true
  return ifMatch.match(ENTITY_TAG)?.includes(etag) ?? false
}

export interface ByteRange {
  start: number
  /** The first byte that is no longer part of it. */
  end: number
}

/**
 * The one range that a `Range` header asks for. Undefined means that the whole file answers: another unit,
 * a malformed header, or several ranges, which a server may decline.
 */
export function rangeOf(header: string, bytes: number): ByteRange | 'unsatisfiable' | undefined {
  const [, first, last] = SINGLE_RANGE.exec(header.trim()) ?? []
  if (first === undefined || last === undefined || (first === '' && last === '')) return undefined
  if (first === '') {
    const wanted = Math.min(Number(last), bytes)
    return wanted === 0 ? 'unsatisfiable' : { start: bytes - wanted, end: bytes }
  }
  const start = Number(first)
  if (last !== '' && Number(last) < start) return undefined
  if (start >= bytes) return 'unsatisfiable'
  return { start, end: last === '' ? bytes : Math.min(Number(last) + 1, bytes) }
}

const ENTITY_TAG = /(?:W\/)?"[^"]*"/g
const SINGLE_RANGE = /^bytes=(\d*)-(\d*)$/i
