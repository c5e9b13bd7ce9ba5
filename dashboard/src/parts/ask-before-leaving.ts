import { useEffect } from 'react'

/** Closing or reloading the page asks first, for as long as something would be lost. */
export function useAskBeforeLeaving(isAsked: boolean): void {
  useEffect(() => {
    if (!isAsked) return
    addEventListener('beforeunload', ask)
    return () => removeEventListener('beforeunload', ask)
  }, [isAsked])
}

const ask = (event: BeforeUnloadEvent) => event.preventDefault()
