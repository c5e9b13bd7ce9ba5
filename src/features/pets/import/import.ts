import type { Clock } from '../../../platform/clock.ts'
import { conflict, invalid, PetstoreError } from '../../../platform/errors.ts'
import type { Tenant } from '../../../platform/http/idempotency.ts'
import { validator } from '../../../platform/http/schema.ts'
import type { Int64 } from '../../../platform/int64.ts'
import type { Storage } from '../../../platform/storage/storage.ts'
import { NewPet } from '../contract.ts'
import { type CsvHeader, readCsvHeader, readCsvRow } from './csv.ts'
import { readNdjsonRow } from './ndjson.ts'
import type { PrefixHash } from './prefix-hash.ts'
import { type Position, splitRecords, type TextRecord } from './records.ts'
import type { ImportSource } from './source.ts'
import { findStart } from './start.ts'
import { storeImportBatch } from './writes.ts'

export type ImportFormat = 'csv' | 'ndjson'

export interface ImportJob {
  tenant: Tenant
  source: ImportSource
  format: ImportFormat
  /** Add the whole file even though it is stored already. */
  again: boolean
}

export interface ImportProgress {
  /** Animals of this file that are stored, those of earlier runs included. */
  animals: number
  bytes: number
  lines: number
}

export interface ImportOutcome {
  /** Animals that this run added. */
  added: number
  /** Animals of this file that an earlier run had added. */
  addedBefore: number
  firstId: Int64 | undefined
  lastId: Int64 | undefined
  stopped: boolean
}

/** One transaction; a batch takes SQLite some 50 ms, short enough for the requests that wait behind it. */
export const BATCH_ROWS = 10_000

/**
 * Adds the animals of a file, in its order, 10,000 at a time: each batch is stored with the place that it ends
 * at, so that an import that was interrupted goes on there, without losing or repeating a row.
 */
export async function importPets(
  { storage, clock }: { storage: Storage; clock: Clock },
  job: ImportJob,
  report: (progress: ImportProgress) => void,
  signal: AbortSignal,
): Promise<ImportOutcome> {
  const { tenant, source, format } = job
  const start = await findStart(storage.read, job)
  const outcome: ImportOutcome = { added: 0, addedBefore: start.animals, firstId: undefined, lastId: undefined, stopped: false }
  let { fingerprint, position } = start
  report({ animals: start.animals, ...position })
  if (start.finished) return outcome

  const store = async (rows: string[], end: Position, replaces: string[]) => {
    await source.requireUnchanged()
    const animals = start.animals + outcome.added + rows.length
    const to = { fingerprint: start.hash.at(end.bytes), ...end, animals, finished: end.bytes === source.bytes }
    const batch = { tenant, rows: `[${rows.join(',')}]`, count: rows.length, from: fingerprint, to, source: source.path, replaces }
    const stored = await storage.write(storeImportBatch, { ...batch, now: clock.now() })
    if (stored.kind === 'elsewhere') {
      throw conflict(`Another import of ${source.name} is running. Let it finish; run this command again to see that it has.`)
    }
    outcome.added += rows.length
    outcome.firstId ??= stored.ids?.first
    outcome.lastId = stored.ids?.last ?? outcome.lastId
    fingerprint = to.fingerprint
    position = end
    report({ animals, ...end })
  }

  let rows: string[] = []
  let end = position
  for await (const records of readRecords(source, format, position, start.hash)) {
    for (const record of records.records) {
      const row = readRow(record, records.header)
      ...
    }
  }
  return outcome
}
