import type { NewPet } from '../../../../../client/src/platform/platform.ts'
import { NewPet as NewPetSchema } from '../../../../../src/features/pets/contract.ts'
import {
  columnOf,
  delimiterOf,
  FIELDS,
  isBlank,
  rowOf,
  splitFields,
} from '../../../../../src/features/pets/import/csv-text.ts'
import { parseJsonBody } from '../../../../../src/platform/http/json-body.ts'
import { declared, refusals } from '../../../../../src/platform/schema.ts'
import { countText } from '../../../parts/count-text.ts'

export type ImportFormat = 'csv' | 'ndjson'

/** A row as it stands in the file. */
export interface FileRow {
  /** Of its first line, counted from 1. */
  line: number
  text: string
}

export interface ReadFile {
  format: ImportFormat
  /** Of CSV: what stands between two cells, and what the first line calls the columns. */
  delimiter: string
  names: string[]
  rows: FileRow[]
  /** Whether rows of bare separators stand between these, which count for nothing. */
  hasBlankRows: boolean
}

/** The column of each field that is read from one. */
export type Columns = Readonly<Record<string, number | null>>

export type JudgedRow = { pet: NewPet } | { why: string }

/** By its name; what is neither is taken for what it looks like. */
export function formatOf(name: string, text: string): ImportFormat {
  if (/\.(?:ndjson|jsonl)$/i.test(name)) return 'ndjson'
  if (/\.(?:csv|tsv)$/i.test(name)) return 'csv'
  return /^\s*\{/.test(text) ? 'ndjson' : 'csv'
}

/** Cuts a file into rows; those without a value are none, unless they are to count. */
export function readFile(format: ImportFormat, content: string, { countsBlankRows = false } = {}): ReadFile {
  const text = content.replace(/^\uFEFF/, '')
  const records = [...recordsOf(text, format === 'csv')]
  const header = format === 'csv' ? records.shift() : undefined
  const delimiter = delimiterOf(header?.text ?? '')
  const lines = records.filter((record) => record.text.trim() !== '')
  const isEachRow = format !== 'csv' || countsBlankRows
  const rows = isEachRow ? lines : lines.filter((record) => !isBlankRow(record.text, delimiter))
  return {
    format,
    delimiter,
    names: header === undefined ? [] : splitFields(header.text, delimiter).map((name) => name.trim()),
    rows,
    hasBlankRows: lines.length > rows.length,
  }
}

interface KeptFile {
  format: ImportFormat
  /** Absent in what was kept before 2026-11-18. */
  animalsBefore?: number
  file: Blob
}

/** Blank rows counted until 2026-11-18: what was begun then stands at a place by that count, and goes on by it. */
export async function readKept({ format, file, animalsBefore }: KeptFile): Promise<ReadFile> {
  return readFile(format, await file.text(), { countsBlankRows: animalsBefore === undefined })
}

function isBlankRow(text: string, delimiter: string): boolean {
  // Most rows begin with a letter, and need not be taken apart.
  if (/[^\s",;]/.test(text)) return false
  try {
    return isBlank(splitFields(text, delimiter))
  } catch {
    return false
  }
}

/** Each field from the column that is called so. */
export const columnsByName = ({ names }: ReadFile): Columns =>
  Object.fromEntries(FIELDS.map(({ name }) => [name, columnOf(names, name) ?? null]))

/** The fields that an animal needs, and that no column is chosen for. */
export const fieldsMissing = (columns: Columns) =>
  NewPetSchema.required.filter((name) => (columns[name] ?? null) === null)

/** The animal of a row, by the very rules of the service, or why it is refused. */
export function judgeRow({ format, delimiter, names }: ReadFile, columns: Columns, { text }: FileRow): JudgedRow {
  try {
    const value = format === 'csv' ? csvRow(text) : parseJsonBody(new TextEncoder().encode(text))
    const refused = refusals(NewPetSchema, value)
    if (refused.length > 0) return { why: refused.join('; ') }
    return { pet: declared(NewPetSchema, value as NewPet) }
  } catch (error) {
    return { why: (error as Error).message.replace('The request body', 'the row') }
  }

  function csvRow(row: string): unknown {
    const cells = splitFields(row, delimiter)
    if (cells.length !== names.length) {
      throw new Error(
        `the row has ${countText(cells.length, 'field')}, ` +
          `and the first line names ${countText(names.length, 'column')}`,
      )
    }
    const chosen = Object.entries(columns).filter((entry): entry is [string, number] => entry[1] !== null)
    return rowOf(cells, new Map(chosen))
  }
}

function* recordsOf(text: string, quoted: boolean): Generator<FileRow> {
  const endOf = quoted ? quotedEnds(text) : (from: number) => text.indexOf('\n', from)
  let line = 1
  for (let start = 0; start < text.length;) {
    const found = endOf(start)
    const end = found === -1 ? text.length : found
    const record = text.slice(start, end)
    yield { line, text: record.endsWith('\r') ? record.slice(0, -1) : record }
    line += record.split('\n').length
    start = end + 1
  }
}

/** Finds line breaks outside of quotes. Asked with growing starts, it looks at every character twice at most. */
function quotedEnds(text: string): (start: number) => number {
  let quote = text.indexOf('"')
  return (start) => {
    let end = text.indexOf('\n', start)
    while (quote !== -1 && end !== -1 && quote < end) {
      const closing = text.indexOf('"', quote + 1)
      if (closing === -1) return -1
      if (closing > end) end = text.indexOf('\n', closing + 1)
      quote = text.indexOf('"', closing + 1)
    }
    return end
  }
}
