import { infiniteQueryOptions } from '@tanstack/react-query'
import type { Order as OrderSchema } from '../../../src/features/orders/contract.ts'
import type { OrderStatus } from '../../../src/features/orders/status.ts'
import type { Int64 } from '../../../src/platform/int64.ts'
import type { Static } from '../../../src/platform/schema.ts'
import { type Environment, pathOf } from './projects.ts'
import { request, requestPage } from './request.ts'

export type Order = Static<typeof OrderSchema>
export type { OrderStatus }

const PAGE_ROWS = 25

const ordersPath = (slug: string, environment: Environment) =>
  `${pathOf(slug)}/environments/${environment}/store/orders`

export const ordersQuery = (slug: string, environment: Environment, status: OrderStatus | null) =>
  infiniteQueryOptions({
    queryKey: ['projects', slug, environment, 'orders', status],
    queryFn: ({ signal, pageParam }) => requestPage<Order>(pageParam, { signal }),
    initialPageParam: `${ordersPath(slug, environment)}?limit=${PAGE_ROWS}${status ? `&status=${status}` : ''}`,
    getNextPageParam: (page) => page.next,
  })

export const placeOrder = (slug: string, environment: Environment, petId: Int64) =>
  request<Order>(ordersPath(slug, environment), { method: 'POST', body: { petId } })

export const endOrder = (slug: string, environment: Environment, id: Int64, status: 'completed' | 'cancelled') =>
  request<Order>(`${ordersPath(slug, environment)}/${id}`, { method: 'PATCH', body: { status } })
