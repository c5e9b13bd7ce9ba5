import { type Listing, listing, type OrderFilter, type PageOptions, type PetFilter } from './pages.ts'
import { createTransport, type DeprecationNotice, type TransportOptions } from './transport.ts'
import { type Int64, type NewPet, type Order, type OrderPatch, type Pet, type PetPatch, SERVERS } from './types.ts'

export { type ErrorCode, PetstoreConnectionError, PetstoreError } from './errors.ts'
export type { Listing, OrderFilter, PageOptions, PetFilter } from './pages.ts'
export type { DeprecationNotice } from './transport.ts'
export type { Int64, NewOrder, NewPet, Order, OrderPatch, OrderStatus, Pet, PetPatch, PetStatus } from './types.ts'

export interface PetstoreOptions extends Partial<Omit<TransportOptions, 'key'>> {
  /** An API key, `ps_live_…` or `ps_test_…`. */
  key: string
  /** Whose published address to use when no `baseUrl` is given; the key's own by default. */
  environment?: keyof typeof SERVERS
}

export interface CallOptions {
  signal?: AbortSignal
}

export interface CreateOptions extends CallOptions {
  /** Makes creates of different processes one; each call has its own otherwise. */
  idempotencyKey?: string
}

export type Petstore = ReturnType<typeof createPetstore>

/** A client for one key. */
export function createPetstore({ key, environment, ...given }: PetstoreOptions) {
  const send = createTransport({
    baseUrl: SERVERS[environment ?? (key.startsWith('ps_test_') ? 'staging' : 'production')],
    timeoutMs: 30_000,
    retries: 3,
    fetch: globalThis.fetch.bind(globalThis),
    onDeprecation: warn,
    ...given,
    key,
  })
  const create = async (path: string, body: object, { idempotencyKey = crypto.randomUUID(), signal }: CreateOptions) =>
    (await send({ method: 'POST', path, body, idempotencyKey, signal })).body
  const change = async (path: string, body: object, { signal }: CallOptions) =>
    (await send({ method: 'PATCH', path, body, signal })).body

  return {
    pets: {
      /** `for await (const pet of petstore.pets.list({ status: 'available' }))` */
      list: (options?: PetFilter & PageOptions): Listing<Pet> => listing<Pet>(send, '/pets', options),
      create: (pet: NewPet, options: CreateOptions = {}) => create('/pets', pet, options) as Promise<Pet>,
      /** @deprecated Removed on 5 December 2030: list with the status filter instead. */
      get: async (id: Int64, { signal }: CallOptions = {}) =>
        (await send({ method: 'GET', path: `/pets/${id}`, signal })).body as Pet,
      update: (id: Int64, patch: PetPatch, options: CallOptions = {}) =>
        change(`/pets/${id}`, patch, options) as Promise<Pet>,
      /** Refused with `conflict` while an order holds the animal. */
      delete: async (id: Int64, { signal }: CallOptions = {}): Promise<void> => {
        await send({ method: 'DELETE', path: `/pets/${id}`, signal })
      },
    },
    orders: {
      list: (options?: OrderFilter & PageOptions): Listing<Order> => listing<Order>(send, '/store/orders', options),
      /** Reserves an available animal. */
      create: (order: { petId: Int64 }, options: CreateOptions = {}) =>
        create('/store/orders', order, options) as Promise<Order>,
      update: (id: Int64, patch: OrderPatch, options: CallOptions = {}) =>
        change(`/store/orders/${id}`, patch, options) as Promise<Order>,
    },
  }
}

function warn({ operation, sunset }: DeprecationNotice): void {
  console.warn(`petstore: ${operation} is deprecated${sunset ? ` and will be removed on ${sunset}` : ''}.`)
}
