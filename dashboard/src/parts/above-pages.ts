import { createElement, Fragment, type ReactElement, useSyncExternalStore } from 'react'

/** A place of its own for each: none takes another one's. */
type Place = 'shown once' | 'upload' | 'deploy' | 'import'

let above: ReadonlyMap<Place, ReactElement> = new Map()
const listeners = new Set<() => void>()

/** Shows something that no change of page takes away, not even the end of the session. */
export function putAbovePages(place: Place, element: ReactElement | null): void {
  const next = new Map(above)
  if (element === null) next.delete(place)
  else next.set(place, element)
  above = next
  listeners.forEach((listener) => listener())
}

/** For the root of the application alone. */
export function useAbovePages(): ReactElement[] {
  const shown = useSyncExternalStore(subscribe, () => above)
  return Array.from(shown, ([place, element]) => createElement(Fragment, { key: place }, element))
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
