import { PetstoreAnswerError } from './errors.ts'
import type { Send } from './transport.ts'
import type { Int64, OrderStatus, PetStatus } from './types.ts'

export interface Listing<Item> extends AsyncIterable<Item> {
  /** Page by page, for whoever shows them one at a time. */
  pages(): AsyncGenerator<Item[]>
}

/** Which animals a list has, and in which order. All but `status` are beta. */
export interface PetFilter {
  status?: PetStatus | undefined
  categoryId?: Int64 | undefined
  /** Up to 100. */
  id?: readonly Int64[] | undefined
  /** What the name begins with; the list is then in the order of names. */
  q?: string | undefined
  order?: 'oldest' | 'newest' | 'name' | undefined
}

export interface OrderFilter {
  status?: OrderStatus | undefined
  id?: Int64 | undefined
  /** Only the orders of this animal. */
  petId?: Int64 | undefined
  order?: 'oldest' | 'newest' | undefined
}

export interface PageOptions {
  /** Items a page, 1 to 100; the listing itself goes on to the end. */
  limit?: number | undefined
  signal?: AbortSignal | undefined
}

/** Everything in a list, fetched page by page as it is asked for. */
export function listing<Item>(send: Send, path: string, { signal, ...query }: PageOptions = {}): Listing<Item> {
  async function* pages(): AsyncGenerator<Item[]> {
    if (asksForNone(query)) return
    let next: string | undefined = path + searchOf(query)
    while (next !== undefined) {
      const { body, headers }: { body: unknown; headers: Headers } = await send({ method: 'GET', path: next, signal })
      if (!Array.isArray(body)) throw new PetstoreAnswerError({ status: 200, headers })
      yield body as Item[]
      const search = nextSearch(headers)
      // A page that follows itself would be read for ever.
      next = search && path + search !== next ? path + search : undefined
    }
  }

  return {
    pages,
    async *[Symbol.asyncIterator]() {
      for await (const page of pages()) yield* page
    },
  }
}

/** The query of an address; what is a list is repeated. */
export function searchOf(query: object): string {
  const given = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const one of [value].flat()) if (one !== undefined) given.append(name, String(one))
  }
  const search = String(given)
  return search === '' ? '' : `?${search}`
}

/** A list of nothing is none of them; left out of the address it would be all. */
export const asksForNone = (query: object): boolean =>
  Object.values(query).some((value) => Array.isArray(value) && value.length === 0)

/** Of the page that follows: only its query, because the service may be reached under another address than its own. */
export function nextSearch(headers: Headers): string | undefined {
  return /<[^?>]*(\?[^>]*)>;\s*rel="next"/.exec(headers.get('link') ?? '')?.[1]
}
