import { type SelectQueryBuilder, sql } from 'kysely'
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
  const { count } = await db
    .selectFrom(rows.limit(COUNTED_MAX + 1).as('counted'))
    .select(sql<number>`count(*)`.as('count'))
    .executeTakeFirstOrThrow()
  return { count: Math.min(count, COUNTED_MAX), more: count > COUNTED_MAX }
}
