import { randomUUID } from 'node:crypto'
import { CompiledQuery, Kysely, PostgresDialect } from 'kysely'
import { NothingChanged } from '../../errors.ts'
import { BatchQueue } from '../batch-queue.ts'
import { askDirectly } from '../prepared.ts'
import { type PoolOptions, WritablePool } from './pool.ts'
import { AFTER_TRANSACTION, runAgain } from './run-again.ts'
import { LOCK_NOT_AVAILABLE, NOT_PREPARED, sqlStateOf } from './trouble.ts'
import type { Storage, Write } from '../storage.ts'
import type { Db } from '../tables.ts'

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
    (await db.executeQuery(CompiledQuery.raw(text, values))).rows
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

  const transact = <T>(work: (tx: Db) => Promise<T>) =>
    runAgain(AFTER_TRANSACTION, () => db.transaction().execute(work))

  return {
    engine: 'postgres',
    instance: randomUUID(),
    pool,
    read: db,

    async write<Input, Outcome>(write: Write<Input, Outcome>, input: Input): Promise<Outcome> {
      if (pending >= PENDING_MAX) {
        throw new NothingChanged('Too many writes are waiting for the database')
      }
      pending++
      try {
        const { runMany, oneStatement } = write
        if (!runMany) return await transact((tx) => write.run(tx, input, 'postgres'))
        let queue = batches.get(write.name)
        if (!queue) {
          const send = (on: Db, inputs: unknown[]) => runMany(on, inputs as Input[], 'postgres')
          queue = new BatchQueue((inputs) => (oneStatement ? send(db, inputs) : transact((tx) => send(tx, inputs))))
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
