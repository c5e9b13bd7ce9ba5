import { PetstoreAnswerError } from './errors.ts'
import { type Listing, listing, type OrderFilter, type PageOptions, type PetFilter } from './pages.ts'
import { createTransport, type TransportOptions } from './transport.ts'
import {
  type Int64,
  type NewOrder,
  type NewPet,
  type Order,
  type OrderPatch,
  type Pet,
  type PetPatch,
  SERVERS,
} from './types.ts'

export { type ErrorCode, PetstoreAnswerError, PetstoreConnectionError, PetstoreError } from './errors.ts'
export type { Listing, OrderFilter, PageOptions, PetFilter } from './pages.ts'
export type { DeprecationNotice, EndedRequest, SentRequest } from './transport.ts'
export type { Int64, NewOrder, NewPet, Order, OrderPatch, OrderStatus, Pet, PetPatch, PetStatus } from './types.ts'

export interface PetstoreOptions extends Omit<TransportOptions, 'key' | 'baseUrl'> {
  /** An API key, `ps_live_…` or `ps_test_…`. Without one a `TypeError` says so. */
  key: string | undefined
  /** Ends in `/v1`. */
  baseUrl?: string | URL | undefined
  /** Whose published address to use when no `baseUrl` is given; the key's own by default. */
  environment?: keyof typeof SERVERS | undefined
}

export interface CallOptions {
  signal?: AbortSignal | undefined
}

export interface CreateOptions extends CallOptions {
  /** Makes creates of different processes one; each call has its own otherwise. */
  idempotencyKey?: string | undefined
}

export interface ChangeOptions extends CallOptions {
  /** From `etagOf`: nothing is done, and `precondition_failed` thrown, if somebody else was faster. */
  ifMatch?: string | undefined
}

export type Petstore = ReturnType<typeof createPetstore>

const etags = new WeakMap<object, string>()

/** The version of an animal or an order that a call of this client has returned by itself, not in a list. */
export const etagOf = (resource: object): string | undefined => etags.get(resource)

/** A client for one key. */
export function createPetstore({ key, environment, baseUrl, ...options }: PetstoreOptions) {
  if (!key) throw new TypeError('createPetstore needs a key: pass an API key, such as process.env.PETSTORE_KEY.')
  const address = baseUrl ?? SERVERS[environment ?? (key.startsWith('ps_test_') ? 'staging' : 'production')]
  const send = createTransport({ ...options, key, baseUrl: String(address).replace(/\/+$/, '') })

  /** An answer that shows one resource. */
  async function one<Resource extends object>(request: Parameters<typeof send>[0]): Promise<Resource> {
    const { body, headers } = await send(request)
    if (Array.isArray(body) || !body) throw new PetstoreAnswerError({ status: 200, headers })
    const etag = headers.get('etag')
    if (etag) etags.set(body as Resource, etag)
    return body as Resource
  }
  const create = <Resource extends object>(path: string, body: object, options: CreateOptions = {}) =>
    one<Resource>({ method: 'POST', path, body, ...options, idempotencyKey: options.idempotencyKey ?? randomKey() })

  return {
    pets: {
      /** `for await (const pet of petstore.pets.list({ status: 'available' }))` */
      list: (options?: PetFilter & PageOptions): Listing<Pet> => listing<Pet>(send, '/pets', options),
      /** Adds an animal, once, however often the answer is lost. */
      create: (pet: NewPet, options?: CreateOptions) => create<Pet>('/pets', pet, options),
      /** @deprecated Removed on 5 December 2030: list with the status filter, or by `id`, instead. */
      get: (id: Int64, options: CallOptions = {}) => one<Pet>({ method: 'GET', path: `/pets/${id}`, ...options }),
      /** Changes the given fields, and leaves the others. */
      update: (id: Int64, patch: PetPatch, options: ChangeOptions = {}) =>
        one<Pet>({ method: 'PATCH', path: `/pets/${id}`, body: patch, ...options }),
      /** Refused with `conflict` while an order holds the animal. */
      delete: async (id: Int64, options: ChangeOptions = {}): Promise<void> => {
        await send({ method: 'DELETE', path: `/pets/${id}`, ...options })
      },
    },
    orders: {
      /** `for await (const order of petstore.orders.list({ status: 'placed' }))` */
      list: (options?: OrderFilter & PageOptions): Listing<Order> => listing<Order>(send, '/store/orders', options),
      get: (id: Int64, options: CallOptions = {}) =>
        one<Order>({ method: 'GET', path: `/store/orders/${id}`, ...options }),
      /** Reserves an available animal. */
      create: (order: NewOrder, options?: CreateOptions) => create<Order>('/store/orders', order, options),
      /** Completes an order, or cancels it. */
      update: (id: Int64, patch: OrderPatch, options: ChangeOptions = {}) =>
        one<Order>({ method: 'PATCH', path: `/store/orders/${id}`, body: patch, ...options }),
    },
  }
}

/** `crypto.randomUUID` is missing on pages over plain HTTP. */
const randomKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
