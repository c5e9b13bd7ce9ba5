import { notifications } from '@mantine/notifications'
import { Button, Group, Stack, Text } from '@mantine/core'
import { endOrder, type Order } from '../../api/orders.ts'
import type { Environment } from '../../api/projects.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { countText } from '../../parts/count-text.ts'
import { each, type EachOutcome } from '../../parts/each.ts'
import type { Opener } from '../../parts/give-back-focus.ts'
import { queryClient } from '../../query-client.ts'
import { useProject } from '../projects/project-context.ts'

export type End = 'completed' | 'cancelled'

export const END_VERBS: Record<End, { verb: string; effect: string }> = {
  completed: { verb: 'Complete', effect: 'sold' },
  cancelled: { verb: 'Cancel', effect: 'available again' },
}

interface EndOrdersProps {
  environment: Environment
  orders: readonly Order[]
  as: End
  /** The animal of an order, in words. */
  animalOf(order: Order): string
  opened: boolean
  close(): void
  opener?: Opener
  ended?(): void
}

/** Asks first: an order that has ended stays so. */
export function EndOrders({ environment, orders, as, animalOf, opened, close, opener, ended }: EndOrdersProps) {
  const { slug } = useProject()
  const { verb, effect } = END_VERBS[as]
  const [only] = orders
  const isOne = orders.length === 1 && only !== undefined
  return (
    <Confirm
      opened={opened}
      close={close}
      {...(opener ? { opener } : {})}
      dangerous={as === 'cancelled'}
      title={`${verb} ${isOne ? `order ${only.id}` : countText(orders.length, 'order')} in ${environment}?`}
      subject={`${as} ${orders.map(({ id }) => id).join()}`}
      action={isOne ? `${verb} the order` : `${verb} the orders`}
      leave={isOne ? 'Close' : 'Stop'}
      send={(_, stop) => each(orders, ({ id }) => endOrder(slug, environment, id, as), { stop })}
      sent={async ({ done, failed, left }, _, { aborted: isStopped }) => {
        await queryClient.invalidateQueries({ queryKey: ['projects', slug] })
        const rest = left.length > 0 ? ` ${countText(left.length, 'other')} stayed as before.` : ''
        if (done.length === 1 && done[0]) {
          const [order] = done
          notifications.show({ message: `Order ${order.id} is ${as}, and ${animalOf(order)} is ${effect}.${rest}` })
        } else if (done.length > 0) {
          notifications.show({ message: `${countText(done.length, 'order')} ${as}; the animals are ${effect}.${rest}` })
        } else if (left.length > 0) {
          notifications.show({ message: `No order ${as}: ${countText(left.length, 'order')} stayed as before.` })
        }
        if (isStopped && failed.length > 0) notifications.show(refusalOf(failed))
        if (failed.length + left.length === 0) ended?.()
      }}
      outcome={({ failed }) =>
        failed.length === 0 ? null : (
          <Stack>
            <Text size="sm">{refusalOf(failed).title}:</Text>
            {refusalOf(failed).message}
            <Group justify="flex-end">
              <Button onClick={close}>Close</Button>
            </Group>
          </Stack>
        )
      }
    >
      <p>
        {isOne ? `${animalOf(only)} is then ${effect}.` : `Their animals are then ${effect}.`} This cannot be taken
        back: an order that has ended stays so.
      </p>
    </Confirm>
  )
}

const NAMED_MAX = 5

/** Which ones, and why; the first of many. */
const refusalOf = (failed: EachOutcome<Order>['failed']) => ({
  color: 'red',
  autoClose: false as const,
  title: `${countText(failed.length, 'order')} could not be ended`,
  message: (
    <ul className="refused">
      {failed.slice(0, NAMED_MAX).map(({ item, why }) => (
        <li key={String(item.id)}>
          Order {String(item.id)}: {why}
        </li>
      ))}
      {failed.length > NAMED_MAX && <li>and {countText(failed.length - NAMED_MAX, 'order')} more</li>}
    </ul>
  ),
})
