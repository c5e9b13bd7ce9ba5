const HOUR_MS = 3_600_000
/** From here on a point is told by its day. */
const DAY_FROM_MS = 6 * HOUR_MS
export const DAY_MS = 24 * HOUR_MS

interface Times {
  axis: Intl.DateTimeFormatOptions
  /** Of one point, among which several may be of one day. */
  point: Intl.DateTimeFormatOptions
}

const HOUR = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const
const DAY = { day: 'numeric', month: 'short' } as const
const OF_HOURS: Times = { axis: HOUR, point: HOUR }
const OF_PARTS_OF_DAYS: Times = { axis: DAY, point: { ...DAY, ...HOUR } }
/** The service counts days in UTC: for viewers in America one begins on the evening before. */
const OF_DAYS: Times = {
  axis: { ...DAY, timeZone: 'UTC' },
  point: { ...DAY, timeZone: 'UTC', timeZoneName: 'short' },
}

/** How the points of such steps are named. */
export function timesOf(stepMs: number): Times {
  if (stepMs < DAY_FROM_MS) return OF_HOURS
  return stepMs < DAY_MS ? OF_PARTS_OF_DAYS : OF_DAYS
}

/** Kept, because they take long to make. */
const made = new Map<Intl.DateTimeFormatOptions, Intl.DateTimeFormat>()

export function pointText(at: string, form: Intl.DateTimeFormatOptions): string {
  const format = made.get(form) ?? new Intl.DateTimeFormat('en', form)
  made.set(form, format)
  return format.format(new Date(at))
}
