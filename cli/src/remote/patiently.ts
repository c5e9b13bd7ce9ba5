import { PetstoreError } from '../../../client/src/platform/platform.ts'
import type { Clock } from '../line/clock.ts'

/** What a share of the project refuses is sent again when the server says so: nothing was done, long work goes on. */
export async function patiently<Answer>(clock: Clock, send: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    try {
      return await send()
    } catch (error) {
      const { cause } = error as Error
      if (!(cause instanceof PetstoreError) || cause.status !== 429) throw error
      await clock.sleep((cause.retryAfterSeconds ?? 1) * 1000)
    }
  }
}
