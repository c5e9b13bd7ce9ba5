import { ORDER_STATUSES, type OrderStatus } from '../../../../src/features/orders/status.ts'
import type { ListAddress } from '../../parts/use-list-address.ts'
import { idIn } from '../pets/look.ts'

export const ORDERS = { newest: 'Newest first', oldest: 'Oldest first' } as const

/** What the address of the orders' page asks for. */
export interface Look {
  /** The number of an order. */
  text: string
  /** The animal whose orders are shown. */
  animal: string | undefined
  status: OrderStatus | null
  order: keyof typeof ORDERS
  isFiltered: boolean
  query: Record<string, string>
}

export function lookOf(address: ListAddress): Look {
  const text = address.get('q') ?? ''
  const id = idIn(text)
  const animal = idIn(address.get('animal') ?? '')
  const status = ORDER_STATUSES.find((known) => known === address.get('status')) ?? null
  const order = address.get('order') === 'oldest' ? 'oldest' : 'newest'
  return {
    text,
    animal,
    status,
    order,
    isFiltered: id !== undefined || status !== null || animal !== undefined,
    query: {
      limit: address.size,
      order,
      ...(status && { status }),
      ...(id !== undefined && { id }),
      ...(animal !== undefined && { petId: animal }),
      ...(address.cursor && { cursor: address.cursor }),
    },
  }
}
