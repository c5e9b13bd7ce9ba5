import { queryOptions } from '@tanstack/react-query'
import type { Int64, NewOrder, OrderPatch, PageSearch } from '../../../client/src/platform/platform.ts'
import { platform } from './platform.ts'
import type { Environment } from './projects.ts'

export type { Order, OrderStatus } from '../../../client/src/platform/platform.ts'

const ORDERS = '/projects/{project}/environments/{environment}/store/orders'

export const ordersQuery = (project: string, environment: Environment, query: PageSearch) =>
  queryOptions({
    queryKey: ['projects', project, environment, 'orders', query],
    queryFn: ({ signal }) => ordersPage(project, environment, query, signal),
  })

/** How many a list has in all its pages; it stops at 10,000. */
export const ordersCountQuery = (project: string, environment: Environment, look: PageSearch) => {
  const { limit: _, cursor: __, order: ___, ...query } = look
  const count = 'GET /projects/{project}/environments/{environment}/counts/orders'
  return queryOptions({
    queryKey: ['projects', project, environment, 'count', 'orders', query],
    queryFn: ({ signal }) => platform.call(count, { project, environment, query, signal }),
  })
}

export const ordersPage = (project: string, environment: Environment, query: PageSearch, signal?: AbortSignal) =>
  platform.page(`GET ${ORDERS}`, { project, environment, query, signal })

export const placeOrder = (project: string, environment: Environment, petId: Int64) =>
  platform.call(`POST ${ORDERS}`, { project, environment, body: { petId } satisfies Required<NewOrder> })

export const endOrder = (project: string, environment: Environment, orderId: Int64, status: OrderPatch['status']) =>
  platform.call(`PATCH ${ORDERS}/{orderId}`, { project, environment, orderId, body: { status } })
