import { defineWrite } from '../../../platform/storage/storage.ts'
import type { Db } from '../../../platform/storage/tables.ts'
import type { Tenant } from '../../../platform/tenant.ts'
import type { PetFields } from '../contract.ts'
import { addMany } from '../writes.ts'
import { findSentImport, SENT } from './queries.ts'

interface SentPart {
  tenant: Tenant
  sha256: string
  /** Rows of the file before these, and before what follows them. */
  after: number
  through: number
  pets: PetFields[]
  last: boolean
  now: number
}

/** Animals and how far the file is stored, in one transaction; nothing where the import stands elsewhere. */
export const storeSentRows = defineWrite(
  'pets.storeSentRows',
  async (db, part: SentPart, engine) => {
    const { tenant, sha256, after, pets, now } = part
    const isNext = await (after === 0 ? begin(db, part) : advance(db, part))
    const added = pets.map((fields) => ({ tenant, fields, now }))
    if (isNext && added.length > 0) await addMany(db, added, engine)
    return { isNext, stored: await findSentImport(db, tenant, sha256) }
  },
  {
    // One entry for each import, not for each part.
    note: ({ tenant: { projectId, environment }, sha256, last }, { isNext, stored }) => {
      if (!isNext || !last || stored === undefined) return undefined
      const { animals } = stored
      return {
        verb: 'pet.import',
        subject: `${animals} animals`,
        projectId,
        details: { environment, animals, sha256 },
      }
    },
  },
)

/** False when the same file has been begun before. */
async function begin(db: Db, { tenant, sha256, through, pets, last, now }: SentPart): Promise<boolean> {
  const inserted = await db
    .insertInto('pet_imports')
    .values({
      project_id: tenant.projectId,
      environment: tenant.environment,
      fingerprint: sha256,
      source: SENT,
      size: through,
      bytes: through,
      lines: through,
      animals: pets.length,
      started_at: now,
      updated_at: now,
      finished_at: last ? now : null,
    })
    .onConflict((conflict) => conflict.columns(['project_id', 'environment', 'fingerprint', 'source']).doNothing())
    .executeTakeFirst()
  return inserted.numInsertedOrUpdatedRows === 1n
}

/** False when the import does not stand just before these rows. */
async function advance(db: Db, { tenant, sha256, after, through, pets, last, now }: SentPart): Promise<boolean> {
  const updated = await db
    .updateTable('pet_imports')
    .set((eb) => ({
      size: through,
      bytes: through,
      lines: through,
      animals: eb('animals', '+', pets.length),
      updated_at: now,
      finished_at: last ? now : null,
    }))
    .where('project_id', '=', tenant.projectId)
    .where('environment', '=', tenant.environment)
    .where('fingerprint', '=', sha256)
    .where('source', '=', SENT)
    .where('lines', '=', after)
    .where('finished_at', 'is', null)
    .executeTakeFirst()
  return updated.numUpdatedRows === 1n
}
