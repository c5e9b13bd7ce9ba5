import { Stack } from '@mantine/core'
import { type ReactNode, type SubmitEvent, useRef } from 'react'
import { Refusal } from './trouble.tsx'

interface FormProps {
  send(): Promise<unknown>
  /** Goes away once it has been accepted: what is pressed meanwhile sends nothing more. */
  once?: boolean
  /** Why it was refused. */
  error: unknown
  /** The buttons. */
  actions: ReactNode
  maw?: string
  children: ReactNode
}

/** Fields, what is wrong with them, and the buttons. */
export function Form({ send, once = false, error, actions, maw, children }: FormProps) {
  return (
    <form onSubmit={useSubmit(send, once)}>
      <Stack gap="md" {...(maw === undefined ? {} : { maw })}>
        {children}
        <Refusal error={error} />
        {actions}
      </Stack>
    </form>
  )
}

/**
 * The page stays where it is: what the form holds is sent by its script. Enter pressed twice comes before the first is
 * drawn as being on its way, and a double click may come while a dialog that was accepted fades out: neither sends two.
 */
export function useSubmit(send: () => Promise<unknown>, once = false): (event: SubmitEvent) => void {
  const isShut = useRef(false)
  const open = () => {
    isShut.current = false
  }
  return (event) => {
    event.preventDefault()
    if (isShut.current) return
    isShut.current = true
    void send().then(once ? undefined : open, open)
  }
}
