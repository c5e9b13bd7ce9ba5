import { useLocation, useSearch } from 'wouter'
import { useHistoryState } from 'wouter/use-browser-location'

/** Cursors of the pages before, the first page being ''; a link that somebody sent has none. */
interface Place {
  trail?: string[]
}

export const PAGE_SIZES = ['25', '50', '100'] as const

export type ListAddress = ReturnType<typeof useListAddress>

/** What a list shows stands in the address: reload, Back and a link that is passed on show the same. */
export function useListAddress() {
  const [path, go] = useLocation()
  const parameters = new URLSearchParams(useSearch())
  const { trail = [] } = useHistoryState<Place | null>() ?? {}
  const cursor = parameters.get('cursor') ?? ''

  function step(changes: Record<string, string | null>, options: { replace?: boolean; state?: Place | null }) {
    // Not those of the last drawing: two fields may change between two.
    const next = new URLSearchParams(location.search)
    for (const [name, value] of Object.entries(changes)) {
      if (value) next.set(name, value)
      else next.delete(name)
    }
    go(path + (next.size === 0 ? '' : `?${next}`), options)
  }

  return {
    get: (name: string) => parameters.get(name),
    size: PAGE_SIZES.find((size) => size === parameters.get('size')) ?? PAGE_SIZES[0],
    cursor,
    /** Undefined where nobody knows, on a page that was linked to. */
    pageNumber: cursor === '' ? 1 : trail.length === 0 ? undefined : trail.length + 1,
    hasTrail: trail.length > 0,
    /** Another list, which begins at its first page. Somebody who types makes no step for every letter. */
    look(changes: Record<string, string | null>, options: { replace?: boolean } = {}) {
      step({ ...changes, cursor: null }, options)
    },
    /** Something beside the list, which stays where it is. */
    open: (name: string, value: string | null) => step({ [name]: value }, { state: history.state as Place | null }),
    next: (to: string) => step({ cursor: to }, { state: { trail: [...trail, cursor] } }),
    previous: () => step({ cursor: trail.at(-1) ?? null }, { state: { trail: trail.slice(0, -1) } }),
    first: () => step({ cursor: null }, {}),
  }
}
