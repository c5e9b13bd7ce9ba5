import { type Compilable, type Expression, type ExpressionBuilder, expressionBuilder, sql, type SqlBool } from 'kysely'
import type { Int64 } from '../int64.ts'
import type { Db, Tables } from './tables.ts'

/** One page of a list as the database writes it. */
export interface JsonPage {
  /** A JSON array. */
  body: string
  /** The id behind which the next page begins; null on the last page. */
  next: Int64 | null
  /** What that row is sorted by, in lists that are not in the order of ids. */
  nextKey?: string | undefined
}

/** Which of one tenant's rows. */
export interface PageParameters extends Record<string, unknown> {
  projectId: number
  environment: string
  after: Int64
  limit: number
}

interface PageOf<Table extends keyof Tables> {
  table: Table
  /** What a row is in JSON. */
  json: Expression<string>
  /** Beside being the tenant's. */
  where?(column: ExpressionBuilder<Tables, Table>): readonly Expression<SqlBool>[]
  /** From the highest id down; the first page then begins behind `BEHIND_LAST`. */
  newest?: boolean
}

/** No id is as high. */
export const BEHIND_LAST = Number.MAX_SAFE_INTEGER

/**
 * Rows in the order of their ids, joined into one JSON text by the database. Keyset paging: the last page of ten
 * million costs what the first page costs. Whether there is more is one look behind the last row.
 */
export function jsonPage<Table extends keyof Tables>(
  db: Db,
  { projectId, environment, after, limit }: PageParameters,
  { table, json, where = () => [], newest = false }: PageOf<Table>,
): Compilable<JsonPage> {
  const conditions = [
    sql`project_id = ${projectId}`,
    sql`environment = ${environment}`,
    ...where(expressionBuilder<Tables, Table>()),
  ]
  const list = sql`from ${sql.table(table)} where ${sql.join(conditions, sql` and `)}`
  // SQLite plans by a bare parameter of a limit, and so compiles the statement anew for each call: 40 µs more.
  const most = sql`cast(${limit} as integer)`
  const [behind, order, last] = newest ? [sql`<`, sql`id desc`, sql`min`] : [sql`>`, sql`id`, sql`max`]
  const rows = sql`select id, ${json} as json ${list} and id ${behind} ${after} order by ${order} limit ${most}`
  const page = sql`select concat('[', string_agg(json, ','), ']') as body, ${last}(id) as last from (${rows}) as shown`
  // In order: asked whether any exists, PostgreSQL walks through the rows before it, as it expects to meet one soon.
  const following = sql`select id ${list} and id ${behind} last order by ${order} limit 1`
  const next = sql`case when (${following}) is not null then last end`
  const query = sql<JsonPage>`select body, ${next} as next from (${page}) as page`
  return { compile: () => query.compile(db) }
}

/** A row of a page that is not joined by the database: it was asked for one row more than are shown. */
export interface PageRow {
  id: Int64
  json: string
  name_key?: string
}

/** The same page from such rows. */
export function pageOfRows(rows: readonly PageRow[], limit: number): JsonPage {
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  return { body: `[${shown.map(({ json }) => json).join()}]`, next: last?.id ?? null, nextKey: last?.name_key }
}
