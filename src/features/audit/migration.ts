import { createLargeIndex, type Migration } from '../../platform/storage/migrations.ts'
import { createSequence } from '../../platform/storage/sequence.ts'

export const auditMigration: Migration = {
  name: '0006_audit',
  async up(db, engine) {
    await db.schema
      .createTable('audit_entries')
      .addColumn('id', 'bigint', (column) => column.primaryKey())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addColumn('project_id', 'bigint')
      .addColumn('account_id', 'text')
      .addColumn('actor_kind', 'text', (column) => column.notNull())
      .addColumn('actor_id', 'text')
      .addColumn('actor_name', 'text', (column) => column.notNull())
      .addColumn('verb', 'text', (column) => column.notNull())
      .addColumn('subject', 'text', (column) => column.notNull())
      .addColumn('details', 'text', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('audit_of_project').on('audit_entries').columns(['project_id', 'id']).execute()
    await db.schema.createIndex('audit_of_account').on('audit_entries').columns(['account_id', 'id']).execute()
    await createSequence(db, engine, 'audit')
  },
}

export const auditSubjectMigration: Migration = {
  name: '0018_audit_subject',
  inTransaction: false,
  up: (db, engine) => createLargeIndex(db, engine, 'audit_of_subject', 'audit_entries (project_id, subject, id)'),
}

/** Ids follow time only while the clock is right: those that are too old are found by their own. */
export const auditAgesMigration: Migration = {
  name: '0064_audit_ages',
  inTransaction: false,
  up: (db, engine) => createLargeIndex(db, engine, 'audit_by_age', 'audit_entries (at)'),
}
