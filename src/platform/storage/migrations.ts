import type { Kysely } from 'kysely'
import { Migrator, type Migration as KyselyMigration } from 'kysely/migration'
import type { Db, Engine } from './tables.ts'

/** One step of the schema, the same for both engines; `engine` is for what only one of them has. */
export interface Migration {
  /** Sorted by name: `0001_platform`, `0002_projects`, … Never renamed or edited once released. */
  name: string
  up(db: Db, engine: Engine): Promise<void>
}

class NewerSchemaError extends Error {}

/** Brings the schema up to date. Safe when several instances start at once: Kysely takes a lock first. */
export async function migrate(db: Db, engine: Engine, migrations: readonly Migration[]): Promise<string[]> {
  const byName: Record<string, KyselyMigration> = {}
  for (const migration of migrations) byName[migration.name] = { up: (any) => migration.up(any, engine) }
  const migrator = new Migrator({ db, provider: { getMigrations: async () => byName } })

  const known = new Set(migrations.map((migration) => migration.name))
  const applied = (await migrator.getMigrations()).filter((migration) => migration.executedAt)
  await refuseNewerSchema(db, known)
  if (applied.length === known.size) return []

  const { error, results } = await migrator.migrateToLatest()
  if (error) throw error
  return (results ?? []).map((result) => result.migrationName)
}

/** Kysely lists only the migrations that this code knows: what a newer version applied stands in its table alone. */
async function refuseNewerSchema(db: Db, known: Set<string>): Promise<void> {
  const tables = await db.introspection.getTables({ withInternalKyselyTables: true })
  if (!tables.some((table) => table.name === 'kysely_migration')) return
  const rows = await (db as unknown as Kysely<{ kysely_migration: { name: string } }>)
    .selectFrom('kysely_migration')
    .select('name')
    .execute()
  const unknown = rows.map((row) => row.name).filter((name) => !known.has(name))
  if (unknown.length === 0) return
  throw new NewerSchemaError(
    `The database was written by a newer version of Petstore (it has ${unknown.join(', ')}). ` +
      'Start that version, or restore a backup that was made before the upgrade.',
  )
}
