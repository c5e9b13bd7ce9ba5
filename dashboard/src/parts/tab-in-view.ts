import { type RefObject, useEffect, useRef } from 'react'

/** On a phone the tabs scroll sideways: the one that is open is to be seen. */
export function useTabInView(open: string): RefObject<HTMLDivElement | null> {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest', inline: 'center' })
  }, [open])
  return list
}
