import type { Pet } from '../../../../client/src/types.ts'
import { stringifyExact } from '../../../../client/src/int64.ts'

export const EXPORT_FORMATS = { csv: 'CSV', ndjson: 'NDJSON' } as const
export type ExportFormat = keyof typeof EXPORT_FORMATS

/** In the order of the contract: a field left out does not compile. */
const COLUMNS: Record<keyof Pet, true> = { id: true, name: true, categoryId: true, status: true }
const NAMES = Object.keys(COLUMNS) as (keyof Pet)[]

/** As `petstore import` reads it: exact to the last digit, names as they are. */
export function exportText(format: ExportFormat, pets: readonly Pet[]): string {
  if (format === 'ndjson') return pets.map((pet) => `${stringifyExact(pet)}\n`).join('')
  const lines = pets.map((pet) => NAMES.map((name) => csvField(String(pet[name]))).join(','))
  return [NAMES.join(','), ...lines].map((line) => `${line}\r\n`).join('')
}

const csvField = (text: string) => (/[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
