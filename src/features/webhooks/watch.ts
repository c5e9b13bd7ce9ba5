import { type Clock, SECOND_MS } from '../../platform/clock.ts'
import { findDueSubscribers } from '../../platform/outbox/messages.ts'
import { defineWrite, type Storage } from '../../platform/storage/storage.ts'
import type { Db } from '../../platform/storage/tables.ts'
import { findDueTimes, scheduleWork } from '../../platform/work/lease.ts'
import { findEndpoint } from './queries.ts'

/** Subjects are ids of endpoints. */
export const WEBHOOK_QUEUE = 'webhooks'

const LOOK_MS = SECOND_MS / 2
const PAUSE_MAX_MS = 30 * SECOND_MS

interface WatchNeeds {
  storage: Storage
  clock: Clock
  /** Nothing is sent for such a project; what waits goes out when it is let go on. */
  isSuspended(projectId: number): boolean
  /** Called when there is something to do. */
  wake(): void
  onError(error: unknown): void
}

const schedule = defineWrite(
  'webhooks.schedule',
  async (db, { endpoints, now }: { endpoints: readonly string[]; now: number }, engine) => {
    for (const subject of endpoints) await scheduleWork(db, engine, { queue: WEBHOOK_QUEUE, subject, dueAt: now, now })
  },
)

/**
 * Finds the endpoints that have something due, twice a second, and asks for them to be worked on. Looking costs a write
 * of an animal nothing: to announce each message would make all writes of a project wait for one row.
 */
export class WebhookWatch implements AsyncDisposable {
  readonly #needs: WatchNeeds
  readonly #stop = new AbortController()
  #running: Promise<void> | undefined

  constructor(needs: WatchNeeds) {
    this.#needs = needs
  }

  start(): void {
    this.#running ??= this.#run()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort()
    await this.#running
  }

  async #run(): Promise<void> {
    const { clock, onError } = this.#needs
    let pauseMs = LOOK_MS
    while (!this.#stop.signal.aborted) {
      try {
        await scheduleDue(this.#needs)
        pauseMs = LOOK_MS
      } catch (error) {
        onError(error)
        pauseMs = Math.min(2 * pauseMs, PAUSE_MAX_MS)
      }
      await clock.sleep(pauseMs, this.#stop.signal)
    }
  }
}

/** When an endpoint gets something again that has asked for a pause, or is looked at for another reason. */
export const findRestUntil = async (db: Db, id: string): Promise<number> =>
  (await findDueTimes(db, WEBHOOK_QUEUE, [id])).get(id) ?? 0

async function scheduleDue({ storage, clock, isSuspended, wake }: WatchNeeds): Promise<void> {
  const now = clock.now()
  const due = await findDueSubscribers(storage.read, now)
  if (due.length === 0) return
  const known = await findDueTimes(storage.read, WEBHOOK_QUEUE, due)
  const endpoints: string[] = []
  for (const id of due) {
    // Somebody is at it, or it waits: its receiver has asked for that, or it failed in a way that nobody expected.
    if (known.has(id)) continue
    const endpoint = await findEndpoint(storage.read, id)
    // A command line that listens fetches its messages itself; what was under way to one that is off may be due again.
    if (!endpoint?.url || endpoint.off_at !== null || isSuspended(endpoint.project_id)) continue
    endpoints.push(id)
  }
  if (endpoints.length === 0) return
  await storage.write(schedule, { endpoints, now })
  wake()
}
