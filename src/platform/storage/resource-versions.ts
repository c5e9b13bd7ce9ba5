import { sql } from 'kysely'
import type { Migration } from './migrations.ts'
import type { Db, Engine, Tables } from './tables.ts'

/**
 * How often a tenant's animals and orders have changed. Counted by triggers, and so in the transaction that makes the
 * change, whichever process or program it is. On SQLite only: on PostgreSQL no answer is kept, and transactions would
 * wait for each other's count.
 */
export const resourceVersionsMigration: Migration = {
  name: '0020_resource_versions',
  async up(db, engine) {
    if (engine === 'postgres') return
    await db.schema
      .createTable('resource_versions')
      .addColumn('resource', 'text', (column) => column.notNull())
      .addColumn('project_id', 'bigint', (column) => column.notNull())
      .addColumn('environment', 'text', (column) => column.notNull())
      .addColumn('version', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('resource_versions_pk', ['resource', 'project_id', 'environment'])
      .modifyEnd(sql`without rowid`)
      .execute()
  },
}

/** The count is never taken away: begun anew, it would come back to numbers that stood for something else. */
export async function countChanges(db: Db, engine: Engine, resource: keyof Tables): Promise<void> {
  if (engine === 'postgres') return
  for (const [event, row] of [
    ['insert', 'new'],
    ['update', 'new'],
    ['delete', 'old'],
  ] as const) {
    await sql`create trigger ${sql.id(`${resource}_version_${event}`)} after ${sql.raw(event)} on ${sql.table(resource)}
      begin
        insert into resource_versions (resource, project_id, environment, version)
        values (${sql.lit(resource)}, ${sql.raw(row)}.project_id, ${sql.raw(row)}.environment, 1)
        on conflict (resource, project_id, environment) do update set version = version + 1;
      end`.execute(db)
  }
}

/** No row before the first change. */
export const FIND_VERSION =
  'select version from resource_versions where resource = ? and project_id = ? and environment = ?'
