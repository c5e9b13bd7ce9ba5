import { sql } from 'kysely'
import { createLargeIndex, type Migration } from '../../platform/storage/migrations.ts'

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

/**
 * Who has made the keys there are, as far as the audit log knows, and so those that came of them by rotation. In one
 * statement that reads the log once: to look for each key by itself took a minute with 2,000 keys and 200,000 entries.
 */
export const keyMakersMigration: Migration = {
  name: '0024_key_makers',
  async up(db) {
    await db.schema.alterTable('keys').addColumn('made_by', 'text').execute()
    await sql`
      with recursive made (id, maker) as (
        select subject, min(actor_id) from audit_entries
        where verb = 'key.create' and actor_kind = 'account' group by subject
      ), makers (id, maker) as (
        select id, maker from keys join made using (id) where rotated_from is null
        union all
        select keys.id, maker from makers join keys on keys.rotated_from = makers.id
      )
      update keys set made_by = makers.maker from makers where makers.id = keys.id`.execute(db)
    await db.schema.createIndex('keys_of_maker').on('keys').columns(['project_id', 'made_by']).execute()
  },
}

/**
 * Keys that were rotated expire with their overlap: how long they were given for is what their first successor got, or
 * where that was rotated too, the first one of its own. In one statement, because everybody waits for the keys here.
 */
export const keyLivesMigration: Migration = {
  name: '0060_key_lives',
  async up(db) {
    await db.schema.alterTable('keys').addColumn('lifetime_ms', 'bigint').execute()
    await sql`
      with recursive successors as (
        select id, rotated_from, row_number() over (partition by rotated_from order by created_at) as place
        from keys where rotated_from is not null
      ), lives (id, life) as (
        select id, coalesce(expires_at - created_at, 0) from keys
        where id not in (select rotated_from from successors)
        union all
        select rotated_from, life from lives join successors using (id) where place = 1
      )
      update keys set lifetime_ms = lives.life from lives
      where lives.id = keys.id and keys.id in (select rotated_from from successors)`.execute(db)
  },
}

/** By themselves: to find the last use among all that is counted took 20 s for ten keys after ten years. */
export const keyLastUsesMigration: Migration = {
  name: '0067_key_last_uses',
  async up(db) {
    await db.schema
      .createTable('key_last_uses')
      .addColumn('key_id', 'text', (column) => column.primaryKey().references('keys.id').onDelete('cascade'))
      .addColumn('at', 'bigint', (column) => column.notNull())
      .execute()
    await sql`
      insert into key_last_uses (key_id, at) select key_id, max(last_at) from key_usage group by key_id`.execute(db)
  },
}

/** So that what is too old is found without looking at all. */
export const keyUsageAgesMigration: Migration = {
  name: '0068_key_usage_ages',
  inTransaction: false,
  up: (db, engine) => createLargeIndex(db, engine, 'key_usage_by_age', 'key_usage (hour)'),
}
