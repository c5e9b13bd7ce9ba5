import { once } from '../once.ts'

const seconds = once(() => new Intl.NumberFormat('en', { maximumFractionDigits: 1 }))

/** `0.4 ms`, `12 ms`, `1.5 s`. */
export function millisecondsText(milliseconds: number): string {
  if (milliseconds >= 1000) return `${seconds().format(milliseconds / 1000)} s`
  return `${milliseconds >= 10 ? Math.round(milliseconds) : Number(milliseconds.toFixed(1))} ms`
}
