const WIDTH = 24

/** How far something is, from 0 to 1. */
export function bar(share: number): string {
  const full = Math.round(share * WIDTH)
  return `[${'='.repeat(full)}${' '.repeat(WIDTH - full)}]`
}
