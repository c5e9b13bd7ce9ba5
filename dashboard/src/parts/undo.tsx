import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { ReactNode } from 'react'
import { messageOf } from '../api/platform.ts'

/** Long enough to read it, find the button and press it. */
const OFFERED_MS = 12_000

/** Says what has been done, and takes it back for whoever did not mean it. Returns the id of the message. */
export function sayWithUndo(message: ReactNode, undo: () => Promise<unknown>): string {
  const id = notifications.show({
    autoClose: OFFERED_MS,
    message: (
      <Group justify="space-between" wrap="nowrap" gap="sm">
        <Text size="sm" inherit className="wrap-anywhere">
          {message}
        </Text>
        <Button
          variant="light"
          size="compact-sm"
          flex="none"
          onClick={() => {
            notifications.hide(id)
            undo().then(
              () => notifications.show({ message: 'Taken back.' }),
              (error: unknown) =>
                notifications.show({ color: 'red', title: 'It was not taken back', message: messageOf(error) }),
            )
          }}
        >
          Undo
        </Button>
      </Group>
    ),
  })
  return id
}
