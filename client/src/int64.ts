import type { Int64 } from './types.ts'

/** Strings are skipped whole, so that digits inside a name stay a name; so are the digits behind a point. */
const STRING_OR_LONG_INTEGER = /"(?:[^"\\]|\\.)*"|(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g
const MARK = '~int64'

/** JSON.parse that loses no digit: integers that a number cannot hold become bigints. */
export function parseExact(text: string): unknown {
  if (!/\d{16}/.test(text)) return JSON.parse(text)
  const marked = text.replace(STRING_OR_LONG_INTEGER, (token) =>
    token.startsWith('"') ? token : `{"${MARK}":"${token}"}`,
  )
  return JSON.parse(marked, (_, value) =>
    value !== null && typeof value === 'object' && MARK in value ? exact(value[MARK]) : value,
  )
}

function exact(digits: string): Int64 {
  const number = Number(digits)
  return Number.isSafeInteger(number) ? number : BigInt(digits)
}

/** An object as JSON, with bigints as the integers they are. */
export function stringifyExact(body: object): string {
  if (Array.isArray(body)) return `[${body.map(exactText).join()}]`
  const fields = Object.entries(body).filter(([, value]) => value !== undefined)
  return `{${fields.map(([name, value]) => `${JSON.stringify(name)}:${exactText(value)}`).join()}}`
}

function exactText(value: unknown): string {
  if (typeof value === 'bigint') return String(value)
  return typeof value === 'object' && value !== null ? stringifyExact(value) : (JSON.stringify(value) ?? 'null')
}

/** What somebody has typed, if it is a 64-bit integer. */
export function readInt64(text: string): Int64 | undefined {
  const digits = text.trim()
  return /^-?\d{1,19}$/.test(digits) && BigInt.asIntN(64, BigInt(digits)) === BigInt(digits) ? exact(digits) : undefined
}
