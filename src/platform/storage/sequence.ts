import { sql } from 'kysely'
import type { Db, Engine } from './tables.ts'

/**
 * The next number of a sequence, never given twice.
 *
 * SQLite has one writer, so numbers become visible in their order. On PostgreSQL they do so only among
 * transactions that take turns: see `takeTurn`.
 */
export async function nextNumber(db: Db, engine: Engine, name: string): Promise<number> {
  if (engine === 'postgres') {
    const { rows } = await sql<{ last: number }>`select nextval(${`${name}_seq`}) as last`.execute(db)
    return (rows[0] as { last: number }).last
  }
  const row = await db
    .updateTable('sequences')
    .set((eb) => ({ last: eb('last', '+', 1) }))
    .where('name', '=', name)
    .returning('last')
    .executeTakeFirstOrThrow()
  return row.last
}

export async function createSequence(db: Db, engine: Engine, name: string): Promise<void> {
  if (engine === 'postgres') await sql.raw(`create sequence ${name}_seq`).execute(db)
  else await db.insertInto('sequences').values({ name, last: 0 }).execute()
}
