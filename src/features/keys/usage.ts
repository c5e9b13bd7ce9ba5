import { HOUR_MS, type Clock } from '../../platform/clock.ts'
import type { Caller } from '../../platform/http/operation.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import { addUsage, type UsageRow } from './writes.ts'

const FLUSH_MS = 5000

/**
 * Who called what, counted in memory and added to the database every five seconds: last used, the chart of
 * requests, and which keys still call a deprecated operation all read these rows. A crash loses the last
 * few seconds of counts and nothing else.
 */
export class UsageCounter implements AsyncDisposable {
  readonly #storage: Storage
  readonly #clock: Clock
  readonly #stop = new AbortController()
  /** By the caller object, which lives as long as its key is known: finding a row costs no text to build. */
  #rows = new Map<Caller, Map<string, UsageRow>>()
  #hour = 0
  #running: Promise<void> | undefined
  #writing: Promise<void> = Promise.resolve()

  constructor(storage: Storage, clock: Clock) {
    this.#storage = storage
    this.#clock = clock
  }

  count(caller: Caller, operation: string, failed: boolean): void {
    const now = this.#clock.now()
    if (now < this.#hour || now >= this.#hour + HOUR_MS) void this.flush().catch(() => {})
    let rows = this.#rows.get(caller)
    if (!rows) this.#rows.set(caller, (rows = new Map()))
    let row = rows.get(operation)
    if (!row) {
      this.#hour = now - (now % HOUR_MS)
      const { keyId: key_id, projectId: project_id, environment } = caller
      row = { key_id, project_id, environment, operation, hour: this.#hour, calls: 0, failures: 0, last_at: now }
      rows.set(operation, row)
    }
    row.calls++
    if (failed) row.failures++
    row.last_at = now
  }

  start(): void {
    this.#running = this.#loop()
  }

  /** Resolves when everything counted so far is stored, also what another caller is storing just now. */
  flush(): Promise<void> {
    const rows = [...this.#rows.values()].flatMap((byOperation) => [...byOperation.values()])
    const earlier = this.#writing.catch(() => {})
    if (rows.length === 0) return earlier
    this.#rows = new Map()
    this.#writing = earlier.then(() => this.#storage.write(addUsage, rows))
    return this.#writing
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort()
    await this.#running
    await this.flush().catch(() => {})
  }

  async #loop(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      await this.#clock.sleep(FLUSH_MS, this.#stop.signal)
      // Counts are worth less than requests: what cannot be written is dropped.
      await this.flush().catch(() => {})
    }
  }
}
