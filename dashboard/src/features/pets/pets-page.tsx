import { ActionIcon, Button, EmptyState, Group, Tooltip } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useInfiniteQuery } from '@tanstack/react-query'
import { IconPaw, IconPencil, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { PET_STATUSES } from '../../../../src/features/pets/status.ts'
import { type Pet, petsQuery } from '../../api/pets.ts'
import type { Environment } from '../../api/projects.ts'
import { EnvironmentBand } from '../../frame/environment-band.tsx'
import { type Column, DataTable } from '../../parts/data-table.tsx'
import { Page } from '../../parts/page.tsx'
import { Pager } from '../../parts/pager.tsx'
import { QueryGuard } from '../../parts/query-guard.tsx'
import { StatusFilter, useStatusFilter } from '../../parts/status-filter.tsx'
import { useKeysetPages } from '../../parts/use-keyset-pages.ts'
import { mayEdit, useProject } from '../projects/project-context.ts'
import { PetForm } from './pet-form.tsx'
import { StatusMenu } from './status-menu.tsx'

export default function PetsPage({ environment }: { environment: Environment }) {
  const project = useProject()
  const status = useStatusFilter(PET_STATUSES)
  const [adding, { open, close }] = useDisclosure(false)
  const add = mayEdit(project) && (
    <Button leftSection={<IconPlus size={16} />} onClick={open}>
      Add an animal
    </Button>
  )
  return (
    <Page title="Animals" actions={add}>
      <EnvironmentBand environment={environment} />
      <PetsTable key={status} environment={environment} status={status} add={add} />
      <PetForm environment={environment} opened={adding} close={close} />
    </Page>
  )
}

interface PetsTableProps {
  environment: Environment
  status: ReturnType<typeof useStatusFilter<Pet['status']>>
  add: React.ReactNode
}

function PetsTable({ environment, status, add }: PetsTableProps) {
  const project = useProject()
  const list = useInfiniteQuery(petsQuery(project.slug, environment, { status: status ?? undefined }))
  const { items: pets, ...pages } = useKeysetPages(list)
  const [edited, setEdited] = useState<Pet | null>(null)
  const [editing, { open, close }] = useDisclosure(false)
  const isEmpty = pets?.length === 0 && pages.number === 1
  // A column for every field of the contract: a forgotten one does not compile.
  const fields: Record<keyof Pet, Column<Pet>> = {
    id: { head: 'Id', className: 'mono wrap-anywhere', cell: ({ id }) => String(id) },
    name: { head: 'Name', className: 'wrap-anywhere', fw: 550, cell: ({ name }) => name },
    categoryId: { head: 'Category', className: 'mono', onlyWide: true, cell: ({ categoryId }) => String(categoryId) },
    status: { head: 'Status', cell: (pet) => <StatusMenu pet={pet} environment={environment} /> },
  }
  const columns: Column<Pet>[] = [
    ...Object.values(fields),
    {
      ta: 'right',
      cell: (pet) =>
        mayEdit(project) && (
          <Tooltip label="Edit">
            <ActionIcon
              variant="subtle"
              color="gray"
              aria-label={`Edit ${pet.name}`}
              onClick={() => {
                setEdited(pet)
                open()
              }}
            >
              <IconPencil size={17} stroke={1.7} />
            </ActionIcon>
          </Tooltip>
        ),
    },
  ]
  const empty = (
    <EmptyState
      py="xl"
      icon={<IconPaw size={30} />}
      title={status === null ? `No animals in ${environment} yet` : `No animal is ${status}`}
      description={
        status === null
          ? 'Add one by hand, send POST /pets with an API key, or load a file with: petstore import'
          : 'Choose another status, or all of them.'
      }
    >
      {status === null && add && <EmptyState.Actions>{add}</EmptyState.Actions>}
    </EmptyState>
  )

  return (
    <QueryGuard query={list}>
      {() => (
        <div className="card is-flush">
          {!(isEmpty && status === null) && (
            <Group p="sm" pl="lg">
              <StatusFilter known={PET_STATUSES} value={status} />
            </Group>
          )}
          <DataTable
            columns={columns}
            items={pets}
            keyOf={({ id }) => String(id)}
            waitingRows={8}
            empty={isEmpty ? empty : undefined}
          />
          <Pager {...pages} next={() => void pages.next()} />
          {edited && (
            <PetForm key={String(edited.id)} environment={environment} pet={edited} opened={editing} close={close} />
          )}
        </div>
      )}
    </QueryGuard>
  )
}
