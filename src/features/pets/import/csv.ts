import { invalid } from '../../../platform/errors.ts'
import { exactNumber, integerFromJsonSource } from '../../../platform/int64.ts'
import { listed, type Schema } from '../../../platform/schema.ts'
import { NewPet } from '../contract.ts'
import type { TextRecord } from './records.ts'
import { decodeUtf8, withoutByteOrderMark } from './text.ts'

const FIELDS = Object.entries<Schema>(NewPet.properties).map(([name, schema]) => ({ name, schema }))

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
  const names = splitFields(text, delimiter).map(plain)
  const columns = new Map<string, number>()
  for (const { name } of FIELDS) {
    const found = names.indexOf(plain(name))
    if (found === -1) continue
    if (names.includes(plain(name), found + 1)) throw invalid(`two columns are called ${name}. Keep one of them`)
    columns.set(name, found)
  }
  if (!NewPet.required.every((name) => columns.has(name))) {
    const needed = listed(NewPet.required, 'and')
    throw invalid(`the first line must name the columns, with ${needed} among them: ${CSV_HEADER}`)
  }
  return { delimiter, width: names.length, columns }
}

/** The row's fields as a request would carry them, not yet validated; undefined for an empty line. */
export function readCsvRow(record: TextRecord, { delimiter, width, columns }: CsvHeader): unknown {
  const text = lineOf(record.bytes)
  if (text.trim() === '') return undefined
  const fields = splitFields(text, delimiter)
  if (fields.length !== width) {
    throw invalid(
      `the row has ${fields.length} fields, but the first line names ${width} columns. ` +
        'Put a value that contains the separator between double quotes',
    )
  }
  const row: Record<string, unknown> = {}
  for (const { name, schema } of FIELDS) {
    const value = valueOf(schema, fields[columns.get(name) ?? -1])
    if (value !== undefined) row[name] = value
  }
  return row
}

/** An empty cell leaves out what may be left out. */
function valueOf(schema: Schema, text: string | undefined): unknown {
  if (text === undefined || (schema.optional && text.trim() === '')) return undefined
  if (schema.enum) return text.trim()
  return schema.type === 'integer' ? integerOf(text) : text
}

/** A text that is no integer stays one, for the validation to refuse. */
function integerOf(text: string): unknown {
  const integer = integerFromJsonSource(text.trim())
  return integer === undefined ? text : exactNumber(integer)
}

function lineOf(bytes: Buffer): string {
  const text = decodeUtf8(bytes)
  return text.endsWith('\r') ? text.slice(0, -1) : text
}

/** `Category ID`, `category_id` and `categoryId` are one name. */
const plain = (name: string) => name.toLowerCase().replaceAll(/[\s_-]/g, '')

/** Spreadsheets of many countries separate with semicolons. */
function delimiterOf(header: string): string {
  const counts = [',', ';', '\t'].map((delimiter) => ({ delimiter, count: header.split(delimiter).length }))
  return counts.reduce((best, other) => (other.count > best.count ? other : best)).delimiter
}

const QUOTED = /"((?:[^"]|"")*)"/y

function splitFields(text: string, delimiter: string): string[] {
  if (!text.includes('"')) return text.split(delimiter)
  const fields: string[] = []
  for (let at = 0; at <= text.length; at++) {
    QUOTED.lastIndex = at
    const quoted = QUOTED.exec(text)
    const end = quoted ? QUOTED.lastIndex : endOfBareField(text, at, delimiter)
    const bare = text.slice(at, end)
    if (!quoted && bare.includes('"')) throw misquoted()
    if (end < text.length && text[end] !== delimiter) throw misquoted()
    fields.push(quoted?.[1] === undefined ? bare : quoted[1].replaceAll('""', '"'))
    at = end
  }
  return fields
}

function endOfBareField(text: string, from: number, delimiter: string): number {
  const end = text.indexOf(delimiter, from)
  return end === -1 ? text.length : end
}

const misquoted = () =>
  invalid('a quotation mark stands in the wrong place. Put the value between double quotes, and double those in it')
