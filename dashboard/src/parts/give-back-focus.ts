import type { ModalProps } from '@mantine/core'
import type { RefObject } from 'react'

/** The button of the menu that a dialog was chosen from. */
export type Opener = RefObject<HTMLButtonElement | null>

/**
 * A dialog gives the focus back to what had it, but the item of a menu is gone by then: it goes to the menu's button.
 */
export function giveBackFocus(opener: Opener | undefined): Partial<ModalProps> {
  return opener === undefined ? {} : { returnFocus: false, onExitTransitionEnd: () => opener.current?.focus() }
}
