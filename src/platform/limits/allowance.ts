import { DAY_MS, HOUR_MS, MINUTE_MS } from '../clock.ts'

/** So many at once, given back evenly over the time. */
interface Allowance {
  burst: number
  windowMs: number
}

const UNIT_MS = { m: MINUTE_MS, h: HOUR_MS, d: DAY_MS }

/** Reads `orders=300/3h`; undefined for anything else. */
export function readAllowance(text: string): (Allowance & { name: string }) | undefined {
  const [, name, burst, count, unit] = /^(\w+)=([1-9]\d{0,6})\/([1-9]\d{0,3})([mhd])$/.exec(text) ?? []
  if (name === undefined) return undefined
  return { name, burst: Number(burst), windowMs: Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS] }
}
