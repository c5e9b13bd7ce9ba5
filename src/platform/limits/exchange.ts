import { hash } from 'node:crypto'
import { type Clock, MINUTE_MS } from '../clock.ts'
import type { Log } from '../log.ts'
import type { Storage } from '../storage/storage.ts'
import { beginTelling, type Bucket, type Budget, isUrgent, notTold, TELL_EVERY_MS, told } from './bucket.ts'
import { chargeBuckets, databaseNow as databasesOwn, sweepLevels } from './levels.ts'

interface ExchangeNeeds {
  storage: Storage
  clock: Clock
  log: Pick<Log, 'warn'>
}

/** Between two tellings, however urgent. */
const PAUSE_MS = 50
/** Those that changed most: what a telling costs does not grow with the keys. */
const TOLD_MAX = 100

/**
 * Lets all workers of all instances keep to one limit without asking for each request. What they use they count
 * themselves, and tell it a few times a second in one statement, which answers what is left for all of them. Whatever
 * two have used at the same time, before they could know, is missing afterwards: the rate holds over time. While the
 * database cannot be told, each worker keeps to the limits by itself.
 */
export class LimitExchange implements AsyncDisposable {
  readonly #needs: ExchangeNeeds
  readonly #databaseNow: typeof databasesOwn
  readonly #stop = new AbortController()
  #untold = new Set<Bucket>()
  #hurry = new AbortController()
  #running: Promise<void> | undefined
  #sweptAt: number
  #failing = false

  constructor(needs: ExchangeNeeds, databaseNow = databasesOwn) {
    this.#needs = needs
    this.#databaseNow = databaseNow
    this.#sweptAt = needs.clock.now()
  }

  /** On every request: says that something of the bucket was used. */
  used(bucket: Bucket): void {
    this.#untold.add(bucket)
    if (isUrgent(bucket)) this.#hurry.abort()
  }

  start(): void {
    this.#running = this.#run()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort()
    this.#hurry.abort()
    await this.#running
  }

  async #run(): Promise<void> {
    const { clock } = this.#needs
    while (!this.#stop.signal.aborted) {
      await clock.sleep(TELL_EVERY_MS, this.#hurry.signal)
      this.#hurry = new AbortController()
      if (this.#untold.size > 0) await this.tell(mostUsed(this.#untold))
      // Also when the clock was set back.
      if (Math.abs(clock.now() - this.#sweptAt) > MINUTE_MS) await this.#sweep()
      await clock.sleep(PAUSE_MS, this.#stop.signal)
    }
  }

  /** Once it resolves the buckets hold what is left for all, unless the database is away. */
  async tell(buckets: readonly Bucket[]): Promise<void> {
    const { storage, clock, log } = this.#needs
    const uses = buckets.map((bucket) => {
      this.#untold.delete(bucket)
      const { name, budget } = bucket
      const used = beginTelling(bucket)
      const ms = used * budget.refillMs
      return { bucket, used, charge: { bucket: hash('sha256', name, 'base64url'), ms, mostMs: mostMissingMs(budget) } }
    })
    try {
      const charges = uses.map(({ charge }) => charge)
      const untilFull = await storage.write(chargeBuckets, { charges, databaseNow: this.#databaseNow })
      for (const { bucket, used, charge } of uses) {
        const { burst, refillMs } = bucket.budget
        const missing = (untilFull.get(charge.bucket) ?? 0) / refillMs
        told(bucket, used, Math.min(burst, burst - missing), clock.now())
      }
      this.#failing = false
    } catch (error) {
      for (const { bucket, used } of uses) {
        notTold(bucket, used, clock.now())
        this.#untold.add(bucket)
      }
      if (!this.#failing) log.warn({ err: error }, 'limits are not shared until the database answers')
      this.#failing = true
    }
  }

  async #sweep(): Promise<void> {
    const { storage, clock } = this.#needs
    this.#sweptAt = clock.now()
    // What is left is taken away a minute later, by this worker or another.
    await storage.write(sweepLevels, this.#databaseNow).catch(() => {})
  }
}

/** Used up twice, and a minute for what thirty workers admit in the same instant, of those that are whole in 2 s. */
const mostMissingMs = ({ burst, refillMs }: Budget) => 2 * burst * refillMs + MINUTE_MS

function mostUsed(untold: ReadonlySet<Bucket>): Bucket[] {
  const share = ({ untold: used, telling, budget }: Bucket) => Math.abs(used - telling) / budget.burst
  return [...untold].toSorted((a, b) => share(b) - share(a)).slice(0, TOLD_MAX)
}
