import type { Send } from './transport.ts'

export interface Listing<Item> extends AsyncIterable<Item> {
  /** Page by page, for whoever shows them one at a time. */
  pages(): AsyncGenerator<Item[]>
}

export interface ListOptions<Status extends string> {
  status?: Status | undefined
  /** Items a page, 1 to 100; the listing itself goes on to the end. */
  limit?: number | undefined
  signal?: AbortSignal | undefined
}

/** Everything in a list, fetched page by page as it is asked for. */
export function listing<Item>(
  send: Send,
  path: string,
  { status, limit, signal }: ListOptions<string> = {},
): Listing<Item> {
  const query = new URLSearchParams()
  if (limit !== undefined) query.set('limit', String(limit))
  if (status !== undefined) query.set('status', status)

  async function* pages(): AsyncGenerator<Item[]> {
    let next: string | undefined = query.size > 0 ? `${path}?${query}` : path
    while (next !== undefined) {
      const { body, headers }: { body: unknown; headers: Headers } = await send({ method: 'GET', path: next, signal })
      yield body as Item[]
      const search = nextSearch(headers)
      next = search && path + search
    }
  }

  return {
    pages,
    async *[Symbol.asyncIterator]() {
      for await (const page of pages()) yield* page
    },
  }
}

/** Of the page that follows: only its query, because the service may be reached under another address than its own. */
export function nextSearch(headers: Headers): string | undefined {
  const address = /<([^>]+)>;\s*rel="next"/.exec(headers.get('link') ?? '')?.[1]
  return address && new URL(address).search
}
