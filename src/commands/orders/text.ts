import type { Order } from '../../../client/src/client.ts'

export const ORDER_COLUMNS = ['ID', 'ANIMAL', 'STATUS', 'PLACED', 'ENDED']

export const orderRow = (order: Order) => [
  String(order.id),
  String(order.petId),
  order.status,
  order.placedAt,
  order.endedAt ?? '–',
]
