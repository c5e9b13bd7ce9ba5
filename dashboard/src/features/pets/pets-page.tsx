import { Button, EmptyState, Group, Table } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useInfiniteQuery } from '@tanstack/react-query'
import { IconPaw, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { PET_STATUSES } from '../../../../src/features/pets/status.ts'
import { type Pet, petsQuery } from '../../api/pets.ts'
import type { Environment } from '../../api/projects.ts'
import { EnvironmentBand } from '../../frame/environment-band.tsx'
import { ActionsHead } from '../../parts/actions-head.tsx'
import { Page } from '../../parts/page.tsx'
import { Pager } from '../../parts/pager.tsx'
import { StatusFilter, useStatusFilter } from '../../parts/status-filter.tsx'
import { Trouble } from '../../parts/trouble.tsx'
import { useKeysetPages } from '../../parts/use-keyset-pages.ts'
import { WaitingRows } from '../../parts/waiting.tsx'
import { mayEdit, useProject } from '../projects/project-context.ts'
import { PetForm } from './pet-form.tsx'
import { PetRow } from './pet-row.tsx'

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
  const { slug } = useProject()
  const list = useInfiniteQuery(petsQuery(slug, environment, status))
  const { items: pets, ...pages } = useKeysetPages(list)
  const [edited, setEdited] = useState<Pet | null>(null)
  const [editing, { open, close }] = useDisclosure(false)
  if (list.error && !list.data) return <Trouble error={list.error} retry={() => void list.refetch()} />
  const isEmpty = pets?.length === 0 && pages.number === 1

  return (
    <div className="card is-flush">
      {!(isEmpty && status === null) && (
        <Group p="sm" pl="lg">
          <StatusFilter known={PET_STATUSES} value={status} />
        </Group>
      )}
      {isEmpty ? (
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
      ) : (
        <Table className="rows">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Id</Table.Th>
              <Table.Th>Name</Table.Th>
              <Table.Th className="only-wide">Category</Table.Th>
              <Table.Th>Status</Table.Th>
              <ActionsHead />
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {pets?.map((pet) => (
              <PetRow
                key={String(pet.id)}
                pet={pet}
                environment={environment}
                edit={() => {
                  setEdited(pet)
                  open()
                }}
              />
            )) ?? <WaitingRows rows={8} columns={5} />}
          </Table.Tbody>
        </Table>
      )}
      <Pager {...pages} next={() => void pages.next()} />
      {edited && (
        <PetForm key={String(edited.id)} environment={environment} pet={edited} opened={editing} close={close} />
      )}
    </div>
  )
}
