import { sql } from 'kysely'
import { tellChanges } from '../../platform/outbox/triggers.ts'
import { createLargeIndex, type Migration } from '../../platform/storage/migrations.ts'
import { countChanges } from '../../platform/storage/resource-versions.ts'
import { createSequence } from '../../platform/storage/sequence.ts'
import { numberedOrders, orders } from './tables.ts'

export const ordersMigration: Migration = {
  name: '0005_orders',
  async up(db, engine) {
    const table = db.schema
      .createTable('orders')
      .addColumn('project_id', 'bigint', (column) => column.notNull().references('projects.id').onDelete('cascade'))
      .addColumn('environment', 'text', (column) => column.notNull())
      .addColumn('id', 'bigint', (column) => column.notNull())
      .addColumn('pet_id', 'bigint', (column) => column.notNull())
      .addColumn('status', 'text', (column) => column.notNull())
      .addColumn('placed_at', 'bigint', (column) => column.notNull())
      .addColumn('ended_at', 'bigint')
      .addPrimaryKeyConstraint('orders_pk', ['project_id', 'environment', 'id'])
    await (engine === 'sqlite' ? table.modifyEnd(sql`without rowid`) : table).execute()
    await db.schema
      .createIndex('orders_by_status')
      .on('orders')
      .columns(['project_id', 'environment', 'status', 'id'])
      .execute()
    // Two orders never hold one animal, whatever the code above does.
    await db.schema
      .createIndex('orders_open_for_pet')
      .unique()
      .on('orders')
      .columns(['project_id', 'environment', 'pet_id'])
      .where(sql.ref('status'), '=', sql.lit('placed'))
      .execute()
    await createSequence(db, engine, 'orders')
  },
}

export const orderVersionsMigration: Migration = {
  name: '0022_order_versions',
  up: (db, engine) => countChanges(db, engine, 'orders'),
}

export const orderNumbersMigration: Migration = {
  name: '0026_order_numbers',
  up: (db, engine) => numberedOrders.createNumbering(db, engine),
}

/** The history of one animal. */
export const ordersByPetMigration: Migration = {
  name: '0040_orders_by_pet',
  inTransaction: false,
  up: (db, engine) => createLargeIndex(db, engine, 'orders_by_pet', 'orders (project_id, environment, pet_id, id)'),
}

/** Again, in a migration of its own, when a field has come: the triggers know the columns that were there. */
export const orderEventsMigration: Migration = {
  name: '0045_order_events',
  up: (db, engine) =>
    tellChanges(db, engine, { table: 'orders', noun: 'order', columns: orders.columns, json: orders.jsonText(db) }),
}
