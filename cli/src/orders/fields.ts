import type { Order } from '../../../client/src/client.ts'
import { type Headers, table } from '../line/fields.ts'

const HEADERS: Headers<Order> = { id: 'ID', petId: 'ANIMAL', status: 'STATUS', placedAt: 'PLACED', endedAt: 'ENDED' }

export const orderTable = (orders: readonly Order[]) => table(HEADERS, orders)
