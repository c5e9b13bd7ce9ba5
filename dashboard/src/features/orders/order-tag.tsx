import type { OrderStatus } from '../../api/orders.ts'
import { Tag, type Tone } from '../../parts/tag.tsx'

const TONES: Record<OrderStatus, Tone> = { placed: 'blue', completed: 'green', cancelled: 'plain' }

export function OrderTag({ status, busy = false }: { status: OrderStatus; busy?: boolean }) {
  return (
    <Tag tone={TONES[status]} dot busy={busy}>
      {status}
    </Tag>
  )
}
