import { Button, Group, Modal, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { useInstallation } from '../../api/installation.ts'
import { createProject, projectsQuery } from '../../api/projects.ts'
import { Refusal } from '../../parts/trouble.tsx'
import { queryClient } from '../../query-client.ts'

export function NewProject({ opened, close }: { opened: boolean; close(): void }) {
  return (
    <Modal opened={opened} onClose={close} title="New project">
      <NewProjectForm close={close} />
    </Modal>
  )
}

function NewProjectForm({ close }: { close(): void }) {
  const { platformHost } = useInstallation()
  const [, go] = useLocation()
  const [name, setName] = useState('')
  const [typed, setTyped] = useState<string | null>(null)
  const slug = typed ?? slugOf(name)
  const create = useMutation({
    mutationFn: () => createProject({ slug, name: name.trim() }),
    onSuccess: async (project) => {
      queryClient.setQueryData(projectsQuery.queryKey, (known) => [...(known ?? []), project])
      go(`/projects/${project.slug}`, { replace: true })
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
          placeholder="Corner Pet Shop"
          required
          maxLength={100}
          data-autofocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <TextInput
          label="Address"
          required
          description={`Your site will be at ${slug || '…'}.${platformHost}`}
          maxLength={63}
          value={slug}
          onChange={(event) => setTyped(event.currentTarget.value.toLowerCase())}
        />
        <Refusal error={create.error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={create.isPending} disabled={name.trim() === '' || slug === ''}>
            Create project
          </Button>
        </Group>
      </Stack>
    </form>
  )
}

/** A first idea of the address; the service has the last word. */
function slugOf(name: string): string {
  const plain = name.normalize('NFKD').replaceAll(/\p{M}/gu, '').toLowerCase()
  return plain
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 63)
}
