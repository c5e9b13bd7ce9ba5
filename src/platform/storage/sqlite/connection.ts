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
  const database = asKyselyDatabase(raw)
  const db: Db = new Kysely({ dialect: new SqliteDialect({ database }) })
  const snapshot = turnSnapshot(raw)
  askDirectly(db, (text) => {
    const { all } = database.prepare(text)
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

function asKyselyDatabase(raw: DatabaseSync): SqliteDatabase {
  const statements = new Map<string, SqliteStatement>()
  return {
    prepare(text) {
      let statement = statements.get(text)
      if (!statement) {
        if (statements.size >= STATEMENTS_MAX) statements.clear()
        statement = asKyselyStatement(raw.prepare(text))
        statements.set(text, statement)
      }
      return statement
    },
    close: () => raw.close(),
  }
}

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

export function bindable(parameters: readonly unknown[]): SQLInputValue[] {
  return parameters.map((value) => (typeof value === 'boolean' ? Number(value) : (value as SQLInputValue)))
}

function makeExact(columns: readonly string[], row: Record<string, unknown>): void {
  for (const column of columns) {
    const value = row[column]
    if (typeof value === 'bigint') row[column] = exactNumber(value)
  }
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
