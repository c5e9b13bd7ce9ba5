import { inLetters, quickHash } from './quick-hash.ts'

/**
 * A strong validator of exactly these bytes: 64 bits of a hash that is fast and not cryptographic, because nobody gains
 * by two answers of their own that look alike.
 */
export function etagOf(body: string): string {
  const { one, other, length } = quickHash(body)
  // Else bytes of zero at the end would not count.
  return `"${inLetters(one, other ^ length)}"`
}

/** A compressed form has bytes of its own, and so a strong validator of its own. */
export const encodedEtag = (etag: string, encoding: string) => `${etag.slice(0, -1)}-${encoding}"`

/** The tag of an `If-None-Match` that stands for the same content, whichever its encoding. */
export function matchingEtag(ifNoneMatch: string | undefined, etag: string): string | undefined {
  if (ifNoneMatch === undefined) return undefined
  if (ifNoneMatch === '*') return etag
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return tags.find((tag) => tag === etag || tag.replace(/-(?:br|gzip)"$/, '"') === etag)
}

/**
 * Whether an `If-Match` names the content that is there: a strong comparison (RFC 9110), so that a weak tag never does.
 * Without the header every content will do.
 */
export function isMatch(ifMatch: string | undefined, etag: string): boolean {
  if (ifMatch === undefined || ifMatch.trim() === '*') return true
  return ifMatch.split(',').some((tag) => tag.trim().replace(/-(?:br|gzip)"$/, '"') === etag)
}
