import type { BoundedCount } from '../../../client/src/platform/platform.ts'

const whole = new Intl.NumberFormat('en')

/** `1 file`, `2,500 files`. */
export const countText = (count: number, one: string, many = `${one}s`) =>
  `${whole.format(count)} ${count === 1 ? one : many}`

/** `1 animal`, `10,000+ animals`: nobody has counted the others. */
export const boundedText = ({ count, more }: BoundedCount, one: string, many = `${one}s`) =>
  more ? `${whole.format(count)}+ ${many}` : countText(count, one, many)
