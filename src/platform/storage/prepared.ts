import type { Compilable, CompiledQuery } from 'kysely'
import type { MaybePromise } from '../maybe-promise.ts'
import { engineOf } from './engine-of.ts'
import type { Db } from './tables.ts'

/**
 * A named query that is built and compiled once for each engine and then only given its parameters.
 * Building and compiling costs 15 to 30 µs every time, as much as the query itself on the hot path.
 */
export interface PreparedQuery<Parameters, Row> {
  /** In the same turn where the database is in this process: a promise, and kysely's way, cost 10 µs more. */
  (db: Db, parameters: Parameters): MaybePromise<Row[]>
  readonly question: string
  compile(db: Db): CompiledQuery
}

class Placeholder {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/** Answers one statement, again and again. */
type Statement = (parameters: unknown[]) => MaybePromise<unknown[]>

const directWays = new WeakMap<Db, (sql: string) => Statement>()

/** Says of a database that there is a shorter way than kysely's. Statements go there in the order of the calls. */
export function askDirectly(db: Db, prepareStatement: (sql: string) => Statement): void {
  directWays.set(db, prepareStatement)
}

/** The rows of a query that has been compiled before. On PostgreSQL the direct way is for questions alone. */
export function execute<Row>(db: Db, compiled: CompiledQuery<Row>, parameters: unknown[]): MaybePromise<Row[]> {
  const prepareStatement = engineOf(db) === 'sqlite' ? directWays.get(db) : undefined
  if (prepareStatement) return prepareStatement(compiled.sql)(parameters) as MaybePromise<Row[]>
  return db.executeQuery<Row>({ ...compiled, parameters }).then(({ rows }) => rows)
}

/** Every prepared query of the house, for the test that writes their SQL into the repository. */
export const preparedQueries = new Map<string, PreparedQuery<never, unknown>>()

export function prepare<Parameters extends Record<string, unknown>, Row>(
  question: string,
  build: (db: Db, parameter: Parameters) => Compilable<Row>,
): PreparedQuery<Parameters, Row> {
  const compiledFor = new WeakMap<object, CompiledQuery<Row>>()
  /** Where there is a direct way the statement itself is kept: finding it by its text would cost more than asking. */
  const directFor = new WeakMap<Db, { statement: Statement; slots: CompiledQuery['parameters'] }>()

  const compile = (db: Db) => {
    const { adapter } = db.getExecutor()
    let compiled = compiledFor.get(adapter)
    if (!compiled) {
      compiled = build(db, placeholders as Parameters).compile()
      compiledFor.set(adapter, compiled)
    }
    return compiled
  }

  const run = (db: Db, parameters: Parameters): MaybePromise<Row[]> => {
    const direct = directFor.get(db)
    if (direct) return direct.statement(filled(direct.slots, parameters)) as MaybePromise<Row[]>
    const compiled = compile(db)
    const prepareStatement = directWays.get(db)
    if (!prepareStatement) return execute(db, compiled, filled(compiled.parameters, parameters))
    directFor.set(db, { statement: prepareStatement(compiled.sql), slots: compiled.parameters })
    return run(db, parameters)
  }

  const query = Object.assign(run, { question, compile })
  preparedQueries.set(question, query as PreparedQuery<never, unknown>)
  return query
}

const placeholders = new Proxy({}, { get: (_, name) => new Placeholder(String(name)) })

function filled(slots: CompiledQuery['parameters'], parameters: Record<string, unknown>): unknown[] {
  const values: unknown[] = []
  for (const slot of slots) values.push(slot instanceof Placeholder ? parameters[slot.name] : slot)
  return values
}
