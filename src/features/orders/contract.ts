import type { OperationContract } from '../../platform/http/operation.ts'
import { pageParameters } from '../../platform/http/openapi/page-parameters.ts'
import { array, instant, int64, object, oneOf, optional, type Static } from '../../platform/schema.ts'
import { ORDER_STATUSES } from './status.ts'

const OrderStatusSchema = oneOf(ORDER_STATUSES, {
  $id: 'OrderStatus',
  description: 'Where the order stands: a placed order holds its animal.',
})

export const Order = object(
  {
    id: int64({ description: 'Unique identifier assigned when the order was placed.' }),
    petId: int64({ description: 'Identifier of the animal that was ordered.' }),
    status: OrderStatusSchema,
    placedAt: instant({ description: 'When the order was placed.' }),
    endedAt: optional(instant({ description: 'When the order was completed or cancelled; absent while it is open.' })),
  },
  { $id: 'Order', description: 'An order for one animal.' },
)

const Orders = array(Order, {
  $id: 'Orders',
  description: 'Orders in ascending order of their ids, or in descending order where `order` is `newest`.',
})

export const NewOrder = object(
  { petId: int64({ description: 'Identifier of an available animal.' }) },
  { $id: 'NewOrder', description: 'An order to place.' },
)
export type NewOrder = Static<typeof NewOrder>

export const OrderPatch = object(
  {
    status: oneOf(['completed', 'cancelled'], {
      description: 'How the order ends.',
    }),
  },
  { $id: 'OrderPatch', description: 'The end of an order.' },
)
export type OrderPatch = Static<typeof OrderPatch>

export const ListOrdersQuery = object({
  limit: pageParameters.limit,
  status: optional(OrderStatusSchema),
  id: optional(int64({ description: 'Only the order with this identifier.' })),
  petId: optional(int64({ description: 'Only the orders of this animal.' })),
  order: optional(
    oneOf(['oldest', 'newest'], { description: 'Which end of the list comes first; `oldest` without it.' }),
  ),
  cursor: pageParameters.cursor,
})
export type ListOrdersFilter = Omit<Static<typeof ListOrdersQuery>, 'limit' | 'cursor'>

const orderId = int64({ description: 'Identifier of the order.', examples: [1] })
const placed = { id: 1, petId: 1, status: 'placed', placedAt: '2026-11-15T09:30:00.000Z' }

export const listOrdersContract: OperationContract = {
  id: 'listOrders',
  method: 'GET',
  path: '/store/orders',
  group: 'Store',
  summary: 'List orders',
  description:
    'Returns a paginated list of orders, oldest first unless `order` says otherwise. ' +
    'Follow `Link: <…>; rel="next"` for the next page.',
  stability: 'experimental',
  scope: 'read',
  tryOut: false,
  query: ListOrdersQuery,
  success: {
    status: 200,
    description: 'One page of orders.',
    schema: Orders,
    example: [placed],
    headers: ['Link', 'ETag'],
  },
  errors: ['invalid_request'],
}

export const createOrderContract: OperationContract = {
  id: 'createOrder',
  method: 'POST',
  path: '/store/orders',
  group: 'Store',
  summary: 'Place an order',
  description: 'Reserves an available animal: it becomes pending until the order is completed or cancelled.',
  stability: 'beta',
  scope: 'write',
  body: { schema: NewOrder, name: 'NewOrder', example: { petId: 1 } },
  idempotent: true,
  success: {
    status: 201,
    description: 'The placed order.',
    schema: Order,
    example: placed,
    headers: ['OrderLocation', 'ETag'],
  },
  errors: ['invalid_request', 'not_found', 'conflict'],
}

export const getOrderContract: OperationContract = {
  id: 'getOrder',
  method: 'GET',
  path: '/store/orders/{orderId}',
  group: 'Store',
  summary: 'Fetch one order',
  description: 'Returns one order by its identifier.',
  stability: 'beta',
  scope: 'read',
  parameters: { orderId },
  success: { status: 200, description: 'The order.', schema: Order, example: placed, headers: ['ETag'] },
  errors: ['not_found'],
}

export const updateOrderContract: OperationContract = {
  id: 'updateOrder',
  method: 'PATCH',
  path: '/store/orders/{orderId}',
  group: 'Store',
  summary: 'Complete or cancel an order',
  description: 'Completing an order makes its animal sold, cancelling it makes the animal available again.',
  stability: 'beta',
  scope: 'write',
  parameters: { orderId },
  conditional: true,
  body: { schema: OrderPatch, name: 'OrderPatch', example: { status: 'completed' } },
  success: {
    status: 200,
    description: 'The ended order.',
    schema: Order,
    example: { ...placed, status: 'completed', endedAt: '2026-11-15T10:00:00.000Z' },
    headers: ['ETag'],
  },
  errors: ['invalid_request', 'not_found', 'conflict'],
}
