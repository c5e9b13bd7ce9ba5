import type { Int64 } from '../../platform/int64.ts'
import type { PetStatus } from './status.ts'

export interface PetRow {
  id: Int64
  name: string
  category_id: Int64
  status: PetStatus
}

/** The contract's Pet. Written out, because JSON.stringify cannot print a bigint and this is the hot path. */
export function petJson(pet: PetRow): string {
  return `{"id":${pet.id},"name":${JSON.stringify(pet.name)},"categoryId":${pet.category_id},"status":"${pet.status}"}`
}

export function petsJson(pets: readonly PetRow[]): string {
  let text = '['
  for (const [index, pet] of pets.entries()) text += index === 0 ? petJson(pet) : `,${petJson(pet)}`
  return `${text}]`
}
