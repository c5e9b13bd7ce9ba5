import { randomUUID } from 'node:crypto'
import { CompiledQuery, Kysely, PostgresDialect } from 'kysely'
import { unavailable } from '../../errors.ts'
import { BatchQueue } from '../batch-queue.ts'
import { askDirectly } from '../prepared.ts'
import { type PoolOptions, WritablePool } from './pool.ts'
import { IDLE_TRANSACTION_ENDED, LOCK_NOT_AVAILABLE, NOT_PREPARED, sqlStateOf } from './trouble.ts'
import type { Storage, Write } from '../storage.ts'
import type { Db } from '../tables.ts'

/**
 * Serialisation failure, deadlock, a lock that was not to be had in time, stopped for too long: the statement or the
 * transaction did nothing and may simply run again.
 */
const RUN_AGAIN = new Set(['40001', '40P01', LOCK_NOT_AVAILABLE, IDLE_TRANSACTION_ENDED])
/** For a lock that others keep these are 5 s. */
const TRIES_MAX = 7
/** A lane waits for no lock: who needs one, and who is behind them with the same statement, waits in the pool. */
const READ_IN_POOL = new Set([LOCK_NOT_AVAILABLE, NOT_PREPARED])
const PENDING_MAX = 20_000

export interface PostgresStorage extends Storage {
  readonly engine: 'postgres'
  readonly pool: WritablePool
}

export async function openPostgresStorage(
  url: string,
  onError: (error: Error) => void,
  options: PoolOptions = {},
): Promise<PostgresStorage> {
  const pool = new WritablePool(url, onError, options)
  const db: Db = new Kysely({ dialect: new PostgresDialect({ pool }) })
  const readFromPool = async (text: string, values: unknown[]) =>
    (await runAgain(() => db.executeQuery(CompiledQuery.raw(text, values)))).rows
  askDirectly(db, (text) => (values) => {
    const found = pool.lanes?.read(text, values)
    if (found === undefined) return readFromPool(text, values)
    return found.catch((error: unknown) => {
      if (!READ_IN_POOL.has(sqlStateOf(error) ?? '')) throw error
      return readFromPool(text, values)
    })
  })
  const batches = new Map<string, BatchQueue>()
  let pending = 0

  const transact = <T>(work: (tx: Db) => Promise<T>) => runAgain(() => db.transaction().execute(work))

  return {
    engine: 'postgres',
    instance: randomUUID(),
    pool,
    read: db,

    async write<Input, Outcome>(write: Write<Input, Outcome>, input: Input): Promise<Outcome> {
      if (pending >= PENDING_MAX) {
        throw unavailable('Too many writes are waiting for the database. Nothing was changed: send the request again.')
      }
      pending++
      try {
        const { runMany, oneStatement } = write
        if (!runMany) return await transact((tx) => write.run(tx, input, 'postgres'))
        let queue = batches.get(write.name)
        if (!queue) {
          const send = (on: Db, inputs: unknown[]) => runMany(on, inputs as Input[], 'postgres')
          queue = new BatchQueue((inputs) =>
            oneStatement ? runAgain(() => send(db, inputs)) : transact((tx) => send(tx, inputs)),
          )
          batches.set(write.name, queue)
        }
        return (await queue.add(input)) as Outcome
      } finally {
        pending--
      }
    },

    version: () => undefined,
    versionOf: () => undefined,

    async [Symbol.asyncDispose]() {
      await db.destroy()
    },
  }
}

async function runAgain<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await work()
    } catch (error) {
      if (!RUN_AGAIN.has(sqlStateOf(error) ?? '') || tries === TRIES_MAX) throw error
    }
  }
}
