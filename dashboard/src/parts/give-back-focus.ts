import type { ModalProps } from '@mantine/core'
import type { RefObject } from 'react'

/** The button of the menu that a dialog was chosen from. */
export type Opener = RefObject<HTMLButtonElement | null>

/**
 * A dialog gives the focus back to what had it, but the item of a menu is gone by then: it goes to the menu's button.
 */
export function giveBackFocus(opener: Opener | undefined): Partial<ModalProps> {
  if (opener === undefined) return {}
  return {
    returnFocus: false,
    onExitTransitionEnd: () => {
      opener.current?.focus()
      catchFocus()
    },
  }
}

/**
 * Mantine gives the focus back 10 ms after a dialog was closed, and gives up when it is anywhere else by then: this has
 * to come later on a busy machine too.
 */
const GIVEN_BACK_MS = 200

/** What opened a dialog may be gone with what the dialog did: then the heading of the page takes the focus. */
export function catchFocus(): void {
  const over = new AbortController()
  const timer = setTimeout(() => {
    over.abort()
    const isLost = document.activeElement === null || document.activeElement === document.body
    if (isLost && !document.querySelector('[role=dialog]')) document.querySelector('h1')?.focus({ preventScroll: true })
  }, GIVEN_BACK_MS)
  // Whoever has gone on has a place, which may have no focus for a moment, as a menu that opens.
  const closedAt = performance.now()
  const goOn = ({ timeStamp }: Event) => {
    // Not the key that has closed the dialog, which may still be on its way.
    if (timeStamp < closedAt) return
    clearTimeout(timer)
    over.abort()
  }
  for (const how of ['keydown', 'pointerdown']) addEventListener(how, goOn, { signal: over.signal })
}
