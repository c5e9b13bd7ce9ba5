import { Kysely, PostgresDialect } from 'kysely'
import { unavailable } from '../errors.ts'
import { WritablePool } from './postgres-pool.ts'
import type { Storage, Write } from './storage.ts'
import type { Db } from './tables.ts'

/** Serialisation failure and deadlock: the transaction did nothing and may simply run again. */
const RUN_AGAIN = new Set(['40001', '40P01'])
const TRIES_MAX = 5
const BATCH_MAX = 200
/** One batch of a write on the wire and one gathering behind it keep both sides busy. */
const BATCHES_IN_FLIGHT_MAX = 2
const PENDING_MAX = 20_000

export interface PostgresStorage extends Storage {
  readonly engine: 'postgres'
  readonly pool: WritablePool
}

export async function openPostgresStorage(url: string, onError: (error: Error) => void): Promise<PostgresStorage> {
  const pool = new WritablePool(url, onError)
  const db: Db = new Kysely({ dialect: new PostgresDialect({ pool }) })
  const batches = new Map<string, BatchQueue>()
  let pending = 0

  const transact = async <T>(work: (tx: Db) => Promise<T>): Promise<T> => {
    for (let tries = 1; ; tries++) {
      try {
        return await db.transaction().execute(work)
      } catch (error) {
        const { code } = error as { code?: string }
        if (!code || !RUN_AGAIN.has(code) || tries === TRIES_MAX) throw error
      }
    }
  }

  return {
    engine: 'postgres',
    pool,
    read: db,

    async write<Input, Outcome>(write: Write<Input, Outcome>, input: Input): Promise<Outcome> {
      if (pending >= PENDING_MAX) {
        throw unavailable('Too many writes are waiting for the database. Nothing was changed: send the request again.')
      }
      pending++
      try {
        const { runMany } = write
        if (!runMany) return await transact((tx) => write.run(tx, input, 'postgres'))
        let queue = batches.get(write.name)
        if (!queue) {
          queue = new BatchQueue((inputs) => transact((tx) => runMany(tx, inputs as Input[], 'postgres')))
          batches.set(write.name, queue)
        }
        return (await queue.add(input)) as Outcome
      } finally {
        pending--
      }
    },

    version: () => undefined,

    async [Symbol.asyncDispose]() {
      await db.destroy()
    },
  }
}

/** Gathers inputs while earlier batches are under way, so that the load itself sets the batch's size. */
class BatchQueue {
  readonly #run: (inputs: unknown[]) => Promise<unknown[]>
  #waiting: { input: unknown; resolve(outcome: unknown): void; reject(error: unknown): void }[] = []
  #inFlight = 0
  #scheduled = false

  constructor(run: (inputs: unknown[]) => Promise<unknown[]>) {
    this.#run = run
  }

  add(input: unknown): Promise<unknown> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ input, resolve, reject })
      if (this.#scheduled) return
      this.#scheduled = true
      setImmediate(() => {
        this.#scheduled = false
        void this.#flush()
      })
    })
  }

  async #flush(): Promise<void> {
    if (this.#inFlight >= BATCHES_IN_FLIGHT_MAX || this.#waiting.length === 0) return
    const batch = this.#waiting.splice(0, BATCH_MAX)
    this.#inFlight++
    try {
      const outcomes = await this.#run(batch.map((waiting) => waiting.input))
      for (const [index, waiting] of batch.entries()) waiting.resolve(outcomes[index])
    } catch (error) {
      for (const waiting of batch) waiting.reject(error)
    } finally {
      this.#inFlight--
      void this.#flush()
    }
  }
}
