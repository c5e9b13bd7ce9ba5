import type { BoundedCount } from '../../../client/src/platform/platform.ts'

/** `2,500`, without a format of the browser's, which is slow to make. */
export const numberText = (count: number) => String(count).replaceAll(/\B(?=(?:\d{3})+$)/g, ',')

/** `1 file`, `2,500 files`. */
export const countText = (count: number, one: string, many = `${one}s`) =>
  `${numberText(count)} ${count === 1 ? one : many}`

/** `1 animal`, `10,000+ animals`: nobody has counted the others. */
export const boundedText = ({ count, more }: BoundedCount, one: string, many = `${one}s`) =>
  more ? `${numberText(count)}+ ${many}` : countText(count, one, many)
