import { Modal } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useAskBeforeLeaving } from './ask-before-leaving.ts'
import { giveBackFocus, type Opener } from './give-back-focus.ts'

export interface ShownOnceProps {
  title: string
  /** The secret, and the button that says that it is stored. */
  content(close: () => void): ReactNode
  /** The dialog before this one is gone when this one closes. */
  opener?: Opener | undefined
  /** It is off the screen. */
  gone(): void
}

/** Neither Escape nor a click outside closes it, Back leaves it open, and leaving the page asks first. */
export default function ShownOnce({ title, content, opener, gone }: ShownOnceProps) {
  const [opened, setOpened] = useState(true)
  useAskBeforeLeaving(opened)
  const close = () => setOpened(false)
  const { onExitTransitionEnd, ...focus } = giveBackFocus(opener)
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={title}
      size="lg"
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      onExitTransitionEnd={() => {
        onExitTransitionEnd?.()
        gone()
      }}
      {...focus}
    >
      {content(close)}
    </Modal>
  )
}
