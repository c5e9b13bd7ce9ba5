import { Button, EmptyState, Group } from '@mantine/core'
import { useCallbackRef } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useRef } from 'react'
import { IconFileImport, IconPaw, IconPlus } from '../../icons/icons.ts'
import { readInt64 } from '../../../../client/src/int64.ts'
import { type Pet, petsCountQuery, petsQuery } from '../../api/pets.ts'
import type { Environment } from '../../api/projects.ts'
import { EnvironmentBand } from '../../frame/environment-band.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { lateDialog } from '../../parts/late-dialog.tsx'
import { Page } from '../../parts/page.tsx'
import { Pager } from '../../parts/pager.tsx'
import { QueryGuard } from '../../parts/query-guard.tsx'
import { useDoing } from '../../parts/use-doing.ts'
import { placeIn, useListAddress } from '../../parts/use-list-address.ts'
import { useOnceOpened } from '../../parts/use-once-opened.ts'
import { useBeside } from '../../parts/use-parameter.ts'
import { useSelection } from '../../parts/use-selection.ts'
import { queryClient } from '../../query-client.ts'
import { mayEdit, useProject } from '../projects/project-context.ts'
import { type Look, lookOf } from './look.ts'
import { sortsOf, usePetColumns } from './pet-columns.tsx'
import { PetsToolbar } from './pets-toolbar.tsx'

const PetForm = lateDialog(() => import('./pet-form.tsx'))
const PetDrawer = lateDialog(() => import('./pet-drawer.tsx'))
const ImportDialog = lateDialog(() => import('./import/import-dialog.tsx'))
const BulkBar = lazy(() => import('./bulk-bar.tsx'))

/**
 * Asks for the rows that the address names.
 * @public by the first view, which knows it from `latePage`
 */
export function ask(): void {
  const [, slug = '', environment] = /\/([^/]+)\/(production|staging)\/animals$/.exec(location.pathname) ?? []
  if (environment === undefined) return
  const { query } = lookOf(placeIn(new URLSearchParams(location.search)))
  void queryClient.prefetchQuery(petsQuery(slug, environment as Environment, query))
  void queryClient.prefetchQuery(petsCountQuery(slug, environment as Environment, query))
}

export default function PetsPage({ environment }: { environment: Environment }) {
  const project = useProject()
  const [shown, show] = useBeside('animal')
  const [adding, { open, close }] = useDoing('add', mayEdit(project))
  const [importing, imports] = useDoing('import', mayEdit(project))
  const importer = useRef<HTMLButtonElement>(null)
  const id = readInt64(shown ?? '')
  const add = mayEdit(project) && (
    <Group gap="xs">
      <Button ref={importer} variant="default" leftSection={<IconFileImport size={16} />} onClick={imports.open}>
        Import…
      </Button>
      <Button data-shortcut="new" leftSection={<IconPlus size={16} />} onClick={open}>
        Add an animal
      </Button>
    </Group>
  )
  return (
    <Page title="Animals" actions={add}>
      <EnvironmentBand environment={environment} />
      <PetsGrid environment={environment} add={add} />
      <PetForm environment={environment} opened={adding} close={close} show={(added) => show(String(added.id))} />
      <PetDrawer environment={environment} id={id} opened={id !== undefined} close={() => show(null)} />
      <ImportDialog environment={environment} opened={importing} close={imports.close} opener={importer} />
    </Page>
  )
}

const keyOf = ({ id }: Pet) => String(id)
const nameOf = ({ name }: Pet) => name

function PetsGrid({ environment, add }: { environment: Environment; add: ReactNode }) {
  const { slug } = useProject()
  const address = useListAddress()
  const look = lookOf(address)
  const { query: asked, ...shown } = look
  const change = useCallbackRef(address.look)
  const query = useCallbackRef(() => asked)
  const list = useQuery({ ...petsQuery(slug, environment, look.query), placeholderData: keepPreviousData })
  const pets = list.data?.items
  const found = useQuery({ ...petsCountQuery(slug, environment, look.query), placeholderData: keepPreviousData })
  const [selection, chosen, clear] = useSelection(pets, nameOf)
  const wasChosen = useOnceOpened(chosen.length > 0)
  const columns = usePetColumns(environment)
  const isEmpty = pets?.length === 0 && address.cursor === ''
  return (
    <QueryGuard query={list}>
      {() => (
        <div className="card is-flush">
          {!(isEmpty && !look.isFiltered) && (
            <PetsToolbar environment={environment} {...shown} change={change} query={query} />
          )}
          <DataTable
            className="rows is-cards"
            {...columns}
            sorts={sortsOf(look, address)}
            items={pets}
            keyOf={keyOf}
            waitingRows={8}
            selection={selection}
            isStale={list.isPlaceholderData}
            empty={isEmpty ? <NoPets environment={environment} look={look} add={add} /> : undefined}
          />
          <Pager
            address={address}
            next={list.data?.next}
            isMoving={list.isPlaceholderData}
            found={isEmpty ? undefined : found.data}
            one="animal"
            where={look.isFiltered ? `found in ${environment}` : `in ${environment}`}
          />
          {wasChosen && (
            <Suspense>
              <BulkBar
                environment={environment}
                pets={chosen}
                clear={clear}
                drop={(gone) => selection.choose(gone, false)}
              />
            </Suspense>
          )}
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
          : 'Add one by hand, import a file of them, or send POST /pets with an API key.'
      }
    >
      {!look.isFiltered && add && <EmptyState.Actions>{add}</EmptyState.Actions>}
    </EmptyState>
  )
}
