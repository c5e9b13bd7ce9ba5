import { sql } from 'kysely'
import { answerOnce, type IdempotentUse, type OnceOutcome, type Tenant } from '../../platform/http/idempotency.ts'
import type { Int64 } from '../../platform/int64.ts'
import { nextNumber } from '../../platform/storage/sequence.ts'
import { defineWrite } from '../../platform/storage/storage.ts'
import type { Db, Engine } from '../../platform/storage/tables.ts'
import type { PetPatch } from './contract.ts'
import { findPetForUpdate, insertPet, takeTurn, updatePetRow } from './queries.ts'
import { mayBecome, type PetStatus } from './status.ts'
import { type PetRow, petJson } from './view.ts'

export interface AddedPet {
  tenant: Tenant
  name: string
  categoryId: Int64
  status: PetStatus
  now: number
}

export const addPet = defineWrite('pets.add', addOne, addMany)

async function addOne(db: Db, pet: AddedPet, engine: Engine): Promise<Int64> {
  await takeTurn(db, engine, pet.tenant)
  const id = await nextNumber(db, engine, 'pets')
  const { tenant, ...fields } = pet
  await insertPet(db, { ...tenant, id, ...fields })
  return id
}

/** One statement for animals of many tenants: the turns are taken first and in one order, so that none waits in a ring. */
async function addMany(db: Db, pets: AddedPet[]): Promise<Int64[]> {
  const turns = [...new Set(pets.map(({ tenant }) => `pets ${tenant.projectId} ${tenant.environment}`))].sort()
  await sql`select pg_advisory_xact_lock(hashtextextended(turn, 0)) from unnest(${turns}::text[]) as turn`.execute(db)
  const { rows } = await sql<{ id: Int64 }>`
    insert into pets (project_id, environment, id, name, category_id, status, created_at, updated_at)
    select project_id, environment, nextval('pets_seq'), name, category_id, status, now, now
    from unnest(
      ${pets.map((pet) => pet.tenant.projectId)}::bigint[], ${pets.map((pet) => pet.tenant.environment)}::text[],
      ${pets.map((pet) => pet.name)}::text[], ${pets.map((pet) => String(pet.categoryId))}::bigint[],
      ${pets.map((pet) => pet.status)}::text[], ${pets.map((pet) => pet.now)}::bigint[]
    ) with ordinality as added (project_id, environment, name, category_id, status, now, place)
    order by place
    returning id`.execute(db)
  return rows.map((row) => row.id)
}

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
