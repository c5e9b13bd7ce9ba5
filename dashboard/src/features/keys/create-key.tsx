import { Button, Checkbox, Group, Modal, Select, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { createKey, type NewKey } from '../../api/keys.ts'
import type { Environment } from '../../api/projects.ts'
import { Refusal } from '../../parts/trouble.tsx'
import { queryClient } from '../../query-client.ts'
import { useProject } from '../projects/project-context.ts'

interface CreateKeyProps {
  environment: Environment
  opened: boolean
  close(): void
  show(minted: NewKey): void
}

const EXPIRIES = [
  { value: 'never', label: 'Never' },
  { value: '7', label: 'In 7 days' },
  { value: '30', label: 'In 30 days' },
  { value: '90', label: 'In 90 days' },
  { value: '365', label: 'In a year' },
]

const DAY_MS = 86_400_000

export function CreateKey({ environment, opened, close, show }: CreateKeyProps) {
  return (
    <Modal opened={opened} onClose={close} title={`Create a key for ${environment}`}>
      <Fields environment={environment} close={close} show={show} />
    </Modal>
  )
}

function Fields({ environment, close, show }: Omit<CreateKeyProps, 'opened'>) {
  const { slug } = useProject()
  const [name, setName] = useState('')
  const [scopes, setScopes] = useState<string[]>(['read', 'write'])
  const [expiry, setExpiry] = useState('never')
  const create = useMutation({
    mutationFn: () =>
      createKey(slug, {
        environment,
        name: name.trim(),
        scopes: scopes as ('read' | 'write')[],
        ...(expiry === 'never' ? {} : { expiresAt: new Date(Date.now() + Number(expiry) * DAY_MS).toISOString() }),
      }),
    onSuccess: async (minted) => {
      await queryClient.invalidateQueries({ queryKey: ['projects', slug, 'keys'] })
      close()
      show(minted)
    },
  })
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        create.mutate()
      }}
    >
      <Stack gap="md">
        <TextInput
          label="Name"
          description="What will use it, so that you know later."
          placeholder="Till at the front desk"
          required
          maxLength={100}
          data-autofocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Checkbox.Group label="Scopes" value={scopes} onChange={setScopes}>
          <Stack gap="xs" mt={6}>
            <Checkbox value="read" label="read" description="List and fetch animals and orders" />
            <Checkbox value="write" label="write" description="Add and change them" />
          </Stack>
        </Checkbox.Group>
        <Select
          label="Expires"
          data={EXPIRIES}
          value={expiry}
          allowDeselect={false}
          onChange={(chosen) => setExpiry(chosen ?? 'never')}
        />
        <Refusal error={create.error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={create.isPending} disabled={name.trim() === '' || scopes.length === 0}>
            Create key
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
