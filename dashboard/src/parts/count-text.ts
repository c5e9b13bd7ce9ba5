const whole = new Intl.NumberFormat('en')

/** `1 file`, `2,500 files`. */
export const countText = (count: number, one: string, many = `${one}s`) =>
  `${whole.format(count)} ${count === 1 ? one : many}`
