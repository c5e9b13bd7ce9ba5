import { useParameter, useStep } from './use-parameter.ts'

/**
 * A dialog that an address opens, `?do=add`: the palette leads there, and so can a link. For whoever may not do it, the
 * link shows the page alone.
 */
export function useDoing(what: string, isAllowed: boolean): [isOpen: boolean, door: { open(): void; close(): void }] {
  const step = useStep()
  const set = (value: string | null) => step({ do: value }, { replace: true, state: history.state as unknown })
  return [
    useParameter('do') === what && isAllowed,
    {
      open: () => set(what),
      // What was sent may have led to another address already.
      close: () => new URLSearchParams(location.search).get('do') === what && set(null),
    },
  ]
}
