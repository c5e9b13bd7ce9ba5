import { useCallback, useState } from 'react'
import type { Selection } from './table-row.tsx'

/** Rows that are chosen, of this page and of others; those that are shown are as they are now. */
export function useSelection<Item extends { id: number | bigint }>(
  shown: readonly Item[] | undefined,
  nameOf: (item: Item) => string,
): [Selection<Item>, Item[], () => void] {
  const [chosen, setChosen] = useState<ReadonlyMap<string, Item>>(new Map())
  // The same for ever: rows are drawn again where what they are given is another.
  const choose = useCallback(
    (items: readonly Item[], isChosen: boolean) =>
      setChosen((known) => {
        const next = new Map(known)
        for (const item of items) {
          if (isChosen) next.set(String(item.id), item)
          else next.delete(String(item.id))
        }
        return next
      }),
    [],
  )
  const selection: Selection<Item> = { has: ({ id }) => chosen.has(String(id)), nameOf, choose }
  const current = new Map(shown?.map((item) => [String(item.id), item]))
  return [selection, [...chosen].map(([key, item]) => current.get(key) ?? item), () => setChosen(new Map())]
}
