import type { Migration } from '../../../platform/storage/migrations.ts'

export const petImportsMigration: Migration = {
  name: '0009_pet_imports',
  async up(db) {
    await db.schema
      .createTable('pet_imports')
      .addColumn('project_id', 'bigint', (column) => column.notNull().references('projects.id').onDelete('cascade'))
      .addColumn('environment', 'text', (column) => column.notNull())
      .addColumn('fingerprint', 'text', (column) => column.notNull())
      .addColumn('source', 'text', (column) => column.notNull())
      .addColumn('size', 'bigint', (column) => column.notNull())
      .addColumn('bytes', 'bigint', (column) => column.notNull())
      .addColumn('lines', 'bigint', (column) => column.notNull())
      .addColumn('animals', 'bigint', (column) => column.notNull())
      .addColumn('started_at', 'bigint', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .addColumn('finished_at', 'bigint')
      .addPrimaryKeyConstraint('pet_imports_pk', ['project_id', 'environment', 'fingerprint', 'source'])
      .execute()
  },
}
