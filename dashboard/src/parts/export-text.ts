import { stringifyExact } from '../../../client/src/int64.ts'
import { guarded } from '../../../src/features/pets/import/formula-guard.ts'

export const EXPORT_FORMATS = { csv: 'CSV', ndjson: 'NDJSON' } as const
export type ExportFormat = keyof typeof EXPORT_FORMATS

/**
 * As `petstore import` reads it, exact to the last digit. In CSV, which people open with spreadsheet programs, an
 * apostrophe stands before texts that those would run as formulas; every import takes it off again.
 */
export function exportText<Row extends object>(
  format: ExportFormat,
  columns: readonly (keyof Row & string)[],
  rows: readonly Row[],
): string {
  if (format === 'ndjson') return rows.map((row) => `${stringifyExact(row)}\n`).join('')
  const lines = rows.map((row) => columns.map((name) => csvField(row[name])).join(','))
  return [columns.join(','), ...lines].map((line) => `${line}\r\n`).join('')
}

function csvField(value: unknown): string {
  const text = typeof value === 'string' ? guarded(value) : String(value ?? '')
  return /[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
