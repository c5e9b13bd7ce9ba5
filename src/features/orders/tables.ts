import { resource, type Row } from '../../platform/resource.ts'
import { numberedTable } from '../../platform/storage/rows/numbered-table.ts'
import { Order } from './contract.ts'

export const orders = resource(Order)
export type OrderRow = Row<typeof Order>

declare module '../../platform/storage/tables.ts' {
  interface Tables {
    orders: OrderRow & { project_id: number; environment: string }
  }
}

export const numberedOrders = numberedTable('orders')
