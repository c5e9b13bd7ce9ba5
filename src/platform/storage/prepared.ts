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

type DirectWay = (sql: string, parameters: unknown[]) => MaybePromise<unknown[]>

const directWays = new WeakMap<Db, DirectWay>()

/** Says of a database that there is a shorter way to it than kysely's. Statements go there in the order of the calls. */
export function askDirectly(db: Db, way: DirectWay): void {
  directWays.set(db, way)
}

/** The rows of a query that has been compiled before. On PostgreSQL the direct way is for questions alone. */
export function execute<Row>(db: Db, compiled: CompiledQuery<Row>, parameters: unknown[]): MaybePromise<Row[]> {
  const way = engineOf(db) === 'sqlite' ? directWays.get(db) : undefined
  if (way) return way(compiled.sql, parameters) as MaybePromise<Row[]>
  return db.executeQuery<Row>({ ...compiled, parameters }).then(({ rows }) => rows)
}

/** Every prepared query of the house, for the test that writes their SQL into the repository. */
export const preparedQueries = new Map<string, PreparedQuery<never, unknown>>()

export function prepare<Parameters extends Record<string, unknown>, Row>(
  question: string,
  build: (db: Db, parameter: Parameters) => Compilable<Row>,
): PreparedQuery<Parameters, Row> {
  const compiledFor = new WeakMap<object, CompiledQuery<Row>>()

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
    const compiled = compile(db)
    const values = compiled.parameters.map((value) => (value instanceof Placeholder ? parameters[value.name] : value))
    const way = directWays.get(db)
    return way ? (way(compiled.sql, values) as MaybePromise<Row[]>) : execute(db, compiled, values)
  }

  const query = Object.assign(run, { question, compile })
  preparedQueries.set(question, query as PreparedQuery<never, unknown>)
  return query
}

const placeholders = new Proxy({}, { get: (_, name) => new Placeholder(String(name)) })
