import type { Tenant } from '../tenant.ts'
import type { AuditNote } from './audit-note.ts'
import type { Db, Engine, Tables } from './tables.ts'

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
  /**
   * `runMany` waits for no answer before its last statement. On PostgreSQL it is a single one, which is a transaction
   * by itself and needs no other around it; on SQLite it travels to the writer thread together with its commit.
   */
  readonly oneStatement?: true
  /** See `NotedWrite`. */
  note?(input: Input, outcome: Outcome): AuditNote | readonly AuditNote[] | undefined
}

/**
 * A write that says what the audit log tells of it. The note stands beside the write, gets what went in and what
 * came out, and is undefined where nothing has changed: `defineWrite(name, run, { note: (input, outcome) => … })`.
 * Whatever a person, a command or the service itself changes is such a write: see `AuditedStorage`.
 */
export interface NotedWrite<Input, Outcome> extends Write<Input, Outcome> {
  note(input: Input, outcome: Outcome): AuditNote | readonly AuditNote[] | undefined
}

export function defineWrite<Input, Outcome>(
  name: string,
  run: Write<Input, Outcome>['run'],
  more: Pick<NotedWrite<Input, Outcome>, 'note' | 'runMany' | 'oneStatement'>,
): NotedWrite<Input, Outcome>
export function defineWrite<Input, Outcome>(
  name: string,
  run: Write<Input, Outcome>['run'],
  more?: Pick<Write<Input, Outcome>, 'runMany' | 'oneStatement'>,
): Write<Input, Outcome>
export function defineWrite<Input, Outcome>(
  name: string,
  run: Write<Input, Outcome>['run'],
  more?: Pick<Write<Input, Outcome>, 'note' | 'runMany' | 'oneStatement'>,
): Write<Input, Outcome> {
  return { name, run, ...more }
}

/**
 * A storage that takes noted writes only. Verbs ask for this one: their caller decides whether the notes are
 * recorded (`storageOf` an actor) or not (a request with an API key), and a verb whose write has no note does
 * not compile.
 */
export interface AuditedStorage extends AsyncDisposable {
  readonly engine: Engine
  /** For questions. Sees every write that has been acknowledged by this process. */
  readonly read: Db
  /** Resolves once the transaction is on stable storage; rejects with `unavailable` when it could not be. */
  write: <Input, Outcome>(write: NotedWrite<Input, Outcome>, input: Input) => Promise<Outcome>
  /**
   * A number that changes when anything may have been committed by any process, or undefined where
   * the engine cannot tell without a round trip. Lets exact answers be kept as ready bytes.
   */
  version(): number | undefined
  /** The same for one tenant and one table that counts its changes: the commits of others leave it as it is. */
  versionOf(resource: keyof Tables, tenant: Tenant): number | undefined
}

/**
 * The database itself, for every write. Its `write` is a property, because TypeScript would take an
 * `AuditedStorage` for a `Storage` if it were a method.
 */
export interface Storage extends AuditedStorage {
  /** A name of this opening of the database alone, by which other processes know whose a lease is. */
  readonly instance: string
  write: <Input, Outcome>(write: Write<Input, Outcome>, input: Input) => Promise<Outcome>
}

/** What every instance has to forget. */
export interface Notice {
  topic: string
  subject: string
}

/** How an engine tells of notices. */
export interface Notices {
  /**
   * What has been published since the last call; nothing at the first. With a `gap` there may have been more that is
   * not to be had, as after a failover.
   */
  read(): Promise<{ gap: boolean; notices: readonly Notice[] }>
  end(): Promise<void>
}
