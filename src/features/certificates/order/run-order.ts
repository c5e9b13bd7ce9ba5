import type { Clock } from '../../../platform/clock.ts'
import type { Advance, IssuanceOrder, Issuer } from '../issuer.ts'

interface OrderRun {
  issuer: Issuer
  clock: Clock
  /** Stores the record; when it throws, the order is not advanced any further. */
  save: (order: IssuanceOrder) => Promise<void>
}

export type OrderEnd = Exclude<Advance, { result: 'moved' }>

/**
 * Advances an order until it is issued, failed or stalled, and stores it after every step. Gives up with `waiting`
 * at the deadline or when the signal aborts; calling again later goes on from the stored record.
 */
export async function runOrder(
  { issuer, clock, save }: OrderRun,
  order: IssuanceOrder,
  { patienceMs, signal }: { patienceMs: number; signal?: AbortSignal },
): Promise<OrderEnd> {
  const deadline = clock.now() + patienceMs
  let current = order
  for (;;) {
    const outcome = await issuer.advance(current, signal)
    if (outcome.order !== current) await save(outcome.order)
    current = outcome.order
    if (outcome.result !== 'moved' && outcome.result !== 'waiting') return outcome
    const waitMs = outcome.result === 'waiting' ? outcome.waitMs : 0
    if (signal?.aborted || clock.now() + waitMs > deadline) return { result: 'waiting', order: current, waitMs }
    if (waitMs > 0) await clock.sleep(waitMs, signal)
  }
}
