import { sql } from 'kysely'
import type { Side, TableShape } from './shapes.ts'

export type Row = Record<string, unknown>

const BATCH_ROWS = 1000
/** Contents of files come in pieces of half a megabyte. */
const BATCH_ROWS_OF_BYTES = 16

/** What belongs to one database and not to its data: whether it is itself a copy, and what `/readyz` has written. */
export const MARK = 'copied'
/** Literals, because a cursor takes no parameters. */
const OWN_SETTINGS = [MARK, 'probe'].map((name) => sql.lit(name))

/** All rows of a table, a few at a time. */
export async function* readRows(side: Side, shape: TableShape): AsyncGenerator<Row[]> {
  const size = shape.columns.some(({ kind }) => kind === 'bytes') ? BATCH_ROWS_OF_BYTES : BATCH_ROWS
  const query = selectAll(side, shape)
  yield* side.engine === 'postgres' ? fetchRows(side, query, size) : iterateRows(query, size)
}

type Query = ReturnType<typeof selectAll>

function selectAll({ db }: Side, { name, columns }: TableShape) {
  const query = db.selectFrom(name as 'settings').select(columns.map((column) => column.name) as 'name'[])
  return name === 'settings' ? query.where('name', 'not in', OWN_SETTINGS) : query
}

async function* fetchRows({ db }: Side, query: Query, size: number): AsyncGenerator<Row[]> {
  await sql`declare copied no scroll cursor for ${query}`.execute(db)
  while (true) {
    const { rows } = await sql<Row>`fetch ${sql.lit(size)} from copied`.execute(db)
    if (rows.length > 0) yield rows
    if (rows.length < size) break
  }
  await sql`close copied`.execute(db)
}

async function* iterateRows(query: Query, size: number): AsyncGenerator<Row[]> {
  let batch: Row[] = []
  for await (const row of query.stream()) {
    if (batch.push(row) < size) continue
    yield batch
    batch = []
  }
  if (batch.length > 0) yield batch
}

export async function countRows({ db }: Side, { name }: TableShape): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from ${sql.table(name)}`.execute(db)
  return rows[0]?.count ?? 0
}
