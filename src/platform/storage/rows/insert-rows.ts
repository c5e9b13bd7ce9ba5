import type { CompiledQuery, Insertable } from 'kysely'
import { execute } from '../prepared.ts'
import type { Db, Tables } from '../tables.ts'

/** Statements for 1, 2, 4 … 256 rows: any number of rows is a sum of these, and each is compiled once. */
const CHUNK_MAX = 256

const compiledFor = new WeakMap<object, Map<string, CompiledQuery>>()

/** Inserts rows of one shape, that of the first, in as few statements as possible. The statements travel together. */
export async function insertRows<Table extends keyof Tables>(
  db: Db,
  table: Table,
  rows: readonly Insertable<Tables[Table]>[],
): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}) as (keyof Insertable<Tables[Table]>)[]
  const statements = inChunks(rows).map((chunk) => {
    const parameters = chunk.flatMap((row) => columns.map((column) => row[column]))
    return execute(db, compiledInsert(db, table, columns, chunk.length), parameters)
  })
  await Promise.all(statements)
}

/** Of as many rows as there is a statement for. */
export function inChunks<Row>(rows: readonly Row[]): Row[][] {
  const chunks: Row[][] = []
  for (let start = 0; start < rows.length;) {
    const count = Math.min(CHUNK_MAX, 2 ** Math.floor(Math.log2(rows.length - start)))
    chunks.push(rows.slice(start, (start += count)))
  }
  return chunks
}

function compiledInsert(db: Db, table: keyof Tables, columns: readonly PropertyKey[], rowCount: number): CompiledQuery {
  const { adapter } = db.getExecutor()
  let compiled = compiledFor.get(adapter)
  if (!compiled) compiledFor.set(adapter, (compiled = new Map()))
  const name = `${table} ${columns.join()} ${rowCount}`
  let query = compiled.get(name)
  if (!query) {
    const row = Object.fromEntries(columns.map((column) => [column, 0]))
    query = db
      .insertInto(table)
      .values(Array.from({ length: rowCount }, () => row) as never)
      .compile()
    compiled.set(name, query)
  }
  return query
}
