import { invalid } from '../../../platform/errors.ts'
import { listed } from '../../../platform/schema.ts'
import { NewPet } from '../contract.ts'
import { columnOf, delimiterOf, FIELDS, isBlank, rowOf, splitFields } from './csv-text.ts'
import type { TextRecord } from './records.ts'
import { decodeUtf8, withoutByteOrderMark } from './text.ts'

/** A header that names every column. */
export const CSV_HEADER = FIELDS.map(({ name }) => name).join(',')

export interface CsvHeader {
  delimiter: string
  width: number
  /** Where the value of a field stands. */
  columns: ReadonlyMap<string, number>
}

/** Reads the names of the columns. Columns that an animal does not have are ignored, as in a request. */
export function readCsvHeader(record: TextRecord): CsvHeader {
  const text = lineOf(withoutByteOrderMark(record.bytes))
  const delimiter = delimiterOf(text)
  const names = splitFields(text, delimiter)
  const columns = new Map<string, number>()
  for (const { name } of FIELDS) {
    const found = columnOf(names, name)
    if (found === undefined) continue
    const isTwice = columnOf(names.slice(found + 1), name) !== undefined
    if (isTwice) throw invalid(`two columns are called ${name}. Keep one of them`)
    columns.set(name, found)
  }
  if (!NewPet.required.every((name) => columns.has(name))) {
    const needed = listed(NewPet.required, 'and')
    throw invalid(`the first line must name the columns, with ${needed} among them: ${CSV_HEADER}`)
  }
  return { delimiter, width: names.length, columns }
}

/** The row's fields as a request would carry them, not yet validated; undefined for a row without a value. */
export function readCsvRow(record: TextRecord, { delimiter, width, columns }: CsvHeader): unknown {
  const text = lineOf(record.bytes)
  const fields = splitFields(text, delimiter)
  if (isBlank(fields)) return undefined
  if (fields.length !== width) {
    const has = fields.length === 1 ? 'one field' : `${fields.length} fields`
    throw invalid(
      `the row has ${has}, but the first line names ${width} columns. ` +
        'Put a value that contains the separator between double quotes',
    )
  }
  return rowOf(fields, columns)
}

function lineOf(bytes: Buffer): string {
  const text = decodeUtf8(bytes)
  return text.endsWith('\r') ? text.slice(0, -1) : text
}
