import { SqliteAdapter } from 'kysely'
import type { Db, Engine } from './tables.ts'

/** For queries whose text depends on it. */
export const engineOf = (db: Db): Engine => (db.getExecutor().adapter instanceof SqliteAdapter ? 'sqlite' : 'postgres')
