import type { Order } from '../../api/orders.ts'

/** In the order of the contract: a field left out does not compile. */
const FIELDS: Record<keyof Order, true> = { id: true, petId: true, status: true, placedAt: true, endedAt: true }

export const ORDER_COLUMNS = Object.keys(FIELDS) as (keyof Order)[]
