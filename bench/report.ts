export interface Row {
  what: string
  service: number
  other: number
  /** The least ratio that the project promises. */
  floor?: number
}

/** Prints a table; the exit code says whether every promise was kept. */
export function report(title: string, rows: Row[]): void {
  console.log(`\n${title}`)
  const width = Math.max(...rows.map((row) => row.what.length))
  for (const { what, service, other, floor } of rows) {
    const ratio = service / other
    const kept = floor === undefined ? '' : ratio >= floor ? `≥ ${floor} ✓` : `< ${floor} ✗`
    console.log(`  ${what.padEnd(width)}  ${shown(service)} : ${shown(other)}  = ${ratio.toFixed(2)}  ${kept}`)
    if (floor !== undefined && ratio < floor) process.exitCode = 1
  }
}

const shown = (value: number) =>
  (value >= 100 ? Math.round(value) : Number(value.toPrecision(3))).toLocaleString('en').padStart(8)

/** One promise that is no ratio: said, and kept or not. */
export function judge(sentence: string, kept: boolean): void {
  console.log(`  ${sentence} ${kept ? '✓' : '✗'}`)
  if (!kept) process.exitCode = 1
}
