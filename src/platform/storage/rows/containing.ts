import { type RawBuilder, sql, type SqlBool } from 'kysely'
import { engineOf } from '../engine-of.ts'
import type { Db } from '../tables.ts'

/** Some of a list that is in the order of a text; all of it where nothing is said. */
export interface ListPart {
  /** Those that have it in them. */
  q?: string | undefined
  /** The text of the last one that was seen. */
  after?: string | undefined
  limit?: number | undefined
}

/** Where one of the columns has the text in it, in large letters or small; SQLite knows those of A to Z only. */
export function containing(db: Db, columns: readonly string[], text: string): RawBuilder<SqlBool> {
  const like = sql.raw(engineOf(db) === 'sqlite' ? 'like' : 'ilike')
  const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`
  const found = columns.map((column) => sql`${sql.ref(column)} ${like} ${pattern} escape '\\'`)
  return sql`(${sql.join(found, sql` or `)})`
}
