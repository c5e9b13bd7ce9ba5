import { readInt64 } from '../../../client/src/int64.ts'
import type { Int64 } from '../../../client/src/platform/platform.ts'

/** Without these, every number of the text is an integer that a double holds exactly. */
const NEEDS_EXACT_NUMBERS = /\d{16}|\d[.eE]/
const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*/g
const MARK = '~number'

/**
 * JSON.parse by the rule of the service: integers keep every digit, and no other number is rounded to one, but NaN.
 * Numbers are marked before they are read, because Node 20 shows no reviver how they stand in the text.
 */
export function parseNumbers(text: string): unknown {
  const value: unknown = JSON.parse(text)
  if (!NEEDS_EXACT_NUMBERS.test(text)) return value
  const marked = text.replace(STRING_OR_NUMBER, (token) => (token.startsWith('"') ? token : `{"${MARK}":"${token}"}`))
  return JSON.parse(marked, (_, part) =>
    part !== null && typeof part === 'object' && MARK in part ? (integerOf(part[MARK]) ?? Number.NaN) : part,
  )
}

/** The 64-bit integer that a text stands for, if it is one: `12`, `1.0`, `1e3`, `9007199254740993`. */
export function integerOf(text: string): Int64 | undefined {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(text)
  if (!match) return undefined
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match
  const digits = (whole + fraction).replace(/^0+/, '')
  if (digits === '') return 0
  const shift = Number(exponent) - fraction.length
  if (shift < 0) return /[1-9]/.test(digits.slice(shift)) ? undefined : readInt64(sign + digits.slice(0, shift))
  // Beyond this no 64-bit integer is left, and the exponent could ask for a gigabyte of zeros.
  return digits.length + shift > 20 ? undefined : readInt64(sign + digits + '0'.repeat(shift))
}
