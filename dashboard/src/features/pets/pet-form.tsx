import { Button, Group, Modal, Select, Stack, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { allowedFrom, PET_STATUSES } from '../../../../src/features/pets/status.ts'
import { readInt64 } from '../../api/exact-json.ts'
import { addPet, changePet, type Pet, type PetStatus } from '../../api/pets.ts'
import type { Environment } from '../../api/projects.ts'
import { Refusal } from '../../parts/trouble.tsx'
import { queryClient } from '../../query-client.ts'
import { useProject } from '../projects/project-context.ts'

interface PetFormProps {
  environment: Environment
  /** The one to change; without it a new one is added. */
  pet?: Pet
  opened: boolean
  close(): void
}

export function PetForm({ environment, pet, opened, close }: PetFormProps) {
  const title = pet ? `Edit ${pet.name}` : `Add an animal to ${environment}`
  return (
    <Modal opened={opened} onClose={close} title={title}>
      <Fields environment={environment} {...(pet ? { pet } : {})} close={close} />
    </Modal>
  )
}

function Fields({ environment, pet, close }: Omit<PetFormProps, 'opened'>) {
  const { slug } = useProject()
  const [name, setName] = useState(pet?.name ?? '')
  const [category, setCategory] = useState(pet ? String(pet.categoryId) : '')
  const [status, setStatus] = useState<PetStatus>(pet?.status ?? 'available')
  const categoryId = readInt64(category)
  const save = useMutation({
    mutationFn: async () => {
      if (categoryId === undefined) throw new Error('The category must be a whole number.')
      if (!pet) return addPet(slug, environment, { name, categoryId, status })
      return changePet(slug, environment, pet.id, { name, categoryId, ...(status === pet.status ? {} : { status }) })
    },
    onSuccess: async (saved) => {
      await queryClient.invalidateQueries({ queryKey: ['projects', slug] })
      notifications.show({
        message: pet ? `${saved.name} has been changed.` : `${saved.name} has been added, with the id ${saved.id}.`,
      })
      close()
    },
  })
  const choices = pet ? [pet.status, ...allowedFrom(pet.status)] : PET_STATUSES

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate()
      }}
    >
      <Stack gap="md">
        <TextInput
          label="Name"
          placeholder="Rex"
          required
          maxLength={255}
          data-autofocus
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <TextInput
          label="Category"
          description="The number of the category the animal belongs to."
          placeholder="1"
          required
          inputMode="numeric"
          value={category}
          onChange={(event) => setCategory(event.currentTarget.value)}
          error={category !== '' && categoryId === undefined ? 'A whole number of up to 64 bits, such as 1.' : null}
        />
        <Select
          label="Status"
          data={[...choices]}
          value={status}
          allowDeselect={false}
          onChange={(chosen) => setStatus(chosen as PetStatus)}
          comboboxProps={{ withinPortal: true }}
        />
        <Refusal error={save.error} />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={save.isPending} disabled={name.trim() === '' || categoryId === undefined}>
            {pet ? 'Save' : 'Add'}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
