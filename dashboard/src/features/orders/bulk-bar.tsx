import { ActionBar, Button, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useRef, useState } from 'react'
import type { Order } from '../../api/orders.ts'
import type { Environment } from '../../api/projects.ts'
import { countText } from '../../parts/count-text.ts'
import { exportRows } from '../../parts/export-rows.ts'
import { ExportMenu } from '../../parts/export-menu.tsx'
import { mayEdit, useProject } from '../projects/project-context.ts'
import { type End, END_VERBS, EndOrders } from './end-orders.tsx'
import { ORDER_COLUMNS } from './export-columns.ts'

interface BulkBarProps {
  environment: Environment
  orders: readonly Order[]
  animalOf(order: Order): string
  clear(): void
}

/** What can be done to all orders that are chosen. */
export default function BulkBar({ environment, orders, animalOf, clear }: BulkBarProps) {
  const project = useProject()
  const [as, setAs] = useState<End>('completed')
  const [asking, { open, close }] = useDisclosure(false)
  const openers = { completed: useRef<HTMLButtonElement>(null), cancelled: useRef<HTMLButtonElement>(null) }
  const placed = orders.filter(({ status }) => status === 'placed')
  return (
    <>
      <ActionBar
        opened={orders.length > 0}
        onClose={clear}
        aria-label="Selected orders"
        withinPortal={false}
        className="bulk-bar"
      >
        <Text size="sm" fw={600} className="number" role="status">
          {countText(orders.length, 'order')} selected
        </Text>
        <ActionBar.Divider />
        {mayEdit(project) &&
          (Object.keys(END_VERBS) as End[]).map((end) => (
            <Button
              key={end}
              ref={openers[end]}
              variant="default"
              size="xs"
              disabled={placed.length === 0}
              onClick={() => {
                setAs(end)
                open()
              }}
            >
              {END_VERBS[end].verb} ({placed.length})…
            </Button>
          ))}
        <ExportMenu
          label="Export"
          variant="default"
          size="xs"
          choose={(format) => exportRows(`orders-${environment}`, format, ORDER_COLUMNS, orders)}
        />
        <ActionBar.CloseButton aria-label="Clear the selection" />
      </ActionBar>
      <EndOrders
        environment={environment}
        orders={placed}
        as={as}
        animalOf={animalOf}
        opened={asking}
        close={close}
        opener={openers[as]}
        ended={clear}
      />
    </>
  )
}
