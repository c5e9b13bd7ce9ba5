import { ActionIcon, Menu } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { IconCheck, IconDots, IconX } from '@tabler/icons-react'
import { messageOf } from '../../api/platform.ts'
import { endOrder, type Order, type OrderStatus } from '../../api/orders.ts'
import type { Environment } from '../../api/projects.ts'
import type { Column } from '../../parts/data-table.tsx'
import { Tag, type Tone } from '../../parts/tag.tsx'
import { TimeAgo } from '../../parts/time.tsx'
import { queryClient } from '../../query-client.ts'
import { mayEdit, useProject } from '../projects/project-context.ts'

const TONES: Record<OrderStatus, Tone> = { placed: 'blue', completed: 'green', cancelled: 'plain' }

/** Open orders can be ended in their row. */
export function useOrderColumns(environment: Environment): Column<Order>[] {
  const project = useProject()
  const end = useMutation({
    mutationFn: ({ order: { id }, as }: { order: Order; as: 'completed' | 'cancelled' }) =>
      endOrder(project.slug, environment, id, as),
    onSuccess: ({ status }, { order }) => {
      const animal = status === 'completed' ? 'sold' : 'available again'
      notifications.show({ message: `Order ${order.id} is ${status}, and animal ${order.petId} is ${animal}.` })
    },
    onError: (error) =>
      notifications.show({ color: 'red', title: 'The order was not changed', message: messageOf(error) }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['projects', project.slug] }),
  })
  // A column for every field of the contract: a forgotten one does not compile.
  const fields: Record<keyof Order, Column<Order>> = {
    id: { head: 'Order', className: 'mono wrap-anywhere', cell: ({ id }) => String(id) },
    petId: { head: 'Animal', className: 'mono wrap-anywhere', cell: ({ petId }) => String(petId) },
    status: {
      head: 'Status',
      cell: ({ id, status }) => (
        <Tag tone={TONES[status]} dot busy={end.isPending && end.variables.order.id === id}>
          {status}
        </Tag>
      ),
    },
    placedAt: { head: 'Placed', onlyWide: true, cell: ({ placedAt }) => <TimeAgo at={placedAt} /> },
    endedAt: {
      head: 'Ended',
      onlyWide: true,
      cell: ({ endedAt }) => (endedAt === undefined ? '–' : <TimeAgo at={endedAt} />),
    },
  }
  return [
    ...Object.values(fields),
    {
      ta: 'right',
      cell: (order) =>
        order.status === 'placed' &&
        mayEdit(project) && (
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
    },
  ]
}
