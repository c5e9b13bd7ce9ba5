import { messageOf } from '../api/platform.ts'
import { PetstoreError } from '../../../client/src/platform/platform.ts'

export interface EachOutcome<Item> {
  done: Item[]
  failed: { item: Item; why: string }[]
}

/** A few at a time: quick enough, and others find places too. */
const AT_ONCE = 4
const WAITS_MAX = 40

interface EachOptions {
  progress?(done: number): void
  /** Aborted, it lets the rest be; what has been sent is done. */
  stop?: AbortSignal
}

/** Does the same to every one, and goes on where one is refused. A project's share of changes may make it wait. */
export async function each<Item>(
  items: readonly Item[],
  change: (item: Item) => Promise<unknown>,
  { progress, stop }: EachOptions = {},
): Promise<EachOutcome<Item>> {
  const outcome: EachOutcome<Item> = { done: [], failed: [] }
  const waiting = [...items]
  const work = async () => {
    for (let item = waiting.shift(); item !== undefined && !stop?.aborted; item = waiting.shift()) {
      try {
        await patiently(() => change(item as Item), stop)
        outcome.done.push(item)
      } catch (error) {
        outcome.failed.push({ item, why: messageOf(error) })
      }
      progress?.(outcome.done.length + outcome.failed.length)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return outcome
}

async function patiently(send: () => Promise<unknown>, stop: AbortSignal | undefined, waits = 0): Promise<void> {
  try {
    await send()
  } catch (error) {
    const seconds = error instanceof PetstoreError && error.status === 429 ? error.retryAfterSeconds : undefined
    if (seconds === undefined || waits >= WAITS_MAX || stop?.aborted) throw error
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000))
    if (stop?.aborted) throw error
    await patiently(send, stop, waits + 1)
  }
}
