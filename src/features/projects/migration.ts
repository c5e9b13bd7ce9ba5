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

export const freedSlugsMigration: Migration = {
  name: '0008_freed_slugs',
  async up(db) {
    await db.schema.alterTable('projects').addColumn('deleted_at', 'bigint').execute()
    await db.schema
      .createTable('freed_slugs')
      .addColumn('slug', 'text', (column) => column.primaryKey())
      .addColumn('project_id', 'bigint', (column) => column.notNull())
      .addColumn('freed_by', 'text')
      .addColumn('freed_at', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('freed_slugs_by_account').on('freed_slugs').column('freed_by').execute()
  },
}

export const requiredFactorsMigration: Migration = {
  name: '0031_required_factors',
  async up(db) {
    await db.schema
      .alterTable('projects')
      .addColumn('require_second_factor', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute()
  },
}

export const suspensionsMigration: Migration = {
  name: '0052_suspensions',
  async up(db) {
    await db.schema
      .createTable('suspensions')
      .addColumn('project_id', 'bigint', (column) => column.primaryKey().references('projects.id').onDelete('cascade'))
      .addColumn('reason', 'text', (column) => column.notNull())
      .addColumn('since', 'bigint', (column) => column.notNull())
      .execute()
  },
}
