import { Select, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { allowedFrom, PET_STATUSES } from '../../../../src/features/pets/status.ts'
import { readInt64 } from '../../../../client/src/int64.ts'
import { addPet, changePet, type NewPet, type Pet, type PetStatus } from '../../api/pets.ts'
import type { Environment } from '../../api/projects.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
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
  const { slug } = useProject()
  const initial: { name: string; category: string; status: PetStatus } = pet
    ? { ...pet, category: String(pet.categoryId) }
    : { name: '', category: '', status: 'available' }
  return (
    <FormDialog
      opened={opened}
      close={close}
      title={pet ? `Edit ${pet.name}` : `Add an animal to ${environment}`}
      action={pet ? 'Save' : 'Add'}
      initial={initial}
      isComplete={({ name, category }) => name.trim() !== '' && readInt64(category) !== undefined}
      send={async ({ name, category, status }) => {
        const categoryId = readInt64(category)
        if (categoryId === undefined) throw new Error('The category must be a whole number.')
        // Also what may be left out: a field of the contract without an input does not compile.
        const fields: Required<NewPet> = { name, categoryId, status }
        if (!pet) return addPet(slug, environment, fields)
        const { status: _unchanged, ...others } = fields
        return changePet(slug, environment, pet.id, status === pet.status ? others : fields)
      }}
      sent={async (saved) => {
        await queryClient.invalidateQueries({ queryKey: ['projects', slug] })
        notifications.show({
          message: pet ? `${saved.name} has been changed.` : `${saved.name} has been added, with the id ${saved.id}.`,
        })
        close()
      }}
    >
      {({ name, category, status }, set) => (
        <>
          <TextInput
            label="Name"
            placeholder="Rex"
            required
            maxLength={255}
            data-autofocus
            value={name}
            onChange={(event) => set({ name: event.currentTarget.value })}
          />
          <TextInput
            label="Category"
            description="The number of the category the animal belongs to."
            placeholder="1"
            required
            inputMode="numeric"
            value={category}
            onChange={(event) => set({ category: event.currentTarget.value })}
            error={
              category !== '' && readInt64(category) === undefined
                ? 'A whole number of up to 64 bits, such as 1.'
                : null
            }
          />
          <Select
            label="Status"
            data={pet ? [pet.status, ...allowedFrom(pet.status)] : [...PET_STATUSES]}
            value={status}
            allowDeselect={false}
            onChange={(chosen) => set({ status: chosen as PetStatus })}
            comboboxProps={{ withinPortal: true }}
          />
        </>
      )}
    </FormDialog>
  )
}
