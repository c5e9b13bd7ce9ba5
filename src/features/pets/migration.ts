import { sql } from 'kysely'
import type { Migration } from '../../platform/storage/migrations.ts'
import { createSequence } from '../../platform/storage/sequence.ts'

export const petsMigration: Migration = {
  name: '0004_pets',
  async up(db, engine) {
    const table = db.schema
      .createTable('pets')
      .addColumn('project_id', 'bigint', (column) => column.notNull().references('projects.id').onDelete('cascade'))
      .addColumn('environment', 'text', (column) => column.notNull())
      .addColumn('id', 'bigint', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('category_id', 'bigint', (column) => column.notNull())
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('held_by', 'bigint')
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('updated_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('pets_pk', ['project_id', 'environment', 'id'])
    // Without a rowid the rows lie in the order of the list, so that a page is one run of the file.
    await (engine === 'sqlite' ? table.modifyEnd(sql`without rowid`) : table).execute()
    await db.schema
      .createIndex('pets_by_status')
      .on('pets')
      .columns(['project_id', 'environment', 'status', 'id'])
      .execute()
    await createSequence(db, engine, 'pets')
  },
}
