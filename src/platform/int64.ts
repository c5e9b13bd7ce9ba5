/**
 * A 64-bit integer, exact to the last digit: a number where a number holds it, a bigint beyond.
 * Both print the same digits, so that `${value}` is always right.
 */
export type Int64 = number | bigint

export const INT64_MIN = -(2n ** 63n)
export const INT64_MAX = 2n ** 63n - 1n

export function exactNumber(value: bigint): Int64 {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}

export function isInt64(value: unknown): value is Int64 {
  if (typeof value === 'number') return Number.isSafeInteger(value)
  return typeof value === 'bigint' && value >= INT64_MIN && value <= INT64_MAX
}

/** Reads the decimal form used in paths and cursors: no sign but `-`, no leading zeros, no spaces. */
export function parseInt64(text: string): Int64 | undefined {
  const number = Number(text)
  if (Number.isSafeInteger(number) && /^(?:0|-?[1-9]\d*)$/.test(text)) return number
  if (!/^-?[1-9]\d{15,18}$/.test(text)) return undefined
  const value = BigInt(text)
  return isInt64(value) ? exactNumber(value) : undefined
}

/** The integer that a JSON number's source text stands for, if it is one: `12`, `1.0`, `1e3`, `9007199254740993`. */
export function integerFromJsonSource(source: string): bigint | undefined {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(source)
  if (!match) return undefined
  const [, sign = '', whole = '', fraction = '', exponentText = '0'] = match
  const digits = (whole + fraction).replace(/^0+/, '')
  if (digits === '') return 0n
  // Beyond this no 64-bit integer is left, and the exponent could ask for a gigabyte of zeros.
  const exponent = Number(exponentText) - fraction.length
  if (digits.length + exponent > 20) return undefined
  if (exponent >= 0) return BigInt(sign + digits + '0'.repeat(exponent))
  const kept = digits.slice(0, exponent)
  const dropped = digits.slice(exponent)
  if (/[1-9]/.test(dropped)) return undefined
  return kept === '' ? 0n : BigInt(sign + kept)
}
