import { SECOND_MS } from '../../clock.ts'

/** `Retry-After` as seconds or as a date, in milliseconds from now; undefined when it is absent or makes no sense. */
export function readRetryAfter(value: string | undefined, now: number): number | undefined {
  if (value === undefined) return undefined
  const text = value.trim()
  if (/^\d{1,9}$/.test(text)) return Number(text) * SECOND_MS
  const at = Date.parse(text)
  return Number.isNaN(at) || !text.endsWith('GMT') ? undefined : Math.max(0, at - now)
}
