import type { Tenant } from '../../../platform/http/idempotency.ts'
import { defineWrite } from '../../../platform/storage/storage.ts'
import type { Db } from '../../../platform/storage/tables.ts'
import { takeTurns } from '../queries.ts'
import { type IdRange, insertPets } from './queries.ts'

export interface ImportBatch {
  tenant: Tenant
  /** `[[name, categoryId, status], …]` as JSON text. */
  rows: string
  count: number
  /** The fingerprint that the import stood at before; undefined for its first batch. */
  from: string | undefined
  /** Where it stands once these animals are stored. */
  to: { fingerprint: string; bytes: number; lines: number; animals: number; finished: boolean }
  source: string | null
  /** Fingerprints of earlier imports that this one takes the place of. */
  replaces: string[]
  now: number
}

export type BatchOutcome = { kind: 'stored'; ids: IdRange | undefined } | { kind: 'elsewhere' }

/** Animals and how far the file is stored, in one transaction: a crash leaves both or neither. */
export const storeImportBatch = defineWrite(
  'pets.storeImportBatch',
  async (db, batch: ImportBatch, engine): Promise<BatchOutcome> => {
    await takeTurns(db, engine, [batch.tenant])
    const moved = batch.from === undefined ? await begin(db, batch) : await advance(db, batch, batch.from)
    if (!moved) return { kind: 'elsewhere' }
    return { kind: 'stored', ids: batch.count === 0 ? undefined : await insertPets(db, engine, batch) }
  },
)

/** False when another process has begun the same file meanwhile. */
async function begin(db: Db, { tenant, to, source, replaces, now }: ImportBatch): Promise<boolean> {
  if (replaces.length > 0) {
    await db
      .deleteFrom('pet_imports')
      .where('project_id', '=', tenant.projectId)
      .where('environment', '=', tenant.environment)
      .where('fingerprint', 'in', replaces)
      .execute()
  }
  const { finished, ...progress } = to
  const inserted = await db
    .insertInto('pet_imports')
    .values({
      project_id: tenant.projectId,
      environment: tenant.environment,
      ...progress,
      source,
      started_at: now,
      updated_at: now,
      finished_at: finished ? now : null,
    })
    .onConflict((conflict) => conflict.columns(['project_id', 'environment', 'fingerprint']).doNothing())
    .executeTakeFirst()
  return inserted.numInsertedOrUpdatedRows === 1n
}

/** False when another process has gone on with the same import meanwhile. */
async function advance(db: Db, { tenant, to, source, now }: ImportBatch, from: string): Promise<boolean> {
  const { finished, ...progress } = to
  const updated = await db
    .updateTable('pet_imports')
    .set({ ...progress, source, updated_at: now, finished_at: finished ? now : null })
    .where('project_id', '=', tenant.projectId)
    .where('environment', '=', tenant.environment)
    .where('fingerprint', '=', from)
    .where('finished_at', 'is', null)
    .executeTakeFirst()
  return updated.numUpdatedRows === 1n
}
