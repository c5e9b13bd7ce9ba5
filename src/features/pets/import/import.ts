import type { Clock } from '../../../platform/clock.ts'
import { conflict, invalid } from '../../../platform/errors.ts'
import type { Tenant } from '../../../platform/tenant.ts'
import type { Int64 } from '../../../platform/int64.ts'
import type { AuditedStorage } from '../../../platform/storage/storage.ts'
import type { PetFields } from '../contract.ts'
import { BadRow } from './bad-row.ts'
import type { Position } from './records.ts'
import { type ImportFormat, readRows } from './rows.ts'
import type { ImportSource } from './source.ts'
import { findStart, PIPE } from './start.ts'
import { storeImportBatch } from './writes.ts'

export interface ImportJob {
  tenant: Tenant
  source: ImportSource
  format: ImportFormat
  /** Add the whole file even though it is stored already. */
  again: boolean
}

/** How much of the file is stored, by this run and earlier ones. */
export interface ImportProgress extends Position {
  animals: number
}

export interface ImportOutcome {
  /** Animals that this run added. */
  added: number
  /** Animals of the same file that earlier runs had added. */
  addedBefore: number
  firstId: Int64 | undefined
  lastId: Int64 | undefined
  /** The signal ended the import before the end of the file. */
  stopped: boolean
}

/** One transaction. SQLite takes some 50 ms for it, short enough for the requests that wait behind it. */
export const BATCH_ROWS = 10_000

/**
 * Adds the animals of a file, in its order, 10,000 at a time: each batch is stored together with the place that
 * it ends at, so that an import that was interrupted goes on there and neither loses nor repeats a row.
 */
export async function importPets(
  { storage, clock }: { storage: AuditedStorage; clock: Clock },
  job: ImportJob,
  report: (progress: ImportProgress) => void,
  signal: AbortSignal,
): Promise<ImportOutcome> {
  const { tenant, source, format } = job
  const start = await findStart(storage.read, job)
  const addedBefore = start.animals
  const outcome: ImportOutcome = { added: 0, addedBefore, firstId: undefined, lastId: undefined, stopped: false }
  let { from, position: stored } = start
  let pets: PetFields[] = []
  let end = stored
  if (start.finished) return outcome
  report({ animals: start.animals, ...stored })

  try {
    for await (const read of readRows(source, format, stored, (chunk) => start.hash.add(chunk))) {
      for (const row of read) {
        end = row.end
        if (row.pet !== undefined) pets.push(row.pet)
        if (pets.length === BATCH_ROWS) await storeBatch()
        if (signal.aborted) return { ...outcome, stopped: true }
      }
      start.hash.moveTo(end.bytes)
    }
    if (pets.length > 0 || stored.bytes < source.bytes || from === undefined) await storeBatch()
  } catch (error) {
    throw error instanceof BadRow ? refusal(source, error, start.animals + outcome.added, stored) : error
  }
  return outcome

  async function storeBatch(): Promise<void> {
    await source.requireUnchanged()
    start.hash.moveTo(end.bytes)
    const animals = start.animals + outcome.added + pets.length
    const finished = end.bytes === source.bytes
    const key = { fingerprint: start.hash.digest(), source: finished ? '' : (source.path ?? PIPE) }
    const result = await storage.write(storeImportBatch, {
      tenant,
      pets,
      from,
      to: { ...key, size: source.bytes, ...end, animals },
      finished,
      replaces: start.replaces,
      now: clock.now(),
    })
    if (result.kind === 'elsewhere') {
      throw conflict(`Another import of ${source.name} is running. Run this command again when it has finished.`)
    }
    outcome.added += pets.length
    outcome.firstId ??= result.ids[0]
    outcome.lastId = result.ids.at(-1) ?? outcome.lastId
    from = key
    stored = end
    pets = []
    report({ animals, ...end })
  }
}

function refusal(source: ImportSource, row: BadRow, animals: number, stored: Position) {
  const kept =
    animals === 0
      ? 'Nothing was stored'
      : `The ${animals} animals of lines 1 to ${stored.lines} are stored, and nothing of what follows`
  return invalid(
    `${source.name}, line ${row.line}: ${row.message}. The row reads: ${row.excerpt}\n` +
      `${kept}: mend the row and run the same command again.`,
  )
}
