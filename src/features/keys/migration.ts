import { sql } from 'kysely'
import type { Migration } from '../../platform/storage/migrations.ts'

export const keysMigration: Migration = {
  name: '0003_keys',
  async up(db) {
    await db.schema
      .createTable('keys')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('project_id', 'bigint', (column) => column.notNull().references('projects.id').onDelete('cascade'))
      .addColumn('environment', 'text', (column) => column.notNull())
      .addColumn('hash', 'text', (column) => column.notNull().unique())
      .addColumn('hint', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('scopes', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint')
      .addColumn('revoked_at', 'bigint')
      .addColumn('rotated_from', 'text')
      .execute()
    await db.schema.createIndex('keys_of_project').on('keys').columns(['project_id', 'environment']).execute()
    await db.schema
      .createTable('key_usage')
      .addColumn('key_id', 'text', (column) => column.notNull().references('keys.id').onDelete('cascade'))
      .addColumn('project_id', 'bigint', (column) => column.notNull())
      .addColumn('environment', 'text', (column) => column.notNull())
      .addColumn('operation', 'text', (column) => column.notNull())
      .addColumn('hour', 'bigint', (column) => column.notNull())
      .addColumn('calls', 'bigint', (column) => column.notNull())
      .addColumn('failures', 'bigint', (column) => column.notNull())
      .addColumn('last_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('key_usage_pk', ['key_id', 'operation', 'hour'])
      .execute()
    await db.schema.createIndex('key_usage_of_project').on('key_usage').columns(['project_id', 'hour']).execute()
  },
}

/** Who has made the keys there are: as far as the audit log knows. */
export const keyMakersMigration: Migration = {
  name: '0024_key_makers',
  async up(db) {
    await db.schema.alterTable('keys').addColumn('made_by', 'text').execute()
    await sql`
      update keys set made_by = (
        select min(actor_id) from audit_entries
        where verb = 'key.create' and subject = keys.id and actor_kind = 'account'
      )`.execute(db)
    const rotated = await sql<{ id: string; rotated_from: string }>`
      select id, rotated_from from keys where rotated_from is not null order by created_at`.execute(db)
    for (const { id, rotated_from } of rotated.rows) {
      await sql`
        update keys set made_by = (select before.made_by from keys before where before.id = ${rotated_from})
        where id = ${id}`.execute(db)
    }
    await db.schema.createIndex('keys_of_maker').on('keys').columns(['project_id', 'made_by']).execute()
  },
}

/** Keys that were rotated expire with their overlap: how long they were given for is what their first successor got. */
export const keyLivesMigration: Migration = {
  name: '0060_key_lives',
  async up(db) {
    await db.schema.alterTable('keys').addColumn('lifetime_ms', 'bigint').execute()
    const successors = await sql<{ id: string }>`
      select id from keys where rotated_from is not null order by created_at desc`.execute(db)
    // The newest first: where a successor was rotated itself, its own life is known by then, and the first one is last.
    for (const { id } of successors.rows) {
      await sql`
        update keys set lifetime_ms = (
          select coalesce(successor.lifetime_ms, successor.expires_at - successor.created_at, 0)
          from keys successor where successor.id = ${id}
        ) where id = (select rotated_from from keys successor where successor.id = ${id})`.execute(db)
    }
  },
}
