import { type RefObject, useEffect, useRef } from 'react'

/** On a phone the tabs scroll sideways: the one that is open is to be seen. */
export function useTabInView(open: string): RefObject<HTMLDivElement | null> {
  const list = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const tab = list.current?.querySelector('[aria-selected=true]')
    // Only the list: `scrollIntoView` would take the page down to tabs that lie below its first screen.
    if (list.current && tab) list.current.scrollLeft += middleOf(tab) - middleOf(list.current)
  }, [open])
  return list
}

function middleOf(element: Element): number {
  const { left, width } = element.getBoundingClientRect()
  return left + width / 2
}
