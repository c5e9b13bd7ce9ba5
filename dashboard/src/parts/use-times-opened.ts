import { useRef } from 'react'

/**
 * A key for what lives as long as a dialog is open: Mantine keeps it while the dialog closes, and whoever opens it
 * again meanwhile finds what was typed before.
 */
export function useTimesOpened(isOpen: boolean): number {
  const [times, was] = [useRef(0), useRef(false)]
  if (isOpen && !was.current) times.current++
  was.current = isOpen
  return times.current
}
