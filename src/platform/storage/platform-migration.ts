import { sql } from 'kysely'
import { createSequence } from './sequence.ts'
import type { Migration } from './migrations.ts'

export const platformMigration: Migration = {
  name: '0001_platform',
  async up(db, engine) {
    await db.schema
      .createTable('settings')
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('value', 'text', (column) => column.notNull())
      .execute()
    await db.schema
      .createTable('sequences')
      .addColumn('name', 'text', (column) => column.primaryKey())
      .addColumn('last', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema
      .createTable('notices')
      .addColumn('seq', 'bigint', (column) => column.primaryKey())
      .addColumn('topic', 'text', (column) => column.notNull())
      .addColumn('subject', 'text', (column) => column.notNull())
      .addColumn('announced_at', 'bigint', (column) => column.notNull())
      .execute()
    await createSequence(db, engine, 'notices')
    await db.schema
      .createTable('idempotency_keys')
      .addColumn('project_id', 'bigint', (column) => column.notNull())
      .addColumn('environment', 'text', (column) => column.notNull())
      .addColumn('key', 'text', (column) => column.notNull())
      .addColumn('fingerprint', 'text', (column) => column.notNull())
      .addColumn('answer', 'text', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('idempotency_keys_pk', ['project_id', 'environment', 'key'])
      .execute()
    await db.schema.createIndex('idempotency_keys_expiry').on('idempotency_keys').column('expires_at').execute()
  },
}

/** On PostgreSQL a notice tells its transaction: see `postgres/notices.ts`. Earlier versions write it unknowingly. */
export const noticeOrderMigration: Migration = {
  name: '0027_notice_order',
  async up(db, engine) {
    const notices = db.schema.alterTable('notices')
    if (engine === 'sqlite') return notices.addColumn('xid', 'bigint').execute()
    const transaction = sql`(pg_current_xact_id()::text::bigint)`
    await notices.addColumn('xid', 'bigint', (column) => column.defaultTo(transaction)).execute()
    await db.schema.createIndex('notices_by_xid').on('notices').column('xid').execute()
  },
}
