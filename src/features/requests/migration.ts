import type { Migration } from '../../platform/storage/migrations.ts'
import { BUCKETS } from './latency.ts'

/**
 * Without a reference to the project: counts arrive seconds later, and one of a project that is gone must not take the
 * others of its batch along. A deleted project's go with it, and everything goes with age.
 */
export const requestsMigration: Migration = {
  name: '0048_requests',
  async up(db) {
    let counts = db.schema
      .createTable('request_counts')
      .addColumn('project_id', 'bigint', (column) => column.notNull())
      .addColumn('area', 'text', (column) => column.notNull())
      .addColumn('step_ms', 'bigint', (column) => column.notNull())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addColumn('who', 'text', (column) => column.notNull())
      .addColumn('what', 'text', (column) => column.notNull())
      .addColumn('calls', 'bigint', (column) => column.notNull())
      .addColumn('failures', 'bigint', (column) => column.notNull())
    for (const bucket of BUCKETS) counts = counts.addColumn(bucket, 'bigint', (column) => column.notNull())
    await counts
      .addPrimaryKeyConstraint('request_counts_pk', ['project_id', 'area', 'step_ms', 'at', 'who', 'what'])
      .execute()
    await db.schema.createIndex('request_counts_by_age').on('request_counts').columns(['step_ms', 'at']).execute()
    await db.schema
      .createTable('failed_requests')
      .addColumn('project_id', 'bigint', (column) => column.notNull())
      .addColumn('at', 'bigint', (column) => column.notNull())
      .addColumn('request_id', 'text', (column) => column.notNull())
      .addColumn('environment', 'text', (column) => column.notNull())
      .addColumn('operation', 'text', (column) => column.notNull())
      .addColumn('key_id', 'text', (column) => column.notNull())
      .addColumn('status', 'bigint', (column) => column.notNull())
      .addColumn('code', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('failed_requests_pk', ['project_id', 'environment', 'at', 'request_id'])
      .execute()
    await db.schema.createIndex('failed_requests_by_age').on('failed_requests').columns(['at']).execute()
  },
}
