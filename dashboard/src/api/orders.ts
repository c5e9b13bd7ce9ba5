import { infiniteQueryOptions } from '@tanstack/react-query'
import type { Int64, NewOrder, OrderFilter, OrderPatch } from '../../../client/src/platform/platform.ts'
import { firstPage } from './first-page.ts'
import { platform } from './platform.ts'
import type { Environment } from './projects.ts'

export type { Order, OrderFilter, OrderStatus } from '../../../client/src/platform/platform.ts'

const ORDERS = '/projects/{project}/environments/{environment}/store/orders'

export const ordersQuery = (project: string, environment: Environment, filter: OrderFilter) =>
  infiniteQueryOptions({
    queryKey: ['projects', project, environment, 'orders', firstPage(filter)],
    queryFn: ({ signal, pageParam: query }) => platform.page(`GET ${ORDERS}`, { project, environment, query, signal }),
    initialPageParam: firstPage(filter),
    getNextPageParam: (page) => page.next,
  })

export const placeOrder = (project: string, environment: Environment, petId: Int64) =>
  platform.call(`POST ${ORDERS}`, { project, environment, body: { petId } satisfies Required<NewOrder> })

export const endOrder = (project: string, environment: Environment, orderId: Int64, status: OrderPatch['status']) =>
  platform.call(`PATCH ${ORDERS}/{orderId}`, { project, environment, orderId, body: { status } })
