import { Button, EmptyState, Group } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useInfiniteQuery } from '@tanstack/react-query'
import { IconPlus, IconShoppingBag } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { ORDER_STATUSES, type OrderStatus } from '../../../../src/features/orders/status.ts'
import { ordersQuery } from '../../api/orders.ts'
import type { Environment } from '../../api/projects.ts'
import { EnvironmentBand } from '../../frame/environment-band.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { Page } from '../../parts/page.tsx'
import { Pager } from '../../parts/pager.tsx'
import { QueryGuard } from '../../parts/query-guard.tsx'
import { StatusFilter, useStatusFilter } from '../../parts/status-filter.tsx'
import { useKeysetPages } from '../../parts/use-keyset-pages.ts'
import { mayEdit, useProject } from '../projects/project-context.ts'
import { useOrderColumns } from './order-columns.tsx'
import { PlaceOrder } from './place-order.tsx'

export default function OrdersPage({ environment }: { environment: Environment }) {
  const project = useProject()
  const status = useStatusFilter(ORDER_STATUSES)
  const [placing, { open, close }] = useDisclosure(false)
  const place = mayEdit(project) && (
    <Button leftSection={<IconPlus size={16} />} onClick={open}>
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
      <OrdersTable key={status} environment={environment} status={status} place={place} />
      <PlaceOrder environment={environment} opened={placing} close={close} />
    </Page>
  )
}

interface OrdersTableProps {
  environment: Environment
  status: OrderStatus | null
  place: ReactNode
}

function OrdersTable({ environment, status, place }: OrdersTableProps) {
  const { slug } = useProject()
  const list = useInfiniteQuery(ordersQuery(slug, environment, { status: status ?? undefined }))
  const { items: orders, ...pages } = useKeysetPages(list)
  const columns = useOrderColumns(environment)
  const isEmpty = orders?.length === 0 && pages.number === 1
  const empty = (
    <EmptyState
      py="xl"
      icon={<IconShoppingBag size={30} />}
      title={status === null ? `No orders in ${environment} yet` : `No order is ${status}`}
      description={
        status === null
          ? 'Place one here, or send POST /store/orders with an API key.'
          : 'Choose another status, or all of them.'
      }
    >
      {status === null && place && <EmptyState.Actions>{place}</EmptyState.Actions>}
    </EmptyState>
  )

  return (
    <QueryGuard query={list}>
      {() => (
        <div className="card is-flush">
          {!(isEmpty && status === null) && (
            <Group p="sm" pl="lg">
              <StatusFilter known={ORDER_STATUSES} value={status} />
            </Group>
          )}
          <DataTable
            columns={columns}
            items={orders}
            keyOf={({ id }) => String(id)}
            waitingRows={8}
            empty={isEmpty ? empty : undefined}
          />
          <Pager {...pages} next={() => void pages.next()} />
        </div>
      )}
    </QueryGuard>
  )
}
