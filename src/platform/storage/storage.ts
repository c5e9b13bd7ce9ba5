import type { Db, Engine } from './tables.ts'

/**
 * One transaction as a named function of its input: it touches nothing but the database, time and randomness
 * come in with the input, and it may be run again after a rollback. SQLite lets writes that wait share a
 * commit; PostgreSQL runs each on a pooled connection.
 */
export interface Write<Input, Outcome> {
  readonly name: string
  run(db: Db, input: Input, engine: Engine): Promise<Outcome>
  /** Several inputs at once, for hot writes: every statement is a round trip to another thread or server. */
  runMany?(db: Db, inputs: Input[], engine: Engine): Promise<Outcome[]>
}

export function defineWrite<Input, Outcome>(
  name: string,
  run: Write<Input, Outcome>['run'],
  runMany?: Write<Input, Outcome>['runMany'],
): Write<Input, Outcome> {
  return runMany ? { name, run, runMany } : { name, run }
}

// oxlint-disable-next-line typescript/no-explicit-any -- a list of writes with different inputs has no narrower type
export type AnyWrite = Write<any, any>

export interface Storage extends AsyncDisposable {
  readonly engine: Engine
  /** For questions. Sees every write that has been acknowledged by this process. */
  readonly read: Db
  /** Resolves once the transaction is on stable storage; rejects with `unavailable` when it could not be. */
  write<Input, Outcome>(write: Write<Input, Outcome>, input: Input): Promise<Outcome>
  /**
   * A number that changes when anything may have been committed by any process, or undefined where
   * the engine cannot tell without a round trip. Lets exact answers be kept as ready bytes.
   */
  version(): number | undefined
}
