import type { Int64 } from '../../platform/int64.ts'
import type { PetStatus } from './status.ts'

declare module '../../platform/storage/tables.ts' {
  interface Tables {
    pets: {
      project_id: number
      environment: string
      id: Int64
      name: string
      category_id: Int64
      status: PetStatus
      /** The open order that holds the animal: its status then belongs to the order. */
      held_by: Int64 | null
      created_at: number
      updated_at: number
    }
  }
}
