import { stringifyExact } from '../../../client/src/int64.ts'

export const EXPORT_FORMATS = { csv: 'CSV', ndjson: 'NDJSON' } as const
export type ExportFormat = keyof typeof EXPORT_FORMATS

/** As `petstore import` reads it: exact to the last digit, texts as they are. */
export function exportText<Row extends object>(
  format: ExportFormat,
  columns: readonly (keyof Row & string)[],
  rows: readonly Row[],
): string {
  if (format === 'ndjson') return rows.map((row) => `${stringifyExact(row)}\n`).join('')
  const lines = rows.map((row) => columns.map((name) => csvField(String(row[name] ?? ''))).join(','))
  return [columns.join(','), ...lines].map((line) => `${line}\r\n`).join('')
}

const csvField = (text: string) => (/[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
