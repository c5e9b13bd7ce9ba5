import type { Migration } from '../storage/migrations.ts'

export const workMigration: Migration = {
  name: '0013_work',
  async up(db) {
    await db.schema
      .createTable('work')
      .addColumn('queue', 'text', (column) => column.notNull())
      .addColumn('subject', 'text', (column) => column.notNull())
      .addColumn('due_at', 'bigint', (column) => column.notNull())
      .addColumn('revision', 'bigint', (column) => column.notNull())
      .addColumn('failures', 'bigint', (column) => column.notNull())
      .addColumn('owner', 'text')
      .addColumn('leased_until', 'bigint')
      .addPrimaryKeyConstraint('work_pk', ['queue', 'subject'])
      .execute()
    await db.schema.createIndex('work_due').on('work').columns(['queue', 'due_at']).execute()
  },
}

export const instancesMigration: Migration = {
  name: '0053_instances',
  async up(db) {
    await db.schema
      .createTable('instances')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('process_id', 'bigint', (column) => column.notNull())
      .addColumn('version', 'text', (column) => column.notNull())
      .addColumn('started_at', 'bigint', (column) => column.notNull())
      .addColumn('seen_at', 'bigint', (column) => column.notNull())
      .addColumn('leads_since', 'bigint')
      .addColumn('requests', 'bigint', (column) => column.notNull())
      .addColumn('errors', 'bigint', (column) => column.notNull())
      .addColumn('memory_bytes', 'bigint', (column) => column.notNull())
      .addColumn('busy_percent', 'bigint', (column) => column.notNull())
      .execute()
  },
}
