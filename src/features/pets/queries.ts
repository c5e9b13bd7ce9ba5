import type { Tenant } from '../../platform/tenant.ts'
import type { Int64 } from '../../platform/int64.ts'
import { type BoundedCount, countSome } from '../../platform/storage/bounded-count.ts'
import { deleteSomeOf } from '../../platform/storage/delete-some.ts'
import { jsonPage } from '../../platform/storage/json-page.ts'
import { prepare } from '../../platform/storage/prepared.ts'
import { unlikely } from '../../platform/storage/unlikely.ts'
import type { Db, Engine } from '../../platform/storage/tables.ts'
import type { PetStatus } from './status.ts'
import { type PetRow, pets } from './tables.ts'

interface PageParameters extends Record<string, unknown> {
  projectId: number
  environment: string
  after: Int64
  limit: number
}

export const findPetPage = prepare('findPetPage', (db, { projectId, environment, after, limit }: PageParameters) =>
  jsonPage(db, {
    table: 'pets',
    json: pets.jsonText(db),
    where: (pet) => pet.and([pet('project_id', '=', projectId), pet('environment', '=', environment)]),
    after,
    limit,
  }),
)

export const findPetPageByStatus = prepare(
  'findPetPageByStatus',
  (db, { projectId, environment, status, after, limit }: PageParameters & { status: PetStatus }) =>
    jsonPage(db, {
      table: 'pets',
      json: pets.jsonText(db),
      where: (pet) =>
        pet.and([
          pet('project_id', '=', projectId),
          pet('environment', '=', environment),
          unlikely(db, pet('status', '=', status)),
        ]),
      after,
      limit,
    }),
)

interface OnePet extends Record<string, unknown> {
  projectId: number
  environment: string
  id: Int64
}

export const findPet = prepare('findPet', (db, pet: OnePet) =>
  db
    .selectFrom('pets')
    .select(pets.jsonText(db).as('json'))
    .where('project_id', '=', pet.projectId)
    .where('environment', '=', pet.environment)
    .where('id', '=', pet.id),
)

const changeable = pets.columns.filter((column) => column !== 'id')

export const updatePetRow = prepare('updatePetRow', (db, pet: OnePet & PetRow & { now: number }) =>
  db
    .updateTable('pets')
    .set({ ...Object.fromEntries(changeable.map((column) => [column, pet[column]])), updated_at: pet.now })
    .where('project_id', '=', pet.projectId)
    .where('environment', '=', pet.environment)
    .where('id', '=', pet.id),
)

/** Locks the row on PostgreSQL, so that a transition is judged by the status that it replaces. */
export async function findPetForUpdate(db: Db, engine: Engine, pet: OnePet) {
  const query = db
    .selectFrom('pets')
    .select([...pets.columns, 'held_by'])
    .where('project_id', '=', pet.projectId)
    .where('environment', '=', pet.environment)
    .where('id', '=', pet.id)
  return (engine === 'postgres' ? query.forUpdate() : query).executeTakeFirst()
}

/** Gives the animal to an order, or back: `heldBy` and the status always change together. */
export async function holdPet(
  db: Db,
  pet: OnePet,
  change: { status: PetStatus; heldBy: Int64 | null; now: number },
): Promise<void> {
  await db
    .updateTable('pets')
    .set({ status: change.status, held_by: change.heldBy, updated_at: change.now })
    .where('project_id', '=', pet.projectId)
    .where('environment', '=', pet.environment)
    .where('id', '=', pet.id)
    .execute()
}

export function findNewestPets(db: Db, { projectId, environment }: Tenant, limit: number) {
  return db
    .selectFrom('pets')
    .select(pets.columns)
    .where('project_id', '=', projectId)
    .where('environment', '=', environment)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

export function countPets(db: Db, { projectId, environment }: Tenant, status: PetStatus): Promise<BoundedCount> {
  const animals = db.selectFrom('pets').select('id').where('project_id', '=', projectId)
  return countSome(db, animals.where('environment', '=', environment).where('status', '=', status))
}

export const deleteSomePets = deleteSomeOf('pets', ['project_id', 'environment', 'id'])
