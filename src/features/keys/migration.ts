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
