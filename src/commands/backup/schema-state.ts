import type { DatabaseSync } from 'node:sqlite'
import { sql } from 'kysely'
import { migrations } from '../../migrations.ts'
import type { Db } from '../../platform/storage/tables.ts'

export interface SchemaState {
  /** Steps that the next start will apply. */
  pending: string[]
  /** Steps that this version does not know: a newer one has applied them. */
  unknown: string[]
}

export function schemaState(applied: readonly string[]): SchemaState {
  const known = migrations.map((migration) => migration.name)
  return {
    pending: known.filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !known.includes(name)),
  }
}

/** Names of the steps that a SQLite database has behind it; undefined when it is none of ours. */
export function appliedInSqlite(database: DatabaseSync): string[] | undefined {
  const table = database.prepare("select 1 from sqlite_master where type = 'table' and name = 'kysely_migration'").get()
  if (!table) return undefined
  const rows = database.prepare('select name from kysely_migration order by name').all() as { name: string }[]
  return rows.map((row) => row.name)
}

/** The same of a PostgreSQL database. */
export async function appliedInPostgres(db: Db): Promise<string[] | undefined> {
  const table = await sql<{ there: boolean }>`select to_regclass('kysely_migration') is not null as there`.execute(db)
  if (!table.rows[0]?.there) return undefined
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db)
  return rows.map((row) => row.name)
}
