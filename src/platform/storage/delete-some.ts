import { type RawBuilder, sql } from 'kysely'
import type { Db, Tables } from './tables.ts'

/** A transaction of a few milliseconds: other writers hardly notice. */
const ROWS_PER_STEP = 1000

/**
 * Deletes some rows of a project from a table that may hold millions of them, and says whether there were any.
 * `key` has the columns that name a row.
 */
export const deleteSomeOf =
  <Table extends keyof Tables>(table: Table, key: readonly (keyof Tables[Table] & string)[]) =>
  (db: Db, projectId: number): Promise<boolean> =>
    deleteSome(db, { table, key, where: sql`project_id = ${projectId}` })

interface Rows<Table extends keyof Tables> {
  table: Table
  key: readonly (keyof Tables[Table] & string)[]
  /** An index should answer it: it is asked again until there are none. */
  where: RawBuilder<unknown>
  /** The order of that index, where PostgreSQL would rather read the whole table because it expects many. */
  order?: RawBuilder<unknown>
  /** What a row must still be; where rows change, another may have changed it on PostgreSQL since it was found. */
  still?: RawBuilder<unknown>
}

/** The same by any condition. */
export async function deleteSome<Table extends keyof Tables>(
  db: Db,
  { table, key, where, order, still = sql`true` }: Rows<Table>,
): Promise<boolean> {
  const names = sql.join(key.map((column) => sql.ref(column)))
  const ordered = order ? sql`order by ${order}` : sql``
  const { numAffectedRows } = await sql`
    delete from ${sql.table(table)} where ${still} and (${names}) in
      (select ${names} from ${sql.table(table)} where ${where} ${ordered} limit ${ROWS_PER_STEP})`.execute(db)
  return (numAffectedRows ?? 0n) > 0n
}
