import { ListOrdersQuery } from '../../../features/orders/contract.ts'
import { countFoundOrders } from '../../../features/orders/queries.ts'
import { ListPetsQuery } from '../../../features/pets/contract.ts'
import { countFoundPets } from '../../../features/pets/count.ts'
import { object, type ObjectSchema, type Properties } from '../../../platform/schema.ts'
import { ok, route } from '../../route.ts'
import { BELOW, tenantOfPath } from './tenant.ts'

/** How many there are of what a list would show: the same filters, and a number that stops at 10,000. */
export function countRoutes() {
  return [
    route({
      id: 'countPets',
      summary: 'Count the animals that a list would show',
      description: 'Up to 10,000.',
      method: 'GET',
      path: `${BELOW}/counts/pets`,
      role: 'viewer',
      query: object(filtersOf(ListPetsQuery)),
      handle: async (call) => ok(await countFoundPets(call.storage.read, tenantOfPath(call), call.query)),
    }),
    route({
      id: 'countOrders',
      summary: 'Count the orders that a list would show',
      description: 'Up to 10,000.',
      method: 'GET',
      path: `${BELOW}/counts/orders`,
      role: 'viewer',
      query: object(filtersOf(ListOrdersQuery)),
      handle: async (call) => ok(await countFoundOrders(call.storage.read, tenantOfPath(call), call.query)),
    }),
  ]
}

/** Without the parameters of pages. */
function filtersOf<P extends Properties>({ properties }: ObjectSchema<unknown, P>): Omit<P, 'limit' | 'cursor'> {
  const { limit: _, cursor: __, ...filters } = properties
  return filters
}
