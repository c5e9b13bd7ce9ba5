import type { Int64 } from '../../../src/platform/int64.ts'

/** Identifiers are 64-bit integers: those beyond 2^53 become bigints, so that no digit is lost on the way. */
export function parseJson(text: string): unknown {
  return JSON.parse(text, exactInteger as (key: string, value: unknown) => unknown)
}

export function writeJson(value: unknown): string {
  return JSON.stringify(value, (_key, held: unknown) => (typeof held === 'bigint' ? rawJSON(String(held)) : held))
}

function exactInteger(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || Number.isSafeInteger(value)) return value
  return /^-?\d+$/.test(context?.source ?? '') ? BigInt(context?.source as string) : value
}

const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown }

const INT64_MIN = -(2n ** 63n)
const INT64_MAX = 2n ** 63n - 1n

/** What somebody has typed, if it is a 64-bit integer. */
export function readInt64(text: string): Int64 | undefined {
  if (!/^-?\d{1,19}$/.test(text.trim())) return undefined
  const value = BigInt(text.trim())
  if (value < INT64_MIN || value > INT64_MAX) return undefined
  return Number.isSafeInteger(Number(value)) ? Number(value) : value
}
