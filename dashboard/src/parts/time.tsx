import { useInterval } from '@mantine/hooks'
import { use, useEffect, useState } from 'react'
import { Hint } from './hint.tsx'
import { InRow } from './in-row.ts'
import { once } from './once.ts'

const relative = once(() => new Intl.RelativeTimeFormat('en', { numeric: 'auto' }))
/** Hours as under the charts. */
const absolute = once(
  () => new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeStyle: 'short', hourCycle: 'h23' }),
)

/** Unit, its seconds, and from how many seconds on it is used: "in 89 days" says more than "in 2 months". */
const UNITS = [
  ['year', 31_536_000, 31_536_000],
  ['month', 2_592_000, 120 * 86_400],
  ['day', 86_400, 86_400],
  ['hour', 3600, 3600],
  ['minute', 60, 60],
] as const

/** The time, again and again: for what changes by time alone. */
export function useNow(): number {
  const [now, setNow] = useState(() => Date.now())
  const tick = useInterval(() => setNow(Date.now()), 15_000)
  useEffect(() => {
    tick.start()
    return tick.stop
  }, [])
  return now
}

/** How long ago, or how soon; the exact time is one hover, one touch or one tab away. */
export function TimeAgo({ at }: { at: string | number }) {
  useNow()
  const isInRow = use(InRow)
  const date = new Date(at)
  return (
    <Hint label={absolute().format(date)}>
      <time dateTime={date.toISOString()} tabIndex={isInRow ? -1 : 0}>
        {agoText(date.getTime())}
      </time>
    </Hint>
  )
}

function agoText(at: number): string {
  const seconds = Math.round((at - Date.now()) / 1000)
  for (const [unit, size, from] of UNITS) {
    if (Math.abs(seconds) >= from) return relative().format(Math.trunc(seconds / size), unit)
  }
  if (seconds > 0) return seconds > 10 ? `in ${seconds} seconds` : 'in a moment'
  return seconds < -10 ? `${-seconds} seconds ago` : 'just now'
}

export const timeText = (at: string | number) => absolute().format(new Date(at))

/** The service's own sentences have their times in UTC, for mails and terminals; a page shows its reader's, as ever. */
export const withLocalTimes = (sentence: string) =>
  sentence.replaceAll(/(\d{4}-\d\d-\d\d) (\d\d:\d\d) UTC/g, (_, day, time) => timeText(`${day}T${time}Z`))

/** Whole days until then, at least 0. */
export const daysUntil = (at: string) => Math.max(0, Math.floor((Date.parse(at) - Date.now()) / 86_400_000))
