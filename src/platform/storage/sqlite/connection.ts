import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
import { Kysely, SqliteDialect, type SqliteDatabase, type SqliteStatement } from 'kysely'
import { exactNumber } from '../../int64.ts'
import { askDirectly } from '../prepared.ts'
import type { Db } from '../tables.ts'
import { type Snapshot, turnSnapshot } from './snapshot.ts'

/** WAL files of versions before this one can be corrupted when two connections write or checkpoint at once. */
const SQLITE_VERSION_MIN = [3, 51, 3] as const

const SETTINGS = 'pragma foreign_keys = on; pragma temp_store = memory; pragma cache_size = -4000;'
/** A commit is an fsync of the write-ahead log: what has been acknowledged survives a power cut. */
export const WRITER_SETTINGS = `pragma journal_mode = wal; pragma synchronous = full; ${SETTINGS}`

export interface SqliteConnection {
  readonly raw: DatabaseSync
  readonly db: Db
  /** Of its prepared queries, where it only reads. */
  readonly snapshot: Snapshot
  close(): void
}

export function openSqlite(file: string, options: { readOnly: boolean }): SqliteConnection {
  const raw = new DatabaseSync(file, { readOnly: options.readOnly, timeout: 5000 })
  requireSafeVersion(raw)
  raw.exec(options.readOnly ? SETTINGS : WRITER_SETTINGS)
  const prepare = keptByText((text) => asKyselyStatement(raw.prepare(text)))
  const database: SqliteDatabase = {
    // On a full disk SQLite has rolled back by itself; to be refused that would hide the reason.
    prepare: (text) => prepare(text === 'rollback' && !raw.isTransaction ? 'select 1' : text),
    close: () => raw.close(),
  }
  const db: Db = new Kysely({ dialect: new SqliteDialect({ database }) })
  const snapshot = turnSnapshot(raw)
  const prepareDirect = keptByText((text) => asDirectStatement(raw.prepare(text)))
  askDirectly(db, (text) => {
    const all = prepareDirect(text)
    if (!options.readOnly) return all
    return (parameters) => {
      snapshot.take()
      return all(parameters)
    }
  })
  return { raw, db, snapshot, close: () => raw.close() }
}

/** Preparing costs about 30 µs, as much as a small query: statements are kept by their text. */
const STATEMENTS_MAX = 500

function keptByText<Statement>(prepare: (text: string) => Statement): (text: string) => Statement {
  const statements = new Map<string, Statement>()
  return (text) => {
    let statement = statements.get(text)
    if (!statement) {
      if (statements.size >= STATEMENTS_MAX) statements.clear()
      statements.set(text, (statement = prepare(text)))
    }
    return statement
  }
}

/**
 * Rows come as lists, because Node makes a hidden class of its own for each row object, and are made into objects by a
 * literal that is compiled for the statement: each way of its own takes a tenth of a small query's time. SQLite itself
 * prepares it anew when another process has added a column, and then lists are longer, maybe in their middle.
 */
function asDirectStatement(statement: StatementSync): (parameters: readonly unknown[]) => Record<string, unknown>[] {
  statement.setReadBigInts(true)
  statement.setReturnArrays(true)
  let columns = statement.columns()
  let toRow = compileRow(columns)
  return (parameters) => {
    const lists = statement.all(...bindable(parameters)) as unknown as unknown[][]
    // By its place: a pattern goes through an iterator, on the way of every read.
    const first = lists[0]
    if (first !== undefined && first.length !== columns.length) toRow = compileRow((columns = statement.columns()))
    const rows: Record<string, unknown>[] = []
    for (const list of lists) rows.push(toRow(list))
    return rows
  }
}

function compileRow(columns: readonly { name: string }[]): (list: unknown[]) => Record<string, unknown> {
  const members = columns.map(({ name }, at) => `${JSON.stringify(name)}: exact(list[${at}])`)
  return new Function('exact', `return (list) => ({ ${members.join(', ')} })`)(exact)
}

const exact = (value: unknown) => (typeof value === 'bigint' ? exactNumber(value) : value)

function asKyselyStatement(statement: StatementSync): SqliteStatement {
  statement.setReadBigInts(true)
  const columns = statement.columns().map(({ name }) => name)
  return {
    reader: columns.length > 0,
    all(parameters) {
      const rows = statement.all(...bindable(parameters))
      for (const row of rows) makeExact(columns, row)
      return rows
    },
    run(parameters) {
      const result = statement.run(...bindable(parameters))
      return { changes: result.changes, lastInsertRowid: result.lastInsertRowid }
    },
    *iterate(parameters) {
      for (const row of statement.iterate(...bindable(parameters))) {
        makeExact(columns, row)
        yield row
      }
    },
  }
}

export function bindable(parameters: readonly unknown[]): readonly SQLInputValue[] {
  const values = parameters as readonly SQLInputValue[]
  return values.some(isBoolean) ? values.map((value) => (isBoolean(value) ? Number(value) : value)) : values
}

const isBoolean = (value: unknown) => typeof value === 'boolean'

function makeExact(columns: readonly string[], row: Record<string, unknown>): void {
  for (const column of columns) row[column] = exact(row[column])
}

function requireSafeVersion(raw: DatabaseSync): void {
  const { version } = raw.prepare('select sqlite_version() as version').get() as { version: string }
  const parts = version.split('.').map(Number)
  for (const [index, least] of SQLITE_VERSION_MIN.entries()) {
    const part = parts[index] ?? 0
    if (part > least) return
    if (part < least) {
      throw new Error(
        `SQLite ${version} can corrupt its write-ahead log; ${SQLITE_VERSION_MIN.join('.')} or later is needed. ` +
          'Run the service with the Node version that package.json pins (npm ci, then npm start).',
      )
    }
  }
}
