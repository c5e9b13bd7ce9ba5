import { messageOf } from '../api/platform.ts'
import { PetstoreError } from '../../../client/src/platform/platform.ts'

export interface EachOutcome<Item> {
  done: Item[]
  failed: { item: Item; why: string }[]
  /** Those that it was stopped before. */
  left: Item[]
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
  const outcome: EachOutcome<Item> = { done: [], failed: [], left: [...items] }
  const { done, failed, left } = outcome
  const work = async () => {
    while (left.length > 0 && !stop?.aborted) {
      const item = left.shift() as Item
      try {
        await patiently(() => change(item), stop)
        done.push(item)
      } catch (error) {
        if (stop?.aborted && waitOf(error) !== undefined) left.push(item)
        else failed.push({ item, why: messageOf(error) })
      }
      progress?.(done.length + failed.length)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  return outcome
}

async function patiently(send: () => Promise<unknown>, stop: AbortSignal | undefined, waits = 0): Promise<void> {
  try {
    await send()
  } catch (error) {
    const seconds = waitOf(error)
    if (seconds === undefined || waits >= WAITS_MAX || stop?.aborted) throw error
    await new Promise<unknown>((resolve) => {
      setTimeout(resolve, seconds * 1000)
      stop?.addEventListener('abort', resolve)
    })
    if (stop?.aborted) throw error
    await patiently(send, stop, waits + 1)
  }
}

/** The seconds that the service asks to wait, where it has not even looked at it. */
const waitOf = (error: unknown) =>
  error instanceof PetstoreError && error.status === 429 ? error.retryAfterSeconds : undefined
