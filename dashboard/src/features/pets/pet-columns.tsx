import { ActionIcon, TextInput } from '@mantine/core'
import { useCallbackRef } from '@mantine/hooks'
import { type KeyboardEvent, useMemo } from 'react'
import { IconCheck, IconPencil, IconX } from '../../icons/icons.ts'
import { readInt64 } from '../../../../client/src/int64.ts'
import type { Pet } from '../../api/pets.ts'
import type { Environment } from '../../api/projects.ts'
import type { Column, Sort } from '../../parts/data-table.tsx'
import type { ListAddress } from '../../parts/use-list-address.ts'
import { useBeside } from '../../parts/use-parameter.ts'
import { mayEdit, useProject } from '../projects/project-context.ts'
import type { Look, Order } from './look.ts'
import { StatusMenu } from './status-menu.tsx'
import { StatusTag } from './status-tag.tsx'
import { type RowEdit, useRowEdit } from './use-row-edit.ts'
import { type ChangeStatus, useStatusChange } from './use-status-change.ts'

interface PetColumns {
  columns: readonly Column<Pet>[]
  columnsOf(pet: Pet): readonly Column<Pet>[]
}

/** The row that is edited has columns of its own: those of the others stay the same, and nothing draws them again. */
export function usePetColumns(environment: Environment): PetColumns {
  const mayChange = mayEdit(useProject())
  const edit = useRowEdit(environment)
  const { mutate } = useStatusChange(environment)
  const [, show] = useBeside('animal')
  const open = useCallbackRef((pet: Pet) => show(String(pet.id)))
  const start = useCallbackRef(edit.start)
  const columns = useMemo(() => petColumns({ open, start, change: mutate, mayChange }), [mutate, mayChange])
  return { columns, columnsOf: (pet) => (edit.draft?.pet.id === pet.id ? editColumns(columns, edit) : columns) }
}

export function sortsOf(look: Look, address: ListAddress): Record<'Id' | 'Name', Sort> {
  const sortBy = (order: Order) => address.look({ order: order === 'newest' ? null : order })
  return {
    Id: {
      direction: look.order === 'newest' ? 'descending' : look.order === 'oldest' ? 'ascending' : 'none',
      change: () => sortBy(look.order === 'newest' ? 'oldest' : 'newest'),
    },
    Name: {
      direction: look.order === 'name' ? 'ascending' : 'none',
      change: () => sortBy(look.order === 'name' ? 'newest' : 'name'),
    },
  }
}

interface RowNeeds {
  open(pet: Pet): void
  start(pet: Pet): void
  change: ChangeStatus
  mayChange: boolean
}

/** Elements of the browser's own: three components of Mantine's in a row took as long as the rest of it. */
function petColumns({ open, start, change, mayChange }: RowNeeds): Column<Pet>[] {
  // A column for every field of the contract: a forgotten one does not compile.
  const fields: Record<keyof Pet, Column<Pet>> = {
    id: { head: 'Id', className: 'mono card-fact', cell: ({ id }) => String(id) },
    name: {
      head: 'Name',
      className: 'wrap-anywhere card-title',
      cell: (pet) => (
        <button type="button" className="bare-button row-link" onClick={() => open(pet)}>
          {pet.name}
        </button>
      ),
    },
    categoryId: { head: 'Category', className: 'mono card-fact', cell: ({ categoryId }) => String(categoryId) },
    status: {
      head: 'Status',
      className: 'card-mark',
      cell: (pet) => (mayChange ? <StatusMenu pet={pet} change={change} /> : <StatusTag status={pet.status} />),
    },
  }
  const actions: Column<Pet> = {
    ta: 'right',
    className: 'card-actions',
    cell: (pet) => <EditButton pet={pet} start={start} />,
  }
  return [...Object.values(fields), ...(mayChange ? [actions] : [])]
}

function editColumns(columns: readonly Column<Pet>[], edit: RowEdit): Column<Pet>[] {
  return columns.map((column) => {
    if (column.head === 'Name') return { ...column, cell: () => <NameField edit={edit} /> }
    if (column.head === 'Category') return { ...column, cell: () => <CategoryField edit={edit} /> }
    return column.head === undefined ? { ...column, cell: () => <SaveButtons edit={edit} /> } : column
  })
}

function EditButton({ pet, start }: { pet: Pet; start(pet: Pet): void }) {
  return (
    <button
      type="button"
      className="bare-button row-action"
      title="Edit in place"
      aria-label={`Edit ${pet.name}`}
      data-edit={String(pet.id)}
      onClick={() => start(pet)}
    >
      <IconPencil size={17} stroke={1.7} />
    </button>
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
  // These keys choose a word, or throw it away, while one is composed, as in Japanese. Safari has ended
  // that by then, and the number alone tells it.
  if (event.nativeEvent.isComposing || event.keyCode === 229) return
  if (event.key === 'Enter') edit.save()
  if (event.key === 'Escape') edit.cancel()
}
