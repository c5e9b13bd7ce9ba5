import { ActionIcon, Anchor, Menu, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery } from '@tanstack/react-query'
import { IconCheck, IconDots, IconX } from '@tabler/icons-react'
import { Link } from 'wouter'
import { messageOf } from '../../api/platform.ts'
import { endOrder, type Order } from '../../api/orders.ts'
import { type Pet, petsByIdQuery } from '../../api/pets.ts'
import type { Environment } from '../../api/projects.ts'
import type { Column } from '../../parts/data-table.tsx'
import { TimeAgo } from '../../parts/time.tsx'
import type { ListAddress } from '../../parts/use-list-address.ts'
import { queryClient } from '../../query-client.ts'
import { mayEdit, useProject } from '../projects/project-context.ts'
import { OrderTag } from './order-tag.tsx'
import type { Look } from './look.ts'

interface OrderColumnsNeeds {
  environment: Environment
  orders: readonly Order[] | undefined
  look: Look
  address: ListAddress
}

/** Open orders can be ended in their row. */
export function useOrderColumns({ environment, orders, look, address }: OrderColumnsNeeds): Column<Order>[] {
  const project = useProject()
  const names = useAnimalNames(environment, orders)
  const nameOf = (petId: Pet['id']) => names?.get(String(petId))
  const end = useMutation({
    mutationFn: ({ order: { id }, as }: { order: Order; as: 'completed' | 'cancelled' }) =>
      endOrder(project.slug, environment, id, as),
    onSuccess: ({ status }, { order }) => {
      const animal = nameOf(order.petId) ?? `animal ${order.petId}`
      const is = status === 'completed' ? 'sold' : 'available again'
      notifications.show({ message: `Order ${order.id} is ${status}, and ${animal} is ${is}.` })
    },
    onError: (error) =>
      notifications.show({ color: 'red', title: 'The order was not changed', message: messageOf(error) }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['projects', project.slug] }),
  })
  // A column for every field of the contract: a forgotten one does not compile.
  const fields: Record<keyof Order, Column<Order>> = {
    id: {
      head: 'Order',
      className: 'mono card-fact',
      sort: {
        direction: look.order === 'newest' ? 'descending' : 'ascending',
        change: () => address.look({ order: look.order === 'newest' ? 'oldest' : null }),
      },
      cell: ({ id }) => String(id),
    },
    petId: {
      head: 'Animal',
      className: 'wrap-anywhere card-title',
      cell: ({ petId }) => (
        <Animal slug={project.slug} environment={environment} id={petId} name={nameOf(petId)} isKnown={!!names} />
      ),
    },
    status: {
      head: 'Status',
      className: 'card-mark',
      cell: ({ id, status }) => <OrderTag status={status} busy={end.isPending && end.variables.order.id === id} />,
    },
    placedAt: { head: 'Placed', className: 'card-fact', cell: ({ placedAt }) => <TimeAgo at={placedAt} /> },
    endedAt: {
      head: 'Ended',
      onlyWide: true,
      cell: ({ endedAt }) => (endedAt === undefined ? '–' : <TimeAgo at={endedAt} />),
    },
  }
  const actions: Column<Order> = {
    ta: 'right',
    className: 'card-actions',
    cell: (order) =>
      order.status === 'placed' && (
        <Menu>
          <Menu.Target>
            <ActionIcon variant="subtle" color="gray" aria-label={`Actions for order ${order.id}`}>
              <IconDots size={18} />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item leftSection={<IconCheck size={16} />} onClick={() => end.mutate({ order, as: 'completed' })}>
              Complete: the animal is sold
            </Menu.Item>
            <Menu.Item leftSection={<IconX size={16} />} onClick={() => end.mutate({ order, as: 'cancelled' })}>
              Cancel: the animal is free again
            </Menu.Item>
          </Menu.Dropdown>
        </Menu>
      ),
  }
  return [...Object.values(fields), ...(mayEdit(project) ? [actions] : [])]
}

/** Of the animals that the orders on a page are for; undefined until they are there. */
function useAnimalNames(environment: Environment, orders: readonly Order[] | undefined) {
  const { slug } = useProject()
  const ids = new Map(orders?.map(({ petId }) => [String(petId), petId]))
  const { data } = useQuery(petsByIdQuery(slug, environment, [...ids.values()]))
  return data && new Map(data.items.map(({ id, name }) => [String(id), name]))
}

interface AnimalProps {
  slug: string
  environment: Environment
  id: Pet['id']
  name: string | undefined
  /** Whether the names are there: one that has none then is deleted. */
  isKnown: boolean
}

function Animal({ slug, environment, id, name, isKnown }: AnimalProps) {
  const number = (
    <Text span size="xs" c="dimmed" className="mono">
      #{String(id)}
    </Text>
  )
  if (name === undefined) {
    return (
      <>
        {isKnown && 'deleted '}
        {number}
      </>
    )
  }
  return (
    <>
      <Anchor component={Link} size="sm" fw={550} href={`/projects/${slug}/${environment}/animals?animal=${id}`}>
        {name}
      </Anchor>{' '}
      {number}
    </>
  )
}
