import { UsageError } from './command.ts'

export const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const UNIT_MS: Record<string, number> = { s: 1000, m: 60_000, h: HOUR_MS, d: DAY_MS, w: 7 * DAY_MS }

/** Beyond it a year has more than four digits, and soon there is no date any more. */
const YEAR_10000 = Date.UTC(10_000, 0)

/** `90s`, `30m`, `24h`, `30d`, `2w`. */
export function parseDurationMs(option: string, text: string): number {
  const durationMs = durationOf(text)
  if (durationMs !== undefined) return durationMs
  throw new UsageError(`--${option} is "${text}", but must be a span such as 90s, 30m, 24h, 30d or 2w.`)
}

/** The instant that a span from now or a date means; a date alone is its first instant, UTC. */
export function parseInstant(option: string, text: string, now: number): number {
  const durationMs = durationOf(text)
  const [, day] = /^(\d{4}-\d{2}-\d{2})(?:T[\d:.]+(?:Z|[+-]\d{2}:\d{2}))?$/.exec(text) ?? []
  const dated = day !== undefined && isInCalendar(day) ? Date.parse(text) : Number.NaN
  const instant = durationMs === undefined ? dated : now + durationMs
  if (instant < YEAR_10000) return instant
  throw new UsageError(
    `--${option} is "${text}", but must be a span such as 30d, a date such as 2030-01-31, or 2030-01-31T12:00:00Z, ` +
      'before the year 10000.',
  )
}

/** How many days a span is, where it is a whole number of them. */
export function wholeDays(text: string): number | undefined {
  const days = (durationOf(text) ?? Number.NaN) / DAY_MS
  return Number.isInteger(days) ? days : undefined
}

/** `Date` takes the 31st of February for the 3rd of March. */
function isInCalendar(day: string): boolean {
  const at = Date.parse(day)
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(day)
}

function durationOf(text: string): number | undefined {
  const match = /^(\d{1,9})([smhdw])$/.exec(text)
  return match ? Number(match[1]) * (UNIT_MS[match[2] ?? ''] ?? 0) : undefined
}
