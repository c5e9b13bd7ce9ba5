import { PetstoreError } from '../../../platform/errors.ts'
import { validator } from '../../../platform/http/validator.ts'
import { complete, NewPet, type PetFields } from '../contract.ts'
import { BadRow } from './bad-row.ts'
import { readCsvHeader, readCsvRow } from './csv.ts'
import { readNdjsonRow } from './ndjson.ts'
import { type Position, splitRecords, type TextRecord } from './records.ts'
import type { ImportSource } from './source.ts'

export type ImportFormat = 'csv' | 'ndjson'

export interface ImportRow {
  /** Undefined for a line without an animal. */
  pet: PetFields | undefined
  end: Position
}

const validate = validator(NewPet, 'the row is refused')
const START: Position = { bytes: 0, lines: 0 }

/**
 * The rows of a file behind a place in it, validated as a request would be. Each is looked at when it is asked
 * for, so that the rows before a bad one arrive; the bad one is thrown as BadRow.
 */
export async function* readRows(
  source: ImportSource,
  format: ImportFormat,
  from: Position,
  onChunk: (chunk: Buffer) => void,
): AsyncGenerator<Iterable<ImportRow>> {
  const readRow = format === 'csv' ? await csvRowReader(source) : readNdjsonRow
  const quoted = format === 'csv'
  for await (const records of splitRecords(tap(source.read(from.bytes), onChunk), from, quoted)) {
    yield records.values().map((record) => {
      const pet = explained(record, () => petOf(readRow(record)))
      return { pet, end: record.end }
    })
  }
}

const petOf = (value: unknown) => (value === undefined ? undefined : complete(validate(value)))

/** The header is needed also by an import that goes on behind it. */
async function csvRowReader(source: ImportSource): Promise<(record: TextRecord) => unknown> {
  let first: TextRecord | undefined
  for await (const records of splitRecords(source.read(0), START, true)) {
    first = records[0]
    break
  }
  const top = first ?? { bytes: Buffer.alloc(0), line: 1, end: START }
  const header = explained(top, () => readCsvHeader(top))
  return (record) => (record.line === 1 ? undefined : readCsvRow(record, header))
}

function explained<T>(record: TextRecord, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof PetstoreError)) throw error
    throw new BadRow(record.line, error.message.replace(/\.$/, ''), record.bytes)
  }
}

async function* tap(chunks: AsyncIterable<Buffer>, onChunk: (chunk: Buffer) => void): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    onChunk(chunk)
    yield chunk
  }
}
