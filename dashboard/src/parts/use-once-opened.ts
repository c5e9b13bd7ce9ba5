import { useRef } from 'react'

/** Whether it has ever been open: code that is loaded for it stays, so that it can close with its own movement. */
export function useOnceOpened(isOpen: boolean): boolean {
  const was = useRef(false)
  was.current ||= isOpen
  return was.current
}
