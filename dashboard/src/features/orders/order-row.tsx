import { ActionIcon, Menu, Table } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation } from '@tanstack/react-query'
import { IconCheck, IconDots, IconX } from '@tabler/icons-react'
import { messageOf } from '../../api/api-error.ts'
import { endOrder, type Order, type OrderStatus } from '../../api/orders.ts'
import type { Environment } from '../../api/projects.ts'
import { Tag, type Tone } from '../../parts/tag.tsx'
import { TimeAgo } from '../../parts/time.tsx'
import { queryClient } from '../../query-client.ts'
import { mayEdit, useProject } from '../projects/project-context.ts'

const TONES: Record<OrderStatus, Tone> = { placed: 'blue', completed: 'green', cancelled: 'plain' }

export function OrderRow({ order, environment }: { order: Order; environment: Environment }) {
  const project = useProject()
  const end = useMutation({
    mutationFn: (status: 'completed' | 'cancelled') => endOrder(project.slug, environment, order.id, status),
    onSuccess: ({ status }) => {
      const animal = status === 'completed' ? 'sold' : 'available again'
      notifications.show({ message: `Order ${order.id} is ${status}, and animal ${order.petId} is ${animal}.` })
    },
    onError: (error) =>
      notifications.show({ color: 'red', title: 'The order was not changed', message: messageOf(error) }),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ['projects', project.slug] }),
  })
  const isOpen = order.status === 'placed' && mayEdit(project)
  return (
    <Table.Tr>
      <Table.Td className="mono">{String(order.id)}</Table.Td>
      <Table.Td className="mono">{String(order.petId)}</Table.Td>
      <Table.Td>
        <Tag tone={TONES[order.status]} dot busy={end.isPending}>
          {order.status}
        </Tag>
      </Table.Td>
      <Table.Td className="only-wide">
        <TimeAgo at={order.placedAt} />
      </Table.Td>
      <Table.Td className="only-wide">{order.endedAt === undefined ? '–' : <TimeAgo at={order.endedAt} />}</Table.Td>
      <Table.Td ta="right">
        {isOpen && (
          <Menu>
            <Menu.Target>
              <ActionIcon variant="subtle" color="gray" aria-label={`Actions for order ${order.id}`}>
                <IconDots size={18} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              <Menu.Item leftSection={<IconCheck size={16} />} onClick={() => end.mutate('completed')}>
                Complete: the animal is sold
              </Menu.Item>
              <Menu.Item leftSection={<IconX size={16} />} onClick={() => end.mutate('cancelled')}>
                Cancel: the animal is free again
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        )}
      </Table.Td>
    </Table.Tr>
  )
}
