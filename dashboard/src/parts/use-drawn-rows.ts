import { startTransition, useDeferredValue, useEffect, useRef, useState } from 'react'

/** About as many as a window shows: with 25 of them the first picture comes 200 ms later on a slow processor. */
const ROWS_FIRST = 10
/** So few that drawing them keeps nobody waiting. */
const ROWS_NEXT = 15
/** Of one that is not drawn yet, about. */
const ROW_PX = 45

interface Drawn<Item> {
  items: readonly Item[] | undefined
  keys: ReadonlySet<string>
  step: number
}

/**
 * A hundred new rows are drawn in seven steps, and whoever types or clicks meanwhile is answered between two of them:
 * all at once, a processor four times slower was busy for half a second. Rows that are there stay there.
 */
export function useDrawnRows<Item>(
  items: readonly Item[] | undefined,
  keyOf: (item: Item) => string,
): { drawn: Item[] | undefined; toComePx: number; isBehind: boolean } {
  const wanted = useDeferredValue(items)
  const [step, setStep] = useState(0)
  const last = useRef<Drawn<Item>>({ items: undefined, keys: new Set(), step: 0 })
  let left = wanted !== last.current.items ? ROWS_FIRST : step !== last.current.step ? ROWS_NEXT : 0
  const drawn = wanted?.filter((item) => last.current.keys.has(keyOf(item)) || left-- > 0)
  const missing = (wanted?.length ?? 0) - (drawn?.length ?? 0)
  useEffect(() => {
    last.current = { items: wanted, keys: new Set(drawn?.map(keyOf)), step }
    if (missing > 0) startTransition(() => setStep(step + 1))
  })
  return { drawn, toComePx: missing * ROW_PX, isBehind: wanted !== items }
}
