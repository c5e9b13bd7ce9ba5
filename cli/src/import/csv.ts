import { CommandError } from '../line/command.ts'

export interface CsvRecord {
  /** The line on which it begins, counted from 1. */
  line: number
  cells: string[]
}

/** The records of CSV; lines without anything are none. */
export function readCsv(text: string): CsvRecord[] {
  const delimiter = delimiterOf(text.slice(0, text.search(/\n|$/)))
  const cell = new RegExp(`("[^"]*(?:""[^"]*)*"|[^"${delimiter}\\n]*?)(${delimiter}|\\r?\\n|$)`, 'y')
  const records: CsvRecord[] = []
  let record: CsvRecord = { line: 1, cells: [] }
  let start = 0
  for (let line = 1; ;) {
    const [, value, end] = cell.exec(text) ?? []
    if (value === undefined) {
      const advice = 'Put the value between double quotes, and double those in it.'
      throw new CommandError(`Line ${line}: a quotation mark stands in the wrong place. ${advice}`)
    }
    record.cells.push(value.startsWith('"') ? value.slice(1, -1).replaceAll('""', '"') : value)
    line += value.split('\n').length - 1
    if (end === delimiter) continue
    if (text.slice(start, cell.lastIndex).trim() !== '') records.push(record)
    if (end === '') return records
    line += 1
    record = { line, cells: [] }
    start = cell.lastIndex
  }
}

/** Spreadsheets of many countries separate with semicolons. */
function delimiterOf(header: string): string {
  const counts = [',', ';', '\t'].map((delimiter) => ({ delimiter, count: header.split(delimiter).length }))
  return counts.reduce((best, other) => (other.count > best.count ? other : best)).delimiter
}
