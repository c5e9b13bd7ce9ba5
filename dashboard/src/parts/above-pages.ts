import { type ReactElement, useSyncExternalStore } from 'react'

let above: ReactElement | null = null
const listeners = new Set<() => void>()

/** Shows something that no change of page takes away, not even the end of the session. */
export function putAbovePages(element: ReactElement | null): void {
  above = element
  listeners.forEach((listener) => listener())
}

/** For the root of the application alone. */
export const useAbovePages = (): ReactElement | null => useSyncExternalStore(subscribe, () => above)

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
