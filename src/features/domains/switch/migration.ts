import type { Migration } from '../../../platform/storage/migrations.ts'

export const domainMovesMigration: Migration = {
  name: '0049_domain_moves',
  async up(db) {
    await db.schema
      .createTable('domain_moves')
      .addColumn('domain_id', 'text', (column) => column.primaryKey().references('domains.id').onDelete('cascade'))
      .addColumn('old_answers', 'text', (column) => column.notNull())
      .addColumn('nameservers', 'text', (column) => column.notNull())
      .addColumn('old_ttl', 'bigint', (column) => column.notNull())
      .addColumn('old_until', 'bigint', (column) => column.notNull())
      .addColumn('old_seen_at', 'bigint', (column) => column.notNull())
      .addColumn('new_seen_at', 'bigint')
      .addColumn('all_new_at', 'bigint')
      .execute()
  },
}
