import { useSearch } from 'wouter'
import { useHistoryState } from 'wouter/use-browser-location'
import { type Changes, useStep } from './use-parameter.ts'

/** Cursors of the pages before, the first page being ''; a link that somebody sent has none. */
interface Place {
  trail?: string[]
}

export const PAGE_SIZES = ['25', '50', '100'] as const

export type ListAddress = ReturnType<typeof useListAddress>
export type ListPlace = ReturnType<typeof placeIn>

export const placeIn = (parameters: URLSearchParams) => ({
  get: (name: string) => parameters.get(name),
  size: PAGE_SIZES.find((size) => size === parameters.get('size')) ?? PAGE_SIZES[0],
  cursor: parameters.get('cursor') ?? '',
})

/** What a list shows stands in the address: reload, Back and a link that is passed on show the same. */
export function useListAddress() {
  const step = useStep()
  const place = placeIn(new URLSearchParams(useSearch()))
  const { trail = [] } = useHistoryState<Place | null>() ?? {}
  const { cursor } = place

  return {
    ...place,
    /** Undefined where nobody knows, on a page that was linked to. */
    pageNumber: cursor === '' ? 1 : trail.length === 0 ? undefined : trail.length + 1,
    hasTrail: trail.length > 0,
    /** Another list, which begins at its first page. Somebody who types makes no step for every letter. */
    look(changes: Changes, options: { replace?: boolean } = {}) {
      step({ ...changes, cursor: null }, options)
    },
    next: (to: string) => step({ cursor: to }, at([...trail, cursor])),
    previous: () => step({ cursor: trail.at(-1) ?? null }, at(trail.slice(0, -1))),
    first: () => step({ cursor: null }, {}),
  }
}

const at = (trail: string[]): { state: Place } => ({ state: { trail } })
