import { useLocation } from 'wouter'
import { useLocationProperty } from 'wouter/use-browser-location'

/** One of the address: whoever reads it is drawn again when it changes, and not whenever another one does. */
export function useParameter(name: string): string | null {
  return useLocationProperty(() => new URLSearchParams(location.search).get(name))
}

export type Changes = Readonly<Record<string, string | null>>

export interface StepOptions {
  replace?: boolean
  state?: unknown
}

/** To the same page with other parameters; null and '' take one away. */
export function useStep(): (changes: Changes, options: StepOptions) => void {
  const [path, go] = useLocation()
  return (changes, options) => {
    // Not those of the last drawing: two fields may change between two.
    const next = new URLSearchParams(location.search)
    for (const [name, value] of Object.entries(changes)) {
      if (value) next.set(name, value)
      else next.delete(name)
    }
    go(path + (next.size === 0 ? '' : `?${next}`), options)
  }
}

interface LeadOptions extends StepOptions {
  /** What is gone by now, with all pages below it. */
  gone?: string
}

/** To where what is done leads on. Whoever has gone to another page meanwhile stays there, unless it is gone. */
export function useLeadOn(): (to: string, options?: LeadOptions) => void {
  const [path, go] = useLocation()
  return (to, { gone, ...options } = {}) => {
    const isGone = gone !== undefined && `${location.pathname}/`.startsWith(`${gone}/`)
    if (isGone || location.pathname === path) go(to, options)
  }
}

/** What is open beside a list, which stays where it is. */
export function useBeside(name: string): [shown: string | null, show: (value: string | null) => void] {
  const step = useStep()
  return [useParameter(name), (value) => step({ [name]: value }, { state: history.state as unknown })]
}
