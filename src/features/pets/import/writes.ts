import type { ExpressionBuilder } from 'kysely'
import type { Tenant } from '../../../platform/tenant.ts'
import type { Int64 } from '../../../platform/int64.ts'
import { defineWrite } from '../../../platform/storage/storage.ts'
import type { Db, Tables } from '../../../platform/storage/tables.ts'
import type { PetFields } from '../contract.ts'
import { addMany } from '../writes.ts'

export interface ImportKey {
  fingerprint: string
  source: string
}

export interface ImportBatch {
  tenant: Tenant
  pets: PetFields[]
  /** The record that the import stood at before; undefined for its first batch. */
  from: ImportKey | undefined
  /** Where it stands once these animals are stored. */
  to: ImportKey & { size: number; bytes: number; lines: number; animals: number }
  /** Whether that is the end of the file. */
  finished: boolean
  /** Records of earlier imports that this one takes the place of. */
  replaces: ImportKey[]
  now: number
}

export type BatchOutcome = { kind: 'stored'; ids: Int64[] } | { kind: 'elsewhere' }

/** Animals and how far the file is stored, in one transaction: a crash leaves both or neither. */
export const storeImportBatch = defineWrite(
  'pets.storeImportBatch',
  async (db, batch: ImportBatch, engine): Promise<BatchOutcome> => {
    const { tenant, pets, now } = batch
    const moved = batch.from === undefined ? await begin(db, batch) : await advance(db, batch, batch.from)
    if (!moved) return { kind: 'elsewhere' }
    const added = pets.map((fields) => ({ tenant, fields, now }))
    return { kind: 'stored', ids: await addMany(db, added, engine) }
  },
  {
    // One entry for each import, not for each batch.
    note: ({ tenant: { projectId, environment }, to: { animals, fingerprint }, finished }, { kind }) => {
      if (kind !== 'stored' || !finished) return undefined
      const details = { environment, animals, sha256: fingerprint }
      return { verb: 'pet.import', subject: `${animals} animals`, projectId, details }
    },
  },
)

/** False when another process has begun the same file meanwhile. */
async function begin(db: Db, { tenant, to, finished, replaces, now }: ImportBatch): Promise<boolean> {
  for (const replaced of replaces) await db.deleteFrom('pet_imports').where(is(tenant, replaced)).execute()
  const inserted = await db
    .insertInto('pet_imports')
    .values({
      project_id: tenant.projectId,
      environment: tenant.environment,
      ...to,
      started_at: now,
      updated_at: now,
      finished_at: finished ? now : null,
    })
    .onConflict((conflict) => conflict.columns(['project_id', 'environment', 'fingerprint', 'source']).doNothing())
    .executeTakeFirst()
  return inserted.numInsertedOrUpdatedRows === 1n
}

/** False when another process has gone on with the same import meanwhile. */
async function advance(db: Db, { tenant, to, finished, now }: ImportBatch, from: ImportKey): Promise<boolean> {
  const updated = await db
    .updateTable('pet_imports')
    .set({ ...to, updated_at: now, finished_at: finished ? now : null })
    .where(is(tenant, from))
    .executeTakeFirst()
  return updated.numUpdatedRows === 1n
}

function is({ projectId, environment }: Tenant, { fingerprint, source }: ImportKey) {
  return (eb: ExpressionBuilder<Tables, 'pet_imports'>) =>
    eb.and({ project_id: projectId, environment, fingerprint, source })
}
