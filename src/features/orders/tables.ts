import type { Int64 } from '../../platform/int64.ts'
import type { OrderStatus } from './status.ts'

declare module '../../platform/storage/tables.ts' {
  interface Tables {
    orders: {
      project_id: number
      environment: string
      id: Int64
      pet_id: Int64
      status: OrderStatus
      placed_at: number
      ended_at: number | null
    }
  }
}
