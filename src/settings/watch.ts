import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../platform/clock.ts'
import { ConfigError } from './config-error.ts'

const UNIT_MS = { s: SECOND_MS, m: MINUTE_MS, h: HOUR_MS }
const LEAST_MS = 10 * SECOND_MS

/** How often each instance looks at what it serves; undefined for never. */
export function readWatch(text = '15m'): number | undefined {
  if (text === 'off') return undefined
  const [, count, unit] = /^([1-9]\d{0,3})([smh])$/.exec(text) ?? []
  const everyMs = unit === undefined ? 0 : Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS]
  if (everyMs >= LEAST_MS) return everyMs
  throw new ConfigError(`PETSTORE_WATCH is "${text}", but must be a time such as 15m or 2h, 10s or more, or off.`)
}
