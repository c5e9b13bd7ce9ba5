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
  const directFor = new WeakMap<Db, { statement: Statement; fill: Fill }>()

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
    if (direct) return direct.statement(direct.fill(parameters)) as MaybePromise<Row[]>
    const compiled = compile(db)
    const prepareStatement = directWays.get(db)
    if (!prepareStatement) return execute(db, compiled, fillFor(compiled)(parameters))
    directFor.set(db, { statement: prepareStatement(compiled.sql), fill: fillFor(compiled) })
    return run(db, parameters)
  }

  const query = Object.assign(run, { question, compile })
  preparedQueries.set(question, query as PreparedQuery<never, unknown>)
  return query
}

const placeholders = new Proxy({}, { get: (_, name) => new Placeholder(String(name)) })

type Fill = (parameters: Record<string, unknown>) => unknown[]

const fills = new WeakMap<CompiledQuery, Fill>()

function fillFor(compiled: CompiledQuery): Fill {
  return fills.getOrInsertComputed(compiled, ({ parameters }) => compileFill(parameters))
}

/**
 * The values of a query in the order of its places, as a literal that is compiled for it: a loop over names that each
 * query has others of looks each of them up, which took 1 µs of a page. The names are those of our own parameters.
 */
function compileFill(slots: CompiledQuery['parameters']): Fill {
  const values = slots.map((slot, at) =>
    slot instanceof Placeholder ? `parameters[${JSON.stringify(slot.name)}]` : `slots[${at}]`,
  )
  return new Function('slots', `return (parameters) => [${values.join(', ')}]`)(slots) as Fill
}
