import { randomBytes } from 'node:crypto'

export type RandomBytes = (size: number) => Buffer

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** `key_…`: 95 random bits in letters and digits, which a double click selects and no shell takes for an option. */
export const newId = (prefix: string, random: RandomBytes = randomBytes) => `${prefix}_${base62(16, random)}`

export function base62(length: number, random: RandomBytes): string {
  let text = ''
  while (text.length < length) {
    for (const byte of random(length)) {
      // 248 is the largest multiple of 62 in a byte: beyond it the first letters would be likelier.
      if (byte < 248 && text.length < length) text += BASE62[byte % 62]
    }
  }
  return text
}

/** A number as so many characters of the same alphabet. */
export function numberAsBase62(number: number, length: number): string {
  let text = ''
  for (let rest = number; text.length < length; rest = Math.floor(rest / 62)) text = BASE62[rest % 62] + text
  return text
}
