import { type InfiniteData, type UseInfiniteQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import type { Page } from '../../../client/src/platform/platform.ts'

/** One page at a time out of a list that is only ever followed forward; pages seen before are kept. */
export function useKeysetPages<Item>(list: UseInfiniteQueryResult<InfiniteData<Page<Item>>>) {
  const [at, setAt] = useState(0)
  const pages = list.data?.pages ?? []
  const shown = Math.min(at, Math.max(0, pages.length - 1))
  const isKnown = shown < pages.length - 1
  return {
    items: pages[shown]?.items,
    number: shown + 1,
    hasPrevious: shown > 0,
    hasNext: isKnown || list.hasNextPage,
    isMoving: list.isFetchingNextPage,
    previous: () => setAt(shown - 1),
    next: async () => {
      if (!isKnown) await list.fetchNextPage()
      setAt(shown + 1)
    },
  }
}
