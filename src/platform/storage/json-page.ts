import { type Compilable, type Expression, type ExpressionBuilder, expressionBuilder, sql, type SqlBool } from 'kysely'
import type { Int64 } from '../int64.ts'
import type { Db, Tables } from './tables.ts'

/** One page of a list as the database writes it. */
export interface JsonPage {
  /** A JSON array. */
  body: string
  /** The id behind which the next page begins; null on the last page. */
  next: Int64 | null
}

interface PageOf<Table extends keyof Tables> {
  table: Table
  /** What a row is in JSON. */
  json: Expression<string>
  where(column: ExpressionBuilder<Tables, Table>): Expression<SqlBool>
  after: Int64
  limit: number
}

/**
 * Rows in the order of their ids, joined into one JSON text by the database. Keyset paging: the last page of ten
 * million costs what the first page costs. Whether there is more is one look behind the last row.
 */
export function jsonPage<Table extends keyof Tables>(
  db: Db,
  { table, json, where, after, limit }: PageOf<Table>,
): Compilable<JsonPage> {
  const list = sql`from ${sql.table(table)} where ${where(expressionBuilder<Tables, Table>())}`
  // SQLite plans by a bare parameter of a limit, and so compiles the statement anew for each call: 40 µs more.
  const most = sql`cast(${limit} as integer)`
  const rows = sql`select id, ${json} as json ${list} and id > ${after} order by id limit ${most}`
  const page = sql`select concat('[', string_agg(json, ','), ']') as body, max(id) as last from (${rows}) as shown`
  const next = sql`case when exists (select 1 ${list} and id > last) then last end`
  const query = sql<JsonPage>`select body, ${next} as next from (${page}) as page`
  return { compile: () => query.compile(db) }
}
