import { CommandError } from '../line/command.ts'
import { readCsv } from './csv.ts'
import { integerOf, parseNumbers } from './numbers.ts'
import { type AnimalSchema, refusalOf } from './schema.ts'

export type ImportFormat = 'csv' | 'ndjson'

/** A row of the file: the animal, or why it is refused. */
type Row = { line: number } & ({ animal: Record<string, unknown> } | { why: string })

export interface ReadFile {
  /** The column of each field that is read from one. */
  columns: Record<string, number | null>
  rows: Row[]
  /** Whether rows of bare separators stand between these, which count for nothing. */
  hasBlankRows: boolean
}

export function readRows(format: ImportFormat, text: string, schema: AnimalSchema): ReadFile {
  const names = Object.keys(schema.properties)
  if (format === 'csv') return csvRows(text, schema)
  const lines = text.split('\n').map((content, index) => ({ line: index + 1, content }))
  return {
    columns: Object.fromEntries(names.map((name) => [name, null])),
    rows: lines
      .filter(({ content }) => content.trim() !== '')
      .map(({ line, content }) => jsonRow(line, content, schema)),
    hasBlankRows: false,
  }
}

function jsonRow(line: number, content: string, schema: AnimalSchema): Row {
  try {
    const value = parseNumbers(content) as Record<string, unknown> | null
    if (typeof value !== 'object' || value === null) return { line, why: 'it is no JSON object' }
    return judged(line, value, schema)
  } catch {
    return { line, why: 'it is no JSON' }
  }
}

function csvRows(text: string, schema: AnimalSchema): ReadFile {
  const all = readCsv(text)
  // Spreadsheets write empty lines as bare separators.
  const [header, ...records] = all.filter(({ cells }) => cells.some((cell) => cell.trim() !== ''))
  const columns = columnsOf(header?.cells ?? [], schema)
  const width = header?.cells.length ?? 0
  const rows = records.map(({ line, cells }): Row => {
    if (cells.length === width) return judged(line, animalOf(cells, columns, schema), schema)
    return { line, why: `it has ${cells.length} fields, and the first line names ${width} columns` }
  })
  return { columns, rows, hasBlankRows: all.length > rows.length + 1 }
}

function columnsOf(header: readonly string[], { properties, required }: AnimalSchema): ReadFile['columns'] {
  const columns: ReadFile['columns'] = {}
  for (const name of Object.keys(properties)) {
    const found = header.flatMap((cell, index) => (plain(cell) === plain(name) ? index : []))
    if (found.length > 1) throw new CommandError(`Two columns are called ${name}: keep one of them.`)
    columns[name] = found[0] ?? null
  }
  if (required.every((name) => columns[name] !== null)) return columns
  const needed = `with ${required.join(' and ')} among them: ${Object.keys(properties).join()}`
  throw new CommandError(`The first line must name the columns, ${needed}.`)
}

/** An apostrophe that the dashboard's export puts before what spreadsheet programs would take for a formula. */
const GUARD = /^'(?='*[=+\-@＝＋－＠])/

/** An empty cell leaves out what may be left out; a text that is no integer stays one, to be refused. */
function animalOf(cells: readonly string[], columns: ReadFile['columns'], { properties, required }: AnimalSchema) {
  const animal: Record<string, unknown> = {}
  for (const [name, field] of Object.entries(properties)) {
    const cell = cells[columns[name] ?? -1]
    if (cell === undefined || (cell.trim() === '' && !required.includes(name))) continue
    if (field.type === 'integer') animal[name] = integerOf(cell.trim()) ?? cell
    else animal[name] = field.enum ? cell.trim() : cell.replace(GUARD, '')
  }
  return animal
}

function judged(line: number, value: Record<string, unknown>, schema: AnimalSchema): Row {
  const known = Object.keys(schema.properties).filter((name) => value[name] !== undefined)
  const animal = Object.fromEntries(known.map((name) => [name, value[name]]))
  const why = refusalOf(schema, animal)
  return why === undefined ? { line, animal } : { line, why }
}

/** `Category ID`, `category_id` and `categoryId` are one name. */
const plain = (name: string) => name.toLowerCase().replaceAll(/[\s_-]/g, '')
