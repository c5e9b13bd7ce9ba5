const utf8 = new TextEncoder()
/** Of UTF-8, for one character of a text. */
const CHARACTER_BYTES_MAX = 3
const WORD_BYTES = 4

const roomFor = (characters: number) => {
  const words = new Int32Array(Math.ceil((characters * CHARACTER_BYTES_MAX) / WORD_BYTES))
  return { characters, words, bytes: new Uint8Array(words.buffer) }
}
const sharedRoom = roomFor(20_000)

/** 64 bits, of which each depends on every bit of the text. */
export interface QuickHash {
  readonly one: number
  readonly other: number
  /** Of the text, in bytes. */
  readonly length: number
}

/**
 * For what nobody gains by forging. OpenSSL's SHA-1 takes 4 µs of a request however short the text is. Four bytes at a
 * time, because V8 takes longer to find a character than to work on it: 1 µs for a page of 20 animals instead of 4.
 */
export function quickHash(text: string): QuickHash {
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
  return { one, other, length }
}

const DIGITS = Uint8Array.from('0123456789abcdefghijklmnopqrstuv', (digit) => digit.charCodeAt(0))
const digit = (bits: number) => DIGITS[bits & 31] as number

/**
 * 64 bits in thirteen letters and digits. Not as numbers: V8 keeps the text of every number that it has written lately,
 * some 16,000 of them, and the collector of garbage carries these along for as long as they last. With two numbers in
 * each validator and cursor they were most of what lists leave behind, and why there was a full collection every few
 * seconds.
 */
export function inLetters(one: number, other: number): string {
  return String.fromCharCode(
    digit(one >>> 27),
    digit(one >>> 22),
    digit(one >>> 17),
    digit(one >>> 12),
    digit(one >>> 7),
    digit(one >>> 2),
    digit((one << 3) | (other >>> 29)),
    digit(other >>> 24),
    digit(other >>> 19),
    digit(other >>> 14),
    digit(other >>> 9),
    digit(other >>> 4),
    digit(other << 1),
  )
}
