import type { Int64 } from '../../platform/int64.ts'
import { resource, type Row } from '../../platform/resource.ts'
import { numberedTable } from '../../platform/storage/rows/numbered-table.ts'
import { Pet } from './contract.ts'

export const pets = resource(Pet)
export type PetRow = Row<typeof Pet>

declare module '../../platform/storage/tables.ts' {
  interface Tables {
    pets: PetRow & {
      project_id: number
      environment: string
      /** The open order that holds the animal: its status then belongs to the order. */
      held_by: Int64 | null
      created_at: number
      updated_at: number
    }
    /** The last animal that was deleted of a tenant, where none came after it. */
    pet_numbers: { project_id: number; environment: string; last: Int64 }
  }
}

export const numberedPets = numberedTable('pets', 'pet_numbers')
