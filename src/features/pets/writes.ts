import { answerOnce, type IdempotentUse, type OnceOutcome } from '../../platform/http/idempotency.ts'
import type { Tenant } from '../../platform/tenant.ts'
import type { Int64 } from '../../platform/int64.ts'
import { insertRows } from '../../platform/storage/insert-rows.ts'
import { nextNumbers } from '../../platform/storage/sequence.ts'
import { defineWrite } from '../../platform/storage/storage.ts'
import type { Db, Engine } from '../../platform/storage/tables.ts'
import type { PetPatch } from './contract.ts'
import { findPetForUpdate, takeTurns, updatePetRow } from './queries.ts'
import { mayBecome, type PetStatus } from './status.ts'
import { type PetRow, petJson } from './view.ts'

export interface AddedPet {
  tenant: Tenant
  name: string
  categoryId: Int64
  status: PetStatus
  now: number
}

/** Animals that are added at the same time share their statements and their commit. */
export const addPet = defineWrite<AddedPet, Int64>('pets.add', addOne, { runMany: addMany })

async function addOne(db: Db, pet: AddedPet, engine: Engine): Promise<Int64> {
  const [id] = await addMany(db, [pet], engine)
  return id as Int64
}

async function addMany(db: Db, pets: AddedPet[], engine: Engine): Promise<Int64[]> {
  await takeTurns(
    db,
    engine,
    pets.map((pet) => pet.tenant),
  )
  const ids = await nextNumbers(db, engine, 'pets', pets.length)
  const rows = pets.map((pet, index) => {
    const { tenant, name, categoryId, status, now } = pet
    return [tenant.projectId, tenant.environment, ids[index], name, categoryId, status, now, now]
  })
  await insertRows(db, 'pets', PET_COLUMNS, rows)
  return ids
}

const PET_COLUMNS = [
  'project_id',
  'environment',
  'id',
  'name',
  'category_id',
  'status',
  'created_at',
  'updated_at',
] as const

export const addPetOnce = defineWrite(
  'pets.addOnce',
  (db, { pet, use }: { pet: AddedPet; use: IdempotentUse }, engine): Promise<OnceOutcome> =>
    answerOnce(db, engine, { tenant: pet.tenant, use, now: pet.now }, async () => {
      const id = await addOne(db, pet, engine)
      return petJson({ id, name: pet.name, category_id: pet.categoryId, status: pet.status })
    }),
)

export type UpdateOutcome =
  | { kind: 'missing' }
  | { kind: 'forbidden'; from: PetStatus }
  | { kind: 'held'; orderId: Int64 }
  | { kind: 'updated'; pet: PetRow }

export const updatePet = defineWrite(
  'pets.update',
  async (db, input: { tenant: Tenant; id: Int64; patch: PetPatch; now: number }, engine): Promise<UpdateOutcome> => {
    const { tenant, id, patch, now } = input
    const pet = await findPetForUpdate(db, engine, { ...tenant, id })
    if (!pet) return { kind: 'missing' }
    const status = patch.status ?? pet.status
    if (!mayBecome(pet.status, status)) return { kind: 'forbidden', from: pet.status }
    if (status !== pet.status && pet.held_by !== null) return { kind: 'held', orderId: pet.held_by }
    const changed: PetRow = {
      id,
      name: patch.name ?? pet.name,
      category_id: patch.categoryId ?? pet.category_id,
      status,
    }
    await updatePetRow(db, { ...tenant, id, name: changed.name, categoryId: changed.category_id, status, now })
    return { kind: 'updated', pet: changed }
  },
)
