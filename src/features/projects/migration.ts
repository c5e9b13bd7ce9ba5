import type { Migration } from '../../platform/storage/migrations.ts'
import { createSequence } from '../../platform/storage/sequence.ts'

export const projectsMigration: Migration = {
  name: '0002_projects',
  async up(db, engine) {
    await db.schema
      .createTable('projects')
      .addColumn('id', 'bigint', (column) => column.primaryKey())
      .addColumn('slug', 'text', (column) => column.notNull().unique())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('plan', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute()
    await createSequence(db, engine, 'projects')
  },
}
