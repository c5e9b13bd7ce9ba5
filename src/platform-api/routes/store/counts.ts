import { ListOrdersQuery } from '../../../features/orders/contract.ts'
import { countFoundOrders } from '../../../features/orders/queries.ts'
import { ListPetsQuery } from '../../../features/pets/contract.ts'
import { countFoundPets } from '../../../features/pets/count.ts'
import { pageReader } from '../../../platform/http/page.ts'
import { ok, route } from '../../route.ts'
import { BELOW, tenantOfPath } from './tenant.ts'

/** How many there are of what a list would show: the same filters, and a number that stops at 10,000. */
export function countRoutes({ cursorSecret }: { cursorSecret: string }) {
  return [
    route({
      id: 'countPets',
      method: 'GET',
      path: `${BELOW}/counts/pets`,
      role: 'viewer',
      async handle(call) {
        const { filter } = pageReader(ListPetsQuery, cursorSecret)(call.url, '')
        return ok(await countFoundPets(call.storage.read, tenantOfPath(call), filter))
      },
    }),
    route({
      id: 'countOrders',
      method: 'GET',
      path: `${BELOW}/counts/orders`,
      role: 'viewer',
      async handle(call) {
        const { filter } = pageReader(ListOrdersQuery, cursorSecret)(call.url, '')
        return ok(await countFoundOrders(call.storage.read, tenantOfPath(call), filter))
      },
    }),
  ]
}
