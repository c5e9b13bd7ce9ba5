import { type Compilable, sql } from 'kysely'
import type { Tenant } from '../../platform/tenant.ts'
import type { Int64 } from '../../platform/int64.ts'
import { type BoundedCount, countSome } from '../../platform/storage/bounded-count.ts'
import { deleteSomeOf } from '../../platform/storage/delete-some.ts'
import { engineOf } from '../../platform/storage/engine-of.ts'
import { type JsonPage, jsonPage, type PageParameters } from '../../platform/storage/json-page.ts'
import { prepare } from '../../platform/storage/prepared.ts'
import type { Db, Engine } from '../../platform/storage/tables.ts'
import { type JoinedRows, pageOfJoined, shownPage, shownPet } from './shown.ts'
import type { PetStatus } from './status.ts'
import { type PetRow, pets } from './tables.ts'

/** As the engine reads it: `pageOf` makes a page of either. */
export type FoundPage = JsonPage | JoinedRows

const pageOfAll =
  (newest: boolean) =>
  (db: Db, page: PageParameters): Compilable<FoundPage> =>
    engineOf(db) === 'sqlite'
      ? shownPage(db, page, { newest, ofStatus: false })
      : jsonPage(db, page, { table: 'pets', json: pets.jsonText(db), newest })

export const findPetPage = prepare('findPetPage', pageOfAll(false))
export const findNewestPetPage = prepare('findNewestPetPage', pageOfAll(true))

const pageOfStatus =
  (newest: boolean) =>
  (db: Db, page: PageParameters & { status: PetStatus }): Compilable<FoundPage> =>
    engineOf(db) === 'sqlite'
      ? shownPage(db, page, { newest, ofStatus: true })
      : jsonPage(db, page, {
          table: 'pets',
          json: pets.jsonText(db),
          where: (pet) => [pet('status', '=', page.status)],
          newest,
        })

export const findPetPageByStatus = prepare('findPetPageByStatus', pageOfStatus(false))
export const findNewestPetPageByStatus = prepare('findNewestPetPageByStatus', pageOfStatus(true))

export const pageOf = (found: FoundPage, limit: number): JsonPage =>
  'joined' in found ? pageOfJoined(found, limit) : found

interface OnePet extends Record<string, unknown> {
  projectId: number
  environment: string
  id: Int64
}

export const findPet = prepare('findPet', (db, pet: OnePet): Compilable<{ json: string }> =>
  engineOf(db) === 'sqlite'
    ? shownPet(db, pet)
    : db
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

export async function deletePetRow(db: Db, pet: OnePet): Promise<void> {
  await db
    .deleteFrom('pets')
    .where('project_id', '=', pet.projectId)
    .where('environment', '=', pet.environment)
    .where('id', '=', pet.id)
    .execute()
}

/** Of an animal that is about to be deleted, where it is the tenant's last: the next one must not get its number. */
export async function keepPetNumber(db: Db, { projectId, environment, id }: OnePet): Promise<void> {
  await sql`
    insert into pet_numbers (project_id, environment, last)
    select ${projectId}, ${environment}, ${id} where not exists (
      select 1 from pets where project_id = ${projectId} and environment = ${environment} and id > ${id}
    )
    on conflict (project_id, environment) do update set last = excluded.last
    where excluded.last > pet_numbers.last`.execute(db)
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

export function countPets(db: Db, { projectId, environment }: Tenant, status: PetStatus): Promise<BoundedCount> {
  const animals = db.selectFrom('pets').select('id').where('project_id', '=', projectId)
  return countSome(db, animals.where('environment', '=', environment).where('status', '=', status))
}

export const deleteSomePets = deleteSomeOf('pets', ['project_id', 'environment', 'id'])
