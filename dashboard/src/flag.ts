import { useSyncExternalStore } from 'react'

/** Something that is so or not for the whole page, known outside of any component. */
export function createFlag() {
  let isSet = false
  const listeners = new Set<() => void>()
  const subscribe = (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  return {
    get: () => isSet,
    set(value: boolean) {
      isSet = value
      for (const listener of listeners) listener()
    },
    use: () => useSyncExternalStore(subscribe, () => isSet),
  }
}
