import { Button, EmptyState } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { IconPaw, IconPlus } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { petsQuery } from '../../api/pets.ts'
import type { Environment } from '../../api/projects.ts'
import { EnvironmentBand } from '../../frame/environment-band.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { Page } from '../../parts/page.tsx'
import { Pager } from '../../parts/pager.tsx'
import { QueryGuard } from '../../parts/query-guard.tsx'
import { useListAddress } from '../../parts/use-list-address.ts'
import { useSelection } from '../../parts/use-selection.ts'
import { mayEdit, useProject } from '../projects/project-context.ts'
import { BulkBar } from './bulk-bar.tsx'
import { type Look, lookOf } from './look.ts'
import { usePetColumns } from './pet-columns.tsx'
import { PetDrawer } from './pet-drawer.tsx'
import { PetForm } from './pet-form.tsx'
import { PetsToolbar } from './pets-toolbar.tsx'

export default function PetsPage({ environment }: { environment: Environment }) {
  const project = useProject()
  const address = useListAddress()
  const [adding, { open, close }] = useDisclosure(false)
  const add = mayEdit(project) && (
    <Button leftSection={<IconPlus size={16} />} onClick={open}>
      Add an animal
    </Button>
  )
  return (
    <Page title="Animals" actions={add}>
      <EnvironmentBand environment={environment} />
      <PetsGrid environment={environment} add={add} />
      <PetForm
        environment={environment}
        opened={adding}
        close={close}
        show={({ id }) => address.open('animal', String(id))}
      />
      <PetDrawer environment={environment} address={address} />
    </Page>
  )
}

function PetsGrid({ environment, add }: { environment: Environment; add: ReactNode }) {
  const { slug } = useProject()
  const address = useListAddress()
  const look = lookOf(address)
  const list = useQuery({ ...petsQuery(slug, environment, look.query), placeholderData: keepPreviousData })
  const pets = list.data?.items
  const [selection, chosen, clear] = useSelection(pets, ({ name }) => name)
  const columns = usePetColumns({ environment, look, address })
  const isEmpty = pets?.length === 0 && address.cursor === ''
  return (
    <QueryGuard query={list}>
      {() => (
        <div className="card is-flush">
          {!(isEmpty && !look.isFiltered) && <PetsToolbar environment={environment} address={address} look={look} />}
          <DataTable
            className="rows is-cards"
            columns={columns}
            items={pets}
            keyOf={({ id }) => String(id)}
            waitingRows={8}
            selection={selection}
            isStale={list.isPlaceholderData}
            empty={isEmpty ? <NoPets environment={environment} look={look} add={add} /> : undefined}
          />
          <Pager address={address} next={list.data?.next} isMoving={list.isPlaceholderData} />
          <BulkBar environment={environment} pets={chosen} clear={clear} />
        </div>
      )}
    </QueryGuard>
  )
}

function NoPets({ environment, look, add }: { environment: Environment; look: Look; add: ReactNode }) {
  return (
    <EmptyState
      py="xl"
      icon={<IconPaw size={30} />}
      title={look.isFiltered ? `No such animal in ${environment}` : `No animals in ${environment} yet`}
      description={
        look.isFiltered
          ? 'Names are found by how they begin, animals by their id. Look for something else, or for less.'
          : 'Add one by hand, send POST /pets with an API key, or load a file with: petstore import'
      }
    >
      {!look.isFiltered && add && <EmptyState.Actions>{add}</EmptyState.Actions>}
    </EmptyState>
  )
}
