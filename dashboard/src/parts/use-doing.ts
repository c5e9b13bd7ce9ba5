import { useLocation, useSearch } from 'wouter'

/** A dialog that an address opens, `?do=add`: the palette leads there, and so can a link. */
export function useDoing(what: string): [isOpen: boolean, door: { open(): void; close(): void }] {
  const [path, go] = useLocation()
  const isOpen = new URLSearchParams(useSearch()).get('do') === what
  const set = (value: string | null) => {
    const next = new URLSearchParams(location.search)
    if (value === null) next.delete('do')
    else next.set('do', value)
    go(path + (next.size === 0 ? '' : `?${next}`), { replace: true, state: history.state as unknown })
  }
  return [
    isOpen,
    {
      open: () => set(what),
      // What was sent may have led to another address already.
      close: () => new URLSearchParams(location.search).get('do') === what && set(null),
    },
  ]
}
