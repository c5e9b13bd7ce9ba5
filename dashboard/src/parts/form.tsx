import { Stack } from '@mantine/core'
import type { ReactNode, SubmitEvent } from 'react'
import { Refusal } from './trouble.tsx'

interface FormProps {
  send(): void
  /** Why it was refused. */
  error: unknown
  /** The buttons. */
  actions: ReactNode
  maw?: string
  children: ReactNode
}

/** Fields, what is wrong with them, and the buttons. */
export function Form({ send, error, actions, maw, children }: FormProps) {
  return (
    <form onSubmit={instead(send)}>
      <Stack gap="md" {...(maw === undefined ? {} : { maw })}>
        {children}
        <Refusal error={error} />
        {actions}
      </Stack>
    </form>
  )
}

/** The page stays where it is: what the form holds is sent by its script. */
export const instead = (send: () => void) => (event: SubmitEvent) => {
  event.preventDefault()
  send()
}
