import { type Clock, HOUR_MS, MINUTE_MS } from '../../platform/clock.ts'
import type { ErrorCode } from '../../platform/errors.ts'
import type { Caller } from '../../platform/http/operation.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import { bucketOf, BUCKETS } from './latency.ts'
import { addCounts, addFailed, type CountRow, type FailedRow } from './writes.ts'

const FLUSH_MS = 10_000
/** A transaction of a few milliseconds. */
const ROWS_AT_ONCE = 100
/** More of one project are never shown. */
export const FAILED_KEPT = 200
/** Of all projects together, between two flushes: some 4 MB. */
const FAILED_PENDING_MAX = 20_000

interface Counts {
  calls: number
  failures: number
  readonly buckets: Uint32Array
}

type Failed = Omit<FailedRow, 'project_id' | 'environment' | 'key_id'> & { caller: Caller }

/**
 * Requests of one process by key and operation, and visits of sites by host and status: counted in memory, a minute at
 * a time, and added to the database every ten seconds. Counting one costs 0.2 µs (`bench/request-counter.ts`). A crash
 * loses the last few seconds of counts and nothing else.
 */
export class RequestCounter implements AsyncDisposable {
  readonly #storage: Storage
  readonly #clock: Clock
  readonly #stop = new AbortController()
  /** By the caller object, which lives as long as its key is remembered: finding a row costs no text to build. */
  #calls = new Map<Caller, Map<string, Counts>>()
  #visits = new Map<number, Map<string, Map<number, Counts>>>()
  /** By tenant, so that nobody's failures take the places of others; a new one takes that of the tenant's oldest. */
  #failed = new Map<string, { rows: Failed[]; next: number }>()
  #failures = 0
  #minute = 0
  /** Visits since the beginning, and of these the ones that failed on our side. */
  readonly visited = { requests: 0, errors: 0 }
  #running: Promise<void> | undefined
  #writing: Promise<void> = Promise.resolve()

  constructor(storage: Storage, clock: Clock) {
    this.#storage = storage
    this.#clock = clock
  }

  call(caller: Caller, operation: string, isFailed: boolean, durationMs: number): void {
    this.#turn()
    let ofCaller = this.#calls.get(caller)
    if (!ofCaller) this.#calls.set(caller, (ofCaller = new Map()))
    let counts = ofCaller.get(operation)
    if (!counts) ofCaller.set(operation, (counts = none()))
    add(counts, isFailed, durationMs)
  }

  visit(projectId: number, host: string, status: number, durationMs: number): void {
    this.#turn()
    let ofProject = this.#visits.get(projectId)
    if (!ofProject) this.#visits.set(projectId, (ofProject = new Map()))
    let ofHost = ofProject.get(host)
    if (!ofHost) ofProject.set(host, (ofHost = new Map()))
    let counts = ofHost.get(status)
    if (!counts) ofHost.set(status, (counts = none()))
    add(counts, status >= 400, durationMs)
    this.visited.requests++
    if (status >= 500) this.visited.errors++
  }

  /** What a caller can be told later of a request that failed: neither what was sent nor what was said. */
  failed(caller: Caller, operation: string, status: number, code: ErrorCode, request_id: string): void {
    if (this.#failures >= FAILED_PENDING_MAX) return
    let own = this.#failed.get(caller.tenant)
    if (!own) this.#failed.set(caller.tenant, (own = { rows: [], next: 0 }))
    if (own.rows.length < FAILED_KEPT) this.#failures++
    own.rows[own.next % FAILED_KEPT] = { caller, at: this.#clock.now(), operation, status, code, request_id }
    own.next++
  }

  start(): void {
    this.#running = this.#loop()
  }

  /** Resolves when everything counted so far is stored, also what another caller is storing just now. */
  flush(): Promise<void> {
    const rows = this.#takeRows()
    const failed = [...this.#failed.values()].map(({ rows: own }) => own)
    this.#failed = new Map()
    this.#failures = 0
    const earlier = this.#writing.catch(() => {})
    if (rows.length === 0 && failed.length === 0) return earlier
    this.#writing = earlier.then(async () => {
      for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
        await this.#storage.write(addCounts, rows.slice(at, at + ROWS_AT_ONCE))
      }
      for (const own of failed) await this.#storage.write(addFailed, { rows: own.map(rowOf), kept: FAILED_KEPT })
    })
    return this.#writing
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort()
    await this.#running
    await this.flush().catch(() => {})
  }

  /** What was counted belongs to its minute. */
  #turn(): void {
    const now = this.#clock.now()
    if (now >= this.#minute && now < this.#minute + MINUTE_MS) return
    void this.flush().catch(() => {})
    this.#minute = now - (now % MINUTE_MS)
  }

  #takeRows(): CountRow[] {
    const rows: CountRow[] = []
    const at = this.#minute
    const times = [
      { step_ms: MINUTE_MS, at },
      { step_ms: HOUR_MS, at: at - (at % HOUR_MS) },
    ]
    for (const [{ keyId: who, projectId: project_id, environment: area }, byOperation] of oncePerKey(this.#calls)) {
      for (const [what, counts] of byOperation) {
        for (const time of times) rows.push({ project_id, area, ...time, who, what, ...columnsOf(counts) })
      }
    }
    for (const [project_id, byHost] of this.#visits) {
      for (const [who, byStatus] of byHost) {
        for (const [status, counts] of byStatus) {
          const what = String(status)
          for (const time of times) rows.push({ project_id, area: 'site', ...time, who, what, ...columnsOf(counts) })
        }
      }
    }
    this.#calls = new Map()
    this.#visits = new Map()
    return rows
  }

  async #loop(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      await this.#clock.sleep(FLUSH_MS, this.#stop.signal)
      // Counts are worth less than requests: what cannot be written is dropped.
      await this.flush().catch(() => {})
    }
  }
}

/** A key that was looked up again is another caller, and has its rows once: PostgreSQL adds to none twice at a time. */
function oncePerKey(calls: ReadonlyMap<Caller, Map<string, Counts>>): Iterable<[Caller, Map<string, Counts>]> {
  const byKey = new Map<string, [Caller, Map<string, Counts>]>()
  for (const [caller, byOperation] of calls) {
    const [, sums] = byKey.get(caller.keyId) ?? []
    if (sums) for (const [what, counts] of byOperation) addTo(sums, what, counts)
    else byKey.set(caller.keyId, [caller, byOperation])
  }
  return byKey.values()
}

function addTo(sums: Map<string, Counts>, what: string, { calls, failures, buckets }: Counts): void {
  let sum = sums.get(what)
  if (!sum) sums.set(what, (sum = none()))
  sum.calls += calls
  sum.failures += failures
  for (const [at, count] of buckets.entries()) sum.buckets[at] = (sum.buckets[at] as number) + count
}

const none = (): Counts => ({ calls: 0, failures: 0, buckets: new Uint32Array(BUCKETS.length) })

function add(counts: Counts, isFailed: boolean, durationMs: number): void {
  counts.calls++
  if (isFailed) counts.failures++
  const bucket = bucketOf(durationMs)
  counts.buckets[bucket] = (counts.buckets[bucket] as number) + 1
}

function columnsOf({ calls, failures, buckets }: Counts) {
  const columns = Object.fromEntries(BUCKETS.map((name, at) => [name, buckets[at]]))
  return { calls, failures, ...columns } as Pick<CountRow, 'calls' | 'failures' | (typeof BUCKETS)[number]>
}

const rowOf = ({ caller: { projectId, environment, keyId }, ...row }: Failed): FailedRow => ({
  project_id: projectId,
  environment,
  key_id: keyId,
  ...row,
})
