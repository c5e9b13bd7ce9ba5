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
  const delimiter = delimiterOf(text.slice(0, endOfLine(text, 0)))
  const records = [...recordsOf(text, format === 'csv' ? endOfCsvRow(delimiter) : endOfLine)]
  const header = format === 'csv' ? records.shift() : undefined
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

type EndOfRow = (text: string, start: number) => number

function* recordsOf(text: string, endOf: EndOfRow): Generator<FileRow> {
  let line = 1
  for (let start = 0; start < text.length;) {
    const end = endOf(text, start)
    const record = text.slice(start, end)
    yield { line, text: record.endsWith('\r') ? record.slice(0, -1) : record }
    line += record.split('\n').length
    start = end + 1
  }
}

const endOfLine: EndOfRow = (text, start) => {
  const found = text.indexOf('\n', start)
  return found === -1 ? text.length : found
}

/**
 * A line break between double quotes belongs to the row. A row with a stray quote ends with its line: others can be
 * added without it, and it must not take them along.
 */
function endOfCsvRow(delimiter: string): EndOfRow {
  // Bounded, because each doubled quote takes from the stack of the matcher; so would each value of a row.
  const value = new RegExp(`(?:"[^"]*(?:""[^"]*){0,9999}"|[^"\\n${delimiter}]*)(?:${delimiter}|\\r?(?=\\n|$))`, 'y')
  return (text, start) => {
    value.lastIndex = start
    while (value.test(text)) {
      if (value.lastIndex === text.length || text[value.lastIndex] === '\n') return value.lastIndex
    }
    return endOfLine(text, start)
  }
}
