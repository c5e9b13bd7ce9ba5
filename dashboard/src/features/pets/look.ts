import { readInt64 } from '../../../../client/src/int64.ts'
import { PET_STATUSES } from '../../../../src/features/pets/status.ts'
import type { PetsLook, PetStatus } from '../../api/pets.ts'
import type { ListPlace } from '../../parts/use-list-address.ts'

export const ORDERS = { newest: 'Newest first', oldest: 'Oldest first', name: 'By name' } as const
export type Order = keyof typeof ORDERS

/** What the address of the animals' page asks for. */
export interface Look {
  text: string
  status: PetStatus | null
  category: string
  order: Order
  isFiltered: boolean
  query: PetsLook
}

/** A number, with or without #, is looked for among the ids; anything else among the names. */
export function lookOf(address: ListPlace): Look {
  const text = address.get('q') ?? ''
  const category = address.get('category') ?? ''
  const status = PET_STATUSES.find((known) => known === address.get('status')) ?? null
  const id = idIn(text)
  const isByName = text !== '' && id === undefined
  const asked = (Object.keys(ORDERS) as Order[]).find((known) => known === address.get('order'))
  // Names that begin alike stand together; the service sorts them so and no other way.
  const order = isByName ? 'name' : (asked ?? 'newest')
  const categoryId = readInt64(category)
  return {
    text,
    status,
    category,
    order,
    isFiltered: text !== '' || status !== null || categoryId !== undefined,
    query: {
      limit: address.size,
      order,
      ...(status && { status }),
      ...(isByName && { q: text }),
      ...(id !== undefined && { id }),
      ...(categoryId !== undefined && { categoryId: String(categoryId) }),
      ...(address.cursor && { cursor: address.cursor }),
    },
  }
}

export function idIn(text: string): string | undefined {
  const id = readInt64(text.replace(/^#/, ''))
  return id === undefined ? undefined : String(id)
}
