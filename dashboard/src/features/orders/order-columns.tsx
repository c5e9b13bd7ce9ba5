import { ActionIcon, Anchor, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { Link } from 'wouter'
import { IconCheck, IconDots, IconX } from '../../icons/icons.ts'
import type { Order } from '../../api/orders.ts'
import { type Pet, petsByIdQuery } from '../../api/pets.ts'
import type { Environment, Project } from '../../api/projects.ts'
import type { Column, Sort } from '../../parts/data-table.tsx'
import { RowMenu } from '../../parts/row-menu.tsx'
import { TimeAgo } from '../../parts/time.tsx'
import type { ListAddress } from '../../parts/use-list-address.ts'
import { mayEdit, useProject } from '../projects/project-context.ts'
import type { End } from './end-orders.tsx'
import { OrderTag } from './order-tag.tsx'
import type { Look } from './look.ts'

interface OrderColumnsNeeds {
  project: Project
  environment: Environment
  names: AnimalNames
  end(order: Order, as: End): void
}

/** Of the animals that the orders on a page are for; undefined until they are there. */
type AnimalNames = ReadonlyMap<string, string> | undefined

/** Open orders can be ended in their row. */
export function orderColumns({ project, environment, names, end }: OrderColumnsNeeds): Column<Order>[] {
  const nameOf = (petId: Pet['id']) => names?.get(String(petId))
  // A column for every field of the contract: a forgotten one does not compile.
  const fields: Record<keyof Order, Column<Order>> = {
    id: {
      head: 'Order',
      className: 'mono card-fact',
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
      cell: ({ status }) => <OrderTag status={status} />,
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
        <RowMenu
          button={
            <ActionIcon variant="subtle" color="gray" aria-label={`Actions for order ${order.id}`}>
              <IconDots size={18} />
            </ActionIcon>
          }
          choices={[
            {
              label: 'Complete: the animal is sold…',
              icon: <IconCheck size={16} />,
              choose: () => end(order, 'completed'),
            },
            {
              label: 'Cancel: the animal is free again…',
              icon: <IconX size={16} />,
              choose: () => end(order, 'cancelled'),
            },
          ]}
        />
      ),
  }
  return [...Object.values(fields), ...(mayEdit(project) ? [actions] : [])]
}

export function sortsOf(look: Look, address: ListAddress): Record<'Order', Sort> {
  return {
    Order: {
      direction: look.order === 'newest' ? 'descending' : 'ascending',
      change: () => address.look({ order: look.order === 'newest' ? 'oldest' : null }),
    },
  }
}

export function useAnimalNames(environment: Environment, orders: readonly Order[] | undefined): AnimalNames {
  const { slug } = useProject()
  const ids = new Map(orders?.map(({ petId }) => [String(petId), petId]))
  const { data } = useQuery(petsByIdQuery(slug, environment, [...ids.values()]))
  return useMemo(() => data && new Map(data.items.map(({ id, name }) => [String(id), name])), [data])
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
