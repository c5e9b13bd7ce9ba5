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
