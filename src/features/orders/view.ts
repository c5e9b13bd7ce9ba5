import type { Int64 } from '../../platform/int64.ts'
import type { OrderStatus } from './status.ts'

export interface OrderRow {
  id: Int64
  pet_id: Int64
  status: OrderStatus
  placed_at: number
  ended_at: number | null
}

export function orderJson(order: OrderRow): string {
  const ended = order.ended_at === null ? '' : `,"endedAt":"${new Date(order.ended_at).toISOString()}"`
  const placed = new Date(order.placed_at).toISOString()
  return `{"id":${order.id},"petId":${order.pet_id},"status":"${order.status}","placedAt":"${placed}"${ended}}`
}

export const ordersJson = (orders: readonly OrderRow[]) => `[${orders.map(orderJson).join(',')}]`
