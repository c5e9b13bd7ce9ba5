import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely'
import type { Db, Tables } from './tables.ts'

/** Counting millions of rows would take longer than anybody looks at the number. */
const COUNTED_MAX = 10_000

/** A count that stops: `more` says that there are others beyond it. */
export interface BoundedCount {
  count: number
  more: boolean
}

export async function countSome<Row>(
  db: Db,
  rows: SelectQueryBuilder<Tables, keyof Tables, Row>,
): Promise<BoundedCount> {
  const counted = db.selectFrom(rows.limit(COUNTED_MAX + 1).as('counted')).select(sql<number>`count(*)`.as('count'))
  return bounded(await counted.executeTakeFirstOrThrow())
}

/** The same for a query that is written out, without an end of its own. */
export async function countWritten(db: Db, rows: RawBuilder<unknown>): Promise<BoundedCount> {
  const counted = sql<{ count: number }>`
    select count(*) as count from (${rows} limit ${sql.lit(COUNTED_MAX + 1)}) as counted`
  const [row] = (await counted.execute(db)).rows
  return bounded(row as { count: number })
}

const bounded = ({ count }: { count: number }) => ({
  count: Math.min(count, COUNTED_MAX),
  more: count > COUNTED_MAX,
})
