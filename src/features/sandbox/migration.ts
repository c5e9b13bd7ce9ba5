import type { Migration } from '../../platform/storage/migrations.ts'

export const sandboxMigration: Migration = {
  name: '0016_sandbox',
  async up(db) {
    await db.schema
      .createTable('sandbox_zones')
      .addColumn('apex', 'text', (column) => column.primaryKey())
      .addColumn('serial', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema
      .createTable('sandbox_records')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('apex', 'text', (column) => column.notNull().references('sandbox_zones.apex').onDelete('cascade'))
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('type', 'text', (column) => column.notNull())
      .addColumn('ttl', 'bigint', (column) => column.notNull())
      .addColumn('data', 'text', (column) => column.notNull())
      .addColumn('only_on', 'text')
      .addColumn('added_at', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema
      .createTable('sandbox_faults')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('apex', 'text', (column) => column.notNull().references('sandbox_zones.apex').onDelete('cascade'))
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('name', 'text')
      .addColumn('type', 'text')
      .addColumn('only_on', 'text')
      .addColumn('added_at', 'bigint', (column) => column.notNull())
      .execute()
  },
}
