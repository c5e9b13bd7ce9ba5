import { sql } from 'kysely'
import { StartError } from '../../start-error.ts'
import type { Db } from '../tables.ts'

/** SQL_ASCII keeps whatever bytes it is given, and they are those of UTF-8. */
const HOLDING_EVERY_CHARACTER = new Set(['UTF8', 'SQL_ASCII'])

/** In any other encoding the server takes most names, and fails in the middle of a request with the rest. */
export async function requireEveryCharacter(db: Db): Promise<void> {
  const { rows } = await sql<{ server_encoding: string }>`show server_encoding`.execute(db)
  const trouble = encodingTrouble(rows[0]?.server_encoding ?? '')
  if (trouble !== undefined) throw new StartError(trouble)
}

/** With what to do. The locale is given because a server's own may not go with UTF8; C goes with every encoding. */
export function encodingTrouble(encoding: string): string | undefined {
  if (HOLDING_EVERY_CHARACTER.has(encoding)) return undefined
  return (
    `The PostgreSQL database has the encoding ${encoding}, in which most of the world's letters cannot be stored. ` +
    'Make another one (createdb --encoding=UTF8 --locale=C --template=template0 NAME), bring over what this one ' +
    'holds (pg_dump, pg_restore), and give its address instead.'
  )
}
