import type { Page } from '../../../client/src/platform/platform.ts'

/** Everything in a list, page by page. */
export async function* itemsOf<Item>(
  filter: object,
  read: (query: object) => Promise<Page<Item>>,
): AsyncGenerator<Item> {
  for (let query: object | undefined = filter; query !== undefined;) {
    const { items, next }: Page<Item> = await read(query)
    yield* items
    query = next
  }
}

export async function allItems<Item>(read: (query: object) => Promise<Page<Item>>): Promise<Item[]> {
  const all: Item[] = []
  for await (const item of itemsOf({ limit: 100 }, read)) all.push(item)
  return all
}
