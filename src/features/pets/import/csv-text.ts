import { invalid } from '../../../platform/errors.ts'
import { exactNumber, integerFromJsonSource } from '../../../platform/int64.ts'
import type { Schema } from '../../../platform/schema.ts'
import { NewPet } from '../contract.ts'
import { unguarded } from './formula-guard.ts'

/** What a column can hold. The text of CSV stands here apart from its bytes: the dashboard reads files with it too. */
export const FIELDS = Object.entries<Schema>(NewPet.properties).map(([name, schema]) => ({ name, schema }))

/** The first column that is called so; undefined where none is. */
export function columnOf(names: readonly string[], field: string): number | undefined {
  const found = names.findIndex((name) => plain(name) === plain(field))
  return found === -1 ? undefined : found
}

/** A row without a value is none: spreadsheets write empty lines as bare separators. */
export const isBlank = (cells: readonly string[]) => cells.every((cell) => cell.trim() === '')

/** A row's fields as a request would carry them, not yet validated. */
export function rowOf(cells: readonly string[], columns: ReadonlyMap<string, number>): Record<string, unknown> {
  const row: Record<string, unknown> = {}
  for (const { name, schema } of FIELDS) {
    const value = valueOf(schema, cells[columns.get(name) ?? -1])
    if (value !== undefined) row[name] = value
  }
  return row
}

/** An empty cell leaves out what may be left out. */
function valueOf(schema: Schema, text: string | undefined): unknown {
  if (text === undefined || (schema.optional && text.trim() === '')) return undefined
  if (schema.enum) return text.trim()
  return schema.type === 'integer' ? integerOf(text) : unguarded(text)
}

/** A text that is no integer stays one, for the validation to refuse. */
function integerOf(text: string): unknown {
  const integer = integerFromJsonSource(text.trim())
  return integer === undefined ? text : exactNumber(integer)
}

/** `Category ID`, `category_id` and `categoryId` are one name. */
const plain = (name: string) => name.toLowerCase().replaceAll(/[\s_-]/g, '')

/** Spreadsheets of many countries separate with semicolons. */
export function delimiterOf(header: string): string {
  const counts = [',', ';', '\t'].map((delimiter) => ({ delimiter, count: header.split(delimiter).length }))
  return counts.reduce((best, other) => (other.count > best.count ? other : best)).delimiter
}

const QUOTED = /"((?:[^"]|"")*)"/y

export function splitFields(text: string, delimiter: string): string[] {
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
