import { answerOnce, idOfAnswer, type IdempotentUse, isNew, type OnceOutcome } from '../../platform/http/idempotency.ts'
import { etagOf, isMatch } from '../../platform/http/etag.ts'
import type { Tenant } from '../../platform/tenant.ts'
import type { Int64 } from '../../platform/int64.ts'
import type { AuditNote } from '../../platform/storage/audit-note.ts'
import { defineWrite } from '../../platform/storage/storage.ts'
import type { Db, Engine } from '../../platform/storage/tables.ts'
import type { PetFields, PetPatch } from './contract.ts'
import { deletePetRow, findPetForUpdate, keepPetNumber, updatePetRow } from './queries.ts'
import { mayBecome, type PetStatus } from './status.ts'
import { numberedPets, type PetRow, pets } from './tables.ts'

export interface AddedPet {
  tenant: Tenant
  fields: PetFields
  now: number
}

/** Animals that are added at the same time share their statement and their commit. */
export const addPet = defineWrite<AddedPet, Int64>('pets.add', addOne, {
  runMany: addMany,
  oneStatement: true,
  note: (pet, id) => noteOfPet(pet, id),
})

const noteOfPet = ({ tenant: { projectId, environment }, fields: { name } }: AddedPet, id: Int64): AuditNote => ({
  verb: 'pet.add',
  subject: String(id),
  projectId,
  details: { environment, name },
})

async function addOne(db: Db, pet: AddedPet, engine: Engine): Promise<Int64> {
  const [id] = await addMany(db, [pet], engine)
  return id as Int64
}

export async function addMany(db: Db, added: AddedPet[], engine: Engine): Promise<Int64[]> {
  const rows = added.map(({ tenant, fields, now }) => {
    const { id: _, ...row } = pets.toRow({ id: 0, ...fields })
    const { projectId: project_id, environment } = tenant
    return { project_id, environment, ...row, created_at: now, updated_at: now }
  })
  return numberedPets.insert(db, engine, rows)
}

export interface OnceInput {
  use: IdempotentUse
  /** The project has no room: what was added with this key before is still told. */
  isFull: boolean
}

export type NoRoom = { kind: 'full' }

export const addPetOnce = defineWrite(
  'pets.addOnce',
  (db, { pet, use, isFull }: { pet: AddedPet } & OnceInput, engine): Promise<OnceOutcome | NoRoom> =>
    answerOnce<NoRoom>(db, engine, { tenant: pet.tenant, use, now: pet.now }, async () => {
      if (isFull) return { kind: 'full' }
      const id = await addOne(db, pet, engine)
      return pets.toJson(pets.toRow({ id, ...pet.fields }))
    }),
  { note: ({ pet }, outcome) => (isNew(outcome) ? noteOfPet(pet, idOfAnswer(outcome.answer)) : undefined) },
)

interface PetChange {
  tenant: Tenant
  id: Int64
  /** Nothing is done unless it names the animal as it is. */
  ifMatch?: string | undefined
}

export type UpdateOutcome =
  | { kind: 'missing' }
  | { kind: 'changed' }
  | { kind: 'forbidden'; from: PetStatus }
  | { kind: 'held'; orderId: Int64 }
  | { kind: 'unchanged'; pet: PetRow }
  | { kind: 'updated'; before: PetRow; pet: PetRow }

export const updatePet = defineWrite(
  'pets.update',
  async (db, input: PetChange & { patch: PetPatch; now: number }, engine): Promise<UpdateOutcome> => {
    const { tenant, id, patch, ifMatch, now } = input
    const pet = await findPetForUpdate(db, engine, { ...tenant, id })
    if (!pet) return { kind: 'missing' }
    const shown = pets.toJson(pet)
    if (!isMatch(ifMatch, etagOf(shown))) return { kind: 'changed' }
    const changed: PetRow = { ...pet, ...pets.toChanges(patch) }
    if (!mayBecome(pet.status, changed.status)) return { kind: 'forbidden', from: pet.status }
    if (changed.status !== pet.status && pet.held_by !== null) return { kind: 'held', orderId: pet.held_by }
    // What is there already is no change: subscribers are told of each write.
    if (pets.toJson(changed) === shown) return { kind: 'unchanged', pet }
    await updatePetRow(db, { ...tenant, ...changed, now })
    return { kind: 'updated', before: pet, pet: changed }
  },
  {
    note: ({ tenant: { projectId, environment }, id, patch }, outcome) => {
      if (outcome.kind !== 'updated') return undefined
      const details = { environment, changed: Object.keys(patch).join(' '), ...fromAndTo(outcome.before, patch) }
      return { verb: 'pet.change', subject: String(id), projectId, details }
    },
  },
)

/** `status from` and `status to`, and so on for each field that is not what it was. */
function fromAndTo(before: PetRow, patch: PetPatch): Record<string, string> {
  const details: Record<string, string> = {}
  for (const [field, to] of Object.entries(patch)) {
    const [column] = Object.keys(pets.toChanges({ [field]: to })) as [keyof PetRow]
    if (before[column] === to) continue
    details[`${field} from`] = String(before[column])
    details[`${field} to`] = String(to)
  }
  return details
}

export type DeleteOutcome =
  | { kind: 'missing' }
  | { kind: 'changed' }
  | { kind: 'held'; orderId: Int64 }
  | { kind: 'deleted'; name: string }

export const deletePet = defineWrite(
  'pets.delete',
  async (db, { tenant, id, ifMatch }: PetChange, engine): Promise<DeleteOutcome> => {
    const pet = await findPetForUpdate(db, engine, { ...tenant, id })
    if (!pet) return { kind: 'missing' }
    if (!isMatch(ifMatch, etagOf(pets.toJson(pet)))) return { kind: 'changed' }
    if (pet.held_by !== null) return { kind: 'held', orderId: pet.held_by }
    await keepPetNumber(db, { ...tenant, id })
    await deletePetRow(db, { ...tenant, id })
    return { kind: 'deleted', name: pet.name }
  },
  {
    note: ({ tenant: { projectId, environment }, id }, outcome) => {
      if (outcome.kind !== 'deleted') return undefined
      return { verb: 'pet.delete', subject: String(id), projectId, details: { environment, name: outcome.name } }
    },
  },
)
