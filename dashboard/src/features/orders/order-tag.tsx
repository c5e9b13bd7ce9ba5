import type { OrderStatus } from '../../api/orders.ts'
import { Tag, type Tone } from '../../parts/tag.tsx'

const TONES: Record<OrderStatus, Tone> = { placed: 'blue', completed: 'green', cancelled: 'plain' }

export function OrderTag({ status }: { status: OrderStatus }) {
  return (
    <Tag tone={TONES[status]} dot>
      {status}
    </Tag>
  )
}
