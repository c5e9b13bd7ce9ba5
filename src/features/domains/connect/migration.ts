import type { Migration } from '../../../platform/storage/migrations.ts'

export const connectRequestsMigration: Migration = {
  name: '0042_connect_requests',
  async up(db) {
    await db.schema
      .createTable('connect_requests')
      .addColumn('state', 'text', (column) => column.primaryKey())
      .addColumn('domain_id', 'text', (column) => column.notNull().references('domains.id').onDelete('cascade'))
      .addColumn('session_id', 'text', (column) => column.notNull())
      .addColumn('provider', 'text', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('connect_requests_ended').on('connect_requests').column('expires_at').execute()
    await db.schema.createIndex('connect_requests_of').on('connect_requests').column('domain_id').execute()
  },
}
