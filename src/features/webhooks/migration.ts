import { createLargeIndex, type Migration } from '../../platform/storage/migrations.ts'
import { createSequence } from '../../platform/storage/sequence.ts'

export const webhooksMigration: Migration = {
  name: '0046_webhooks',
  async up(db, engine) {
    await db.schema
      .createTable('webhook_endpoints')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('project_id', 'bigint', (column) => column.notNull().references('projects.id').onDelete('cascade'))
      .addColumn('url', 'text')
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('types', 'text', (column) => column.notNull())
      .addColumn('environment', 'text')
      .addColumn('sealed_secret', 'text', (column) => column.notNull())
      .addColumn('sealed_old_secret', 'text')
      .addColumn('old_secret_until', 'bigint')
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('off_at', 'bigint')
      .addColumn('off_reason', 'text')
      .addColumn('last_delivered_at', 'bigint')
      .addColumn('last_failed_at', 'bigint')
      .addColumn('listening_until', 'bigint')
      .execute()
    await db.schema
      .createIndex('webhook_endpoints_of_project')
      .on('webhook_endpoints')
      .columns(['project_id', 'created_at'])
      .execute()
    await db.schema
      .createTable('webhook_attempts')
      .addColumn('endpoint_id', 'text', (column) =>
        column.notNull().references('webhook_endpoints.id').onDelete('cascade'),
      )
      .addColumn('seq', 'bigint', (column) => column.notNull())
      .addColumn('message_id', 'text', (column) => column.notNull())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addColumn('url', 'text', (column) => column.notNull())
      .addColumn('address', 'text')
      .addColumn('signature', 'text', (column) => column.notNull())
      .addColumn('status', 'bigint')
      .addColumn('answer', 'text')
      .addColumn('error', 'text')
      .addColumn('duration_ms', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('webhook_attempts_pk', ['endpoint_id', 'seq'])
      .execute()
    await db.schema
      .createIndex('webhook_attempts_of_message')
      .on('webhook_attempts')
      .columns(['endpoint_id', 'message_id', 'seq'])
      .execute()
    await createSequence(db, engine, 'webhook_attempts')
  },
}

export const attemptAgesMigration: Migration = {
  name: '0058_attempt_ages',
  inTransaction: false,
  up: (db, engine) => createLargeIndex(db, engine, 'webhook_attempts_by_age', 'webhook_attempts (at)'),
}

export const olderSecretsMigration: Migration = {
  name: '0061_older_secrets',
  async up(db) {
    await db.schema.alterTable('webhook_endpoints').addColumn('older_secrets', 'text').execute()
  },
}
