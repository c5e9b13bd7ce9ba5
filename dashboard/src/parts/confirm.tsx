import { Button, Group, Modal, Stack } from '@mantine/core'
import { type ReactNode, useEffect } from 'react'
import { catchFocus, giveBackFocus, type Opener } from './give-back-focus.ts'
import { Refusal } from './trouble.tsx'

interface ConfirmProps {
  opened: boolean
  close(): void
  title: string
  /** What will happen, in a sentence or two. */
  children: ReactNode
  /** The verb: "Revoke", "Remove". */
  action: string
  dangerous?: boolean
  disabled?: boolean
  pending: boolean
  error: unknown
  opener?: Opener
  run(): void
}

/** Asks once more before something that cannot be taken back. */
export function Confirm(props: ConfirmProps) {
  const {
    opened,
    close,
    title,
    children,
    action,
    dangerous = true,
    disabled = false,
    pending,
    error,
    opener,
    run,
  } = props
  // What was confirmed may take this dialog away with the row that it stands in.
  useEffect(() => catchFocus, [])
  return (
    <Modal opened={opened} onClose={close} title={title} {...giveBackFocus(opener)}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          run()
        }}
      >
        <Stack gap="md">
          <div className="confirm-text">{children}</div>
          <Refusal error={error} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button type="submit" {...(dangerous ? { color: 'red' } : {})} loading={pending} disabled={disabled}>
              {action}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
