import type { Db, Engine } from './tables.ts'

/**
 * One transaction as a named function of plain data.
 *
 * SQLite runs it on the writer thread and PostgreSQL on a pooled connection, therefore:
 * the input and the outcome survive a structured clone, time and randomness come in with the input,
 * and nothing but the database is touched. It may be run again after a rollback.
 */
export interface Write<Input, Outcome> {
  readonly name: string
  run(db: Db, input: Input, engine: Engine): Promise<Outcome>
  /** Several inputs at once, for hot writes on PostgreSQL, where every statement costs a round trip. */
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
