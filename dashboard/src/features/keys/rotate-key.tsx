import { Button, Group, Modal, Select, Stack, Text } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { type Key, type NewKey, rotateKey } from '../../api/keys.ts'
import { giveBackFocus, type Opener } from '../../parts/give-back-focus.ts'
import { Refusal } from '../../parts/trouble.tsx'
import { queryClient } from '../../query-client.ts'
import { useProject } from '../projects/project-context.ts'

const OVERLAPS = [
  { value: '0', label: 'Not at all: it ends now' },
  { value: '1', label: '1 hour' },
  { value: '24', label: '1 day' },
  { value: '168', label: '7 days' },
  { value: '720', label: '30 days' },
]

interface RotateKeyProps {
  apiKey: Key
  opened: boolean
  close(): void
  opener: Opener
  show(minted: NewKey): void
}

/** A new key with the same rights, while the old one goes on for a while. */
export function RotateKey({ apiKey, opened, close, opener, show }: RotateKeyProps) {
  const { slug } = useProject()
  const [overlapHours, setOverlapHours] = useState('24')
  const rotate = useMutation({
    mutationFn: () => rotateKey(slug, apiKey.id, { overlapHours: Number(overlapHours) }),
    onSuccess: async (minted) => {
      await queryClient.invalidateQueries({ queryKey: ['projects', slug, 'keys'] })
      close()
      show(minted)
    },
  })
  return (
    <Modal opened={opened} onClose={close} title={`Rotate “${apiKey.name}”`} {...giveBackFocus(opener)}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          rotate.mutate()
        }}
      >
        <Stack gap="md">
          <Text size="sm" c="dimmed">
            You get a new key with the same name and scopes. Put it in place before the old one ends.
          </Text>
          <Select
            label="The old key goes on working for"
            data={OVERLAPS}
            value={overlapHours}
            allowDeselect={false}
            data-autofocus
            onChange={(chosen) => setOverlapHours(chosen ?? '24')}
          />
          <Refusal error={rotate.error} />
          <Group justify="flex-end" gap="xs">
            <Button variant="default" onClick={close}>
              Cancel
            </Button>
            <Button type="submit" loading={rotate.isPending}>
              Rotate key
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  )
}
