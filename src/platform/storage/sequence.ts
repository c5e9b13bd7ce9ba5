import { sql } from 'kysely'
import { prepare } from './prepared.ts'
import type { Db, Engine } from './tables.ts'

/**
 * The next number of a sequence, never given twice. On PostgreSQL numbers may become visible in another order than
 * they are given.
 */
export async function nextNumber(db: Db, engine: Engine, name: string): Promise<number> {
  if (engine === 'postgres') {
    const { rows } = await sql<{ number: number }>`select nextval(${`${name}_seq`}) as number`.execute(db)
    return (rows[0] as { number: number }).number
  }
  const [row] = await advanceSequence(db, { name })
  return (row as { last: number }).last
}

const advanceSequence = prepare('advanceSequence', (db, { name }: { name: string }) =>
  db
    .updateTable('sequences')
    .set((eb) => ({ last: eb('last', '+', 1) }))
    .where('name', '=', name)
    .returning('last'),
)

export async function createSequence(db: Db, engine: Engine, name: string): Promise<void> {
  if (engine === 'postgres') await sql.raw(`create sequence ${name}_seq`).execute(db)
  else await db.insertInto('sequences').values({ name, last: 0 }).execute()
}
