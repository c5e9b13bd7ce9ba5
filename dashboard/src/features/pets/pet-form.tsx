import { Anchor, Select, TextInput } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { PET_STATUSES } from '../../../../src/features/pets/status.ts'
import { readInt64 } from '../../../../client/src/int64.ts'
import { addPet, deletePet, type NewPet, type Pet, type PetStatus } from '../../api/pets.ts'
import type { Environment } from '../../api/projects.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { sayWithUndo } from '../../parts/undo.tsx'
import { queryClient } from '../../query-client.ts'
import { useProject } from '../projects/project-context.ts'

interface PetFormProps {
  environment: Environment
  opened: boolean
  close(): void
  /** Brings the new one into view, wherever the list stands. */
  show(pet: Pet): void
}

export default function PetForm({ environment, opened, close, show }: PetFormProps) {
  const { slug } = useProject()
  const initial: { name: string; category: string; status: PetStatus } = { name: '', category: '', status: 'available' }
  return (
    <FormDialog
      opened={opened}
      close={close}
      title={`Add an animal to ${environment}`}
      action="Add"
      initial={initial}
      isComplete={({ name, category }) => name.trim() !== '' && readInt64(category) !== undefined}
      send={async ({ name, category, status }) => {
        const categoryId = readInt64(category)
        if (categoryId === undefined) throw new Error('The category must be a whole number.')
        // Also what may be left out: a field of the contract without an input does not compile.
        const fields: Required<NewPet> = { name, categoryId, status }
        return addPet(slug, environment, fields)
      }}
      sent={async (pet) => {
        await queryClient.invalidateQueries({ queryKey: ['projects', slug] })
        const id = sayWithUndo(
          <>
            {pet.name} has been added, with the id {String(pet.id)}.{' '}
            <Anchor
              component="button"
              size="sm"
              onClick={() => {
                notifications.hide(id)
                show(pet)
              }}
            >
              Show it
            </Anchor>
          </>,
          async () => {
            await deletePet(slug, environment, pet.id)
            await queryClient.invalidateQueries({ queryKey: ['projects', slug] })
          },
        )
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
            data={[...PET_STATUSES]}
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
