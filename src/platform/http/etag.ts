const utf8 = new TextEncoder()
/** Of UTF-8, for one character of a text. */
const CHARACTER_BYTES_MAX = 3
const WORD_BYTES = 4

const roomFor = (characters: number) => {
  const words = new Int32Array(Math.ceil((characters * CHARACTER_BYTES_MAX) / WORD_BYTES))
  return { characters, words, bytes: new Uint8Array(words.buffer) }
}
const sharedRoom = roomFor(20_000)

/**
 * A strong validator of exactly these bytes: 64 bits of a hash that is fast and not cryptographic, because nobody gains
 * by two answers of their own that look alike.
 */
export const etagOf = (body: string): string => `"${quickHash(body)}"`

/**
 * Digits, `-` and `_`, for what nobody gains by forging. OpenSSL's SHA-1 takes 4 µs of a request however short the text
 * is. Four bytes at a time, because V8 takes longer to find a character than to work on it: 1 µs for a page of 20
 * animals instead of 4.
 */
export function quickHash(text: string): string {
  const { words, bytes } = text.length <= sharedRoom.characters ? sharedRoom : roomFor(text.length)
  const length = utf8.encodeInto(text, bytes).written
  for (let at = length; at % WORD_BYTES !== 0; at++) bytes[at] = 0
  let one = 0xdeadbeef | 0
  let other = 0x41c6ce57
  for (let at = 0; at * WORD_BYTES < length; at++) {
    const word = words[at] as number
    // A product carries its bits upwards only, the shift brings them down again.
    one = Math.imul(one ^ word, 0x9e3779b1)
    one ^= one >>> 15
    other = Math.imul(other ^ ((word << 16) | (word >>> 16)), 0x5f356495)
    other ^= other >>> 13
  }
  // A last stir, so that every bit of the text counts in every bit of both.
  one = Math.imul(one ^ (one >>> 16), 0x85ebca6b) ^ Math.imul(other ^ (other >>> 13), 0xc2b2ae35)
  other = Math.imul(other ^ (other >>> 16), 0x85ebca6b) ^ Math.imul(one ^ (one >>> 13), 0xc2b2ae35)
  // In decimal: any other base takes three times as long as the rest of a short text.
  return `${one}_${other}_${length}`
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
