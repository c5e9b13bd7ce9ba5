import { sql } from 'kysely'
import { prepare } from './prepared.ts'
import type { Db, Engine } from './tables.ts'

/**
 * The next number of a sequence, never given twice.
 *
 * SQLite has one writer, so numbers become visible in their order. On PostgreSQL they do so only among
 * transactions that take turns: see `takeTurn`.
 */
export async function nextNumber(db: Db, engine: Engine, name: string): Promise<number> {
  const [number] = await nextNumbers(db, engine, name, 1)
  return number as number
}

/** Several at once, ascending. */
export async function nextNumbers(db: Db, engine: Engine, name: string, count: number): Promise<number[]> {
  if (engine === 'postgres') {
    const { rows } = await sql<{ number: number }>`
      select nextval(${`${name}_seq`}) as number from generate_series(1, ${count}::int)`.execute(db)
    return rows.map((row) => row.number)
  }
  const [row] = await advanceSequence(db, { name, count })
  const { last } = row as { last: number }
  return Array.from({ length: count }, (_, index) => last - count + 1 + index)
}

const advanceSequence = prepare('advanceSequence', (db, { name, count }: { name: string; count: number }) =>
  db
    .updateTable('sequences')
    .set((eb) => ({ last: eb('last', '+', count) }))
    .where('name', '=', name)
    .returning('last'),
)

export async function createSequence(db: Db, engine: Engine, name: string): Promise<void> {
  if (engine === 'postgres') await sql.raw(`create sequence ${name}_seq`).execute(db)
  else await db.insertInto('sequences').values({ name, last: 0 }).execute()
}
