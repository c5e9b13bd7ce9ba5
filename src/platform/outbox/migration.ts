import './tables.ts'
import { sql } from 'kysely'
import { createLargeIndex, type Migration } from '../storage/migrations.ts'
import { createSequence } from '../storage/sequence.ts'
import { OUTBOX_SEQUENCE } from './record.ts'

/** So that the old ones are found without looking at all. */
export const messageAgesMigration: Migration = {
  name: '0057_message_ages',
  inTransaction: false,
  up: (db, engine) => createLargeIndex(db, engine, 'outbox_messages_by_age', 'outbox_messages (created_at)'),
}

/** Of what has been told: what still waits may be as old, and as much. */
export const toldMessagesMigration: Migration = {
  name: '0065_told_messages',
  inTransaction: false,
  up: (db, engine) =>
    createLargeIndex(db, engine, 'outbox_messages_told', 'outbox_messages (created_at) where due_at is null'),
}

export const outboxMigration: Migration = {
  name: '0043_outbox',
  async up(db, engine) {
    const subscriptions = db.schema
      .createTable('outbox_subscriptions')
      .addColumn('project_id', 'bigint', (column) => column.notNull().references('projects.id').onDelete('cascade'))
      .addColumn('type', 'text', (column) => column.notNull())
      .addColumn('subscriber', 'text', (column) => column.notNull())
      .addColumn('environment', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('outbox_subscriptions_pk', ['project_id', 'type', 'subscriber'])
    await (engine === 'sqlite' ? subscriptions.modifyEnd(sql`without rowid`) : subscriptions).execute()
    await db.schema
      .createIndex('outbox_subscriptions_by_subscriber')
      .on('outbox_subscriptions')
      .columns(['subscriber'])
      .execute()
    await db.schema
      .createTable('outbox_messages')
      .addColumn('subscriber', 'text', (column) => column.notNull())
      .addColumn('seq', 'bigint', (column) => column.notNull())
      .addColumn('id', 'text', (column) => column.notNull())
      .addColumn('project_id', 'bigint', (column) => column.notNull().references('projects.id').onDelete('cascade'))
      .addColumn('type', 'text', (column) => column.notNull())
      .addColumn('environment', 'text')
      .addColumn('resource', 'text', (column) => column.notNull())
      .addColumn('data', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('due_at', 'bigint')
      .addColumn('attempts', 'bigint', (column) => column.notNull().defaultTo(0))
      .addColumn('first_attempt_at', 'bigint')
      .addColumn('delivered_at', 'bigint')
      .addPrimaryKeyConstraint('outbox_messages_pk', ['subscriber', 'seq'])
      .execute()
    await db.schema.createIndex('outbox_messages_of_project').on('outbox_messages').columns(['project_id']).execute()
    // Of what still waits, which is little: what has been told stays out of the way.
    for (const [name, columns] of [
      ['outbox_messages_due', ['subscriber', 'due_at', 'seq']],
      ['outbox_messages_waiting', ['subscriber', 'resource', 'seq']],
    ] as const) {
      await db.schema
        .createIndex(name)
        .on('outbox_messages')
        .columns([...columns])
        .where(sql.ref('due_at'), 'is not', null)
        .execute()
    }
    await createSequence(db, engine, OUTBOX_SEQUENCE)
  },
}
