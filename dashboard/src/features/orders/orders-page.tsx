import { Button, EmptyState, Group, NativeSelect, TextInput } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useMemo, useState } from 'react'
import { IconPlus, IconShoppingBag } from '../../icons/icons.ts'
import { ORDER_STATUSES } from '../../../../src/features/orders/status.ts'
import { type Order, ordersCountQuery, ordersPage, ordersQuery } from '../../api/orders.ts'
import type { Environment } from '../../api/projects.ts'
import { EnvironmentBand } from '../../frame/environment-band.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { ExportMenu } from '../../parts/export-menu.tsx'
import { exportAll } from '../../parts/export-rows.ts'
import { lateDialog } from '../../parts/late-dialog.tsx'
import { Page } from '../../parts/page.tsx'
import { Pager } from '../../parts/pager.tsx'
import { QueryGuard } from '../../parts/query-guard.tsx'
import { SearchField } from '../../parts/search-field.tsx'
import { StatusFilter } from '../../parts/status-filter.tsx'
import { useDoing } from '../../parts/use-doing.ts'
import { type ListAddress, useListAddress } from '../../parts/use-list-address.ts'
import { useOnceOpened } from '../../parts/use-once-opened.ts'
import { useSelection } from '../../parts/use-selection.ts'
import { idIn } from '../pets/look.ts'
import { mayEdit, useProject } from '../projects/project-context.ts'
import { type End, EndOrders } from './end-orders.tsx'
import { ORDER_COLUMNS } from './export-columns.ts'
import { orderColumns, sortsOf, useAnimalNames } from './order-columns.tsx'
import { type Look, lookOf, ORDERS } from './look.ts'

const PlaceOrder = lateDialog(() => import('./place-order.tsx'))
const AnimalSelect = lazy(() => import('./animal-select.tsx'))
const BulkBar = lazy(() => import('./bulk-bar.tsx'))

export default function OrdersPage({ environment }: { environment: Environment }) {
  const project = useProject()
  const [placing, { open, close }] = useDoing('place', mayEdit(project))
  const place = mayEdit(project) && (
    <Button data-shortcut="new" leftSection={<IconPlus size={16} />} onClick={open}>
      Place an order
    </Button>
  )
  return (
    <Page
      title="Orders"
      description="A placed order holds its animal until it is completed or cancelled."
      actions={place}
    >
      <EnvironmentBand environment={environment} />
      <OrdersGrid environment={environment} place={place} />
      <PlaceOrder environment={environment} opened={placing} close={close} />
    </Page>
  )
}

const keyOf = ({ id }: Order) => String(id)
const nameOf = ({ id }: Order) => `order ${id}`

function OrdersGrid({ environment, place }: { environment: Environment; place: ReactNode }) {
  const project = useProject()
  const { slug } = project
  const address = useListAddress()
  const look = lookOf(address)
  const list = useQuery({ ...ordersQuery(slug, environment, look.query), placeholderData: keepPreviousData })
  const orders = list.data?.items
  const found = useQuery({ ...ordersCountQuery(slug, environment, look.query), placeholderData: keepPreviousData })
  const [selection, chosen, clear] = useSelection(orders, nameOf)
  const wasChosen = useOnceOpened(chosen.length > 0)
  const [ending, setEnding] = useState<{ order: Order; as: End } | null>(null)
  const [asking, { open, close }] = useDisclosure(false)
  const names = useAnimalNames(environment, orders)
  const animalOf = ({ petId }: Order) => names?.get(String(petId)) ?? `Animal ${petId}`
  const columns = useMemo(() => {
    const end = (order: Order, as: End) => {
      setEnding({ order, as })
      open()
    }
    return orderColumns({ project, environment, names, end })
  }, [project, environment, names])
  const isEmpty = orders?.length === 0 && address.cursor === ''
  return (
    <QueryGuard query={list}>
      {() => (
        <div className="card is-flush">
          {!(isEmpty && !look.isFiltered) && <OrdersToolbar environment={environment} address={address} look={look} />}
          <DataTable
            className="rows is-cards"
            columns={columns}
            sorts={sortsOf(look, address)}
            items={orders}
            keyOf={keyOf}
            waitingRows={8}
            selection={selection}
            isStale={list.isPlaceholderData}
            empty={isEmpty ? <NoOrders environment={environment} look={look} place={place} /> : undefined}
          />
          <Pager
            address={address}
            next={list.data?.next}
            isMoving={list.isPlaceholderData}
            found={isEmpty ? undefined : found.data}
            one="order"
            where={look.isFiltered ? `found in ${environment}` : `in ${environment}`}
          />
          {wasChosen && (
            <Suspense>
              <BulkBar environment={environment} orders={chosen} animalOf={animalOf} clear={clear} />
            </Suspense>
          )}
          {ending && (
            <EndOrders
              environment={environment}
              orders={[ending.order]}
              as={ending.as}
              animalOf={animalOf}
              opened={asking}
              close={close}
            />
          )}
        </div>
      )}
    </QueryGuard>
  )
}

interface OrdersToolbarProps {
  environment: Environment
  address: ListAddress
  look: Look
}

const ANIMAL = {
  'aria-label': 'Animal',
  placeholder: 'Orders of an animal: its name or id',
  size: 'xs',
  flex: 1,
  miw: '13rem',
} as const

function OrdersToolbar({ environment, address, look }: OrdersToolbarProps) {
  const { slug } = useProject()
  const [early, setEarly] = useState({ text: '', hasFocus: false })
  return (
    <Group p="sm" pl="lg" gap="xs" className="list-tools" role="search" aria-label="Orders">
      <Suspense
        fallback={
          <TextInput
            {...ANIMAL}
            value={early.text}
            onChange={({ currentTarget: { value } }) => setEarly({ text: value, hasFocus: true })}
            onFocus={() => setEarly({ ...early, hasFocus: true })}
            onBlur={() => setEarly({ ...early, hasFocus: false })}
          />
        }
      >
        <AnimalSelect
          {...ANIMAL}
          early={early}
          clearable
          environment={environment}
          value={look.animal ?? null}
          change={(animal) => address.look({ animal })}
        />
      </Suspense>
      <SearchField
        label="Number of an order"
        placeholder="Order number"
        inputMode="numeric"
        w="7.5rem"
        error={look.text !== '' && idIn(look.text) === undefined}
        value={look.text}
        search={(q) => address.look({ q }, { replace: true })}
      />
      <StatusFilter known={ORDER_STATUSES} value={look.status} change={(status) => address.look({ status })} />
      <NativeSelect
        aria-label="Order of the list"
        className="only-narrow"
        size="xs"
        w="8rem"
        value={look.order}
        data={Object.entries(ORDERS).map(([value, label]) => ({ value, label }))}
        onChange={({ currentTarget: { value } }) => address.look({ order: value === 'newest' ? null : value })}
      />
      <ExportMenu
        label={look.isFiltered ? 'Export these' : 'Export'}
        variant="default"
        size="xs"
        choose={(format) =>
          exportAll(`orders-${environment}`, format, ORDER_COLUMNS, look.query, (query) =>
            ordersPage(slug, environment, query),
          )
        }
      />
    </Group>
  )
}

function NoOrders({ environment, look, place }: { environment: Environment; look: Look; place: ReactNode }) {
  return (
    <EmptyState
      py="xl"
      icon={<IconShoppingBag size={30} />}
      title={look.isFiltered ? `No such order in ${environment}` : `No orders in ${environment} yet`}
      description={
        look.isFiltered
          ? 'Look for another animal, number or status, or for all of them.'
          : 'Place one here, or send POST /store/orders with an API key.'
      }
    >
      {!look.isFiltered && place && <EmptyState.Actions>{place}</EmptyState.Actions>}
    </EmptyState>
  )
}
