import { sql } from 'kysely'
import type { Side } from './shapes.ts'

/** The last number that each sequence has given. */
export async function readSequences({ db, engine }: Side): Promise<Map<string, number>> {
  const { rows } = await (engine === 'postgres' ? POSTGRES : SQLITE).execute(db)
  return new Map(rows.map(({ name, last }) => [name, last ?? 0]))
}

interface Last {
  name: string
  last: number | null
}

const SQLITE = sql<Last>`select name, last from sequences`
const POSTGRES = sql<Last>`
  select left(sequencename, -4) as name, last_value as last from pg_sequences
  where schemaname = current_schema() and sequencename like '%~_seq' escape '~'`

/** Goes on where the others stopped. A rollback does not undo it on PostgreSQL: the next copy sets it again. */
export async function writeSequences({ db, engine }: Side, sequences: ReadonlyMap<string, number>): Promise<void> {
  for (const [name, last] of sequences) {
    if (engine === 'sqlite') await db.updateTable('sequences').set({ last }).where('name', '=', name).execute()
    // Below 1 there is no last number: the first one has not been given.
    else await sql`select setval(${`${name}_seq`}, ${Math.max(last, 1)}, ${last > 0})`.execute(db)
  }
}
