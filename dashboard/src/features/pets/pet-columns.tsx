import { ActionIcon, TextInput, UnstyledButton } from '@mantine/core'
import { IconCheck, IconPencil, IconX } from '@tabler/icons-react'
import type { KeyboardEvent } from 'react'
import { readInt64 } from '../../../../client/src/int64.ts'
import type { Pet } from '../../api/pets.ts'
import type { Environment } from '../../api/projects.ts'
import type { Column, Sort } from '../../parts/data-table.tsx'
import type { ListAddress } from '../../parts/use-list-address.ts'
import { mayEdit, useProject } from '../projects/project-context.ts'
import type { Look, Order } from './look.ts'
import { StatusMenu } from './status-menu.tsx'
import { type RowEdit, useRowEdit } from './use-row-edit.ts'

interface PetColumnsNeeds {
  environment: Environment
  look: Look
  address: ListAddress
}

export function usePetColumns({ environment, look, address }: PetColumnsNeeds): Column<Pet>[] {
  const project = useProject()
  const edit = useRowEdit(environment)
  const isEdited = (pet: Pet) => edit.draft?.pet.id === pet.id
  const sortBy = (order: Order) => address.look({ order: order === 'newest' ? null : order })
  const byId: Sort = {
    direction: look.order === 'newest' ? 'descending' : look.order === 'oldest' ? 'ascending' : 'none',
    change: () => sortBy(look.order === 'newest' ? 'oldest' : 'newest'),
  }
  const byName: Sort = {
    direction: look.order === 'name' ? 'ascending' : 'none',
    change: () => sortBy(look.order === 'name' ? 'newest' : 'name'),
  }
  // A column for every field of the contract: a forgotten one does not compile.
  const fields: Record<keyof Pet, Column<Pet>> = {
    id: { head: 'Id', className: 'mono card-fact', sort: byId, cell: ({ id }) => String(id) },
    name: {
      head: 'Name',
      className: 'wrap-anywhere card-title',
      sort: byName,
      cell: (pet) =>
        isEdited(pet) ? (
          <NameField edit={edit} />
        ) : (
          <UnstyledButton className="row-link" onClick={() => address.open('animal', String(pet.id))}>
            {pet.name}
          </UnstyledButton>
        ),
    },
    categoryId: {
      head: 'Category',
      className: 'mono card-fact',
      cell: (pet) => (isEdited(pet) ? <CategoryField edit={edit} /> : String(pet.categoryId)),
    },
    status: {
      head: 'Status',
      className: 'card-mark',
      cell: (pet) => <StatusMenu pet={pet} environment={environment} />,
    },
  }
  const actions: Column<Pet> = {
    ta: 'right',
    className: 'card-actions',
    cell: (pet) => (isEdited(pet) ? <SaveButtons edit={edit} /> : <EditButton pet={pet} start={edit.start} />),
  }
  return [...Object.values(fields), ...(mayEdit(project) ? [actions] : [])]
}

function EditButton({ pet, start }: { pet: Pet; start(pet: Pet): void }) {
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      title="Edit in place"
      aria-label={`Edit ${pet.name}`}
      data-edit={String(pet.id)}
      onClick={() => start(pet)}
    >
      <IconPencil size={17} stroke={1.7} />
    </ActionIcon>
  )
}

function SaveButtons({ edit }: { edit: RowEdit }) {
  return (
    <ActionIcon.Group className="row-save">
      <ActionIcon aria-label="Save" disabled={!edit.isComplete} loading={edit.isSaving} onClick={edit.save}>
        <IconCheck size={17} />
      </ActionIcon>
      <ActionIcon variant="default" aria-label="Cancel" onClick={edit.cancel}>
        <IconX size={17} />
      </ActionIcon>
    </ActionIcon.Group>
  )
}

function NameField({ edit }: { edit: RowEdit }) {
  return (
    <TextInput
      aria-label="Name"
      size="xs"
      maxLength={255}
      autoFocus
      onFocus={(event) => event.currentTarget.select()}
      value={edit.draft?.name ?? ''}
      onChange={(event) => edit.type({ name: event.currentTarget.value })}
      onKeyDown={keysOf(edit)}
    />
  )
}

function CategoryField({ edit }: { edit: RowEdit }) {
  const category = edit.draft?.category ?? ''
  return (
    <TextInput
      aria-label="Category"
      size="xs"
      inputMode="numeric"
      miw="5rem"
      value={category}
      error={readInt64(category) === undefined}
      onChange={(event) => edit.type({ category: event.currentTarget.value })}
      onKeyDown={keysOf(edit)}
    />
  )
}

const keysOf = (edit: RowEdit) => (event: KeyboardEvent) => {
  if (event.key === 'Enter') edit.save()
  if (event.key === 'Escape') edit.cancel()
}
