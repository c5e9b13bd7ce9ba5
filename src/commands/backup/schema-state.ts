import type { DatabaseSync } from 'node:sqlite'
import { migrations } from '../../migrations.ts'

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
