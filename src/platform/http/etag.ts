import { hash } from 'node:crypto'

/**
 * A strong validator of exactly these bytes. SHA-1, because nobody gains by two answers of their own that look alike,
 * and it takes 2.4 µs for a page of animals where SHA-256 takes 4.5.
 */
export function etagOf(body: string): string {
  return `"${hash('sha1', body, 'base64url').slice(0, 22)}"`
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
