import type { Migration } from '../../../platform/storage/migrations.ts'

/** Whoever takes a token over may be able to do more than its maker was. */
export const tokenRolesMigration: Migration = {
  name: '0063_token_roles',
  async up(db) {
    await db.schema.alterTable('tokens').addColumn('role_max', 'text').execute()
  },
}

export const tokensMigration: Migration = {
  name: '0039_tokens',
  async up(db) {
    await db.schema
      .createTable('tokens')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('project_id', 'bigint', (column) => column.notNull().references('projects.id').onDelete('cascade'))
      .addColumn('hash', 'text', (column) => column.notNull().unique())
      .addColumn('hint', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('scopes', 'text', (column) => column.notNull())
      .addColumn('made_by', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .addColumn('revoked_at', 'bigint')
      .addColumn('last_used_at', 'bigint')
      .execute()
    await db.schema.createIndex('tokens_of_project').on('tokens').columns(['project_id', 'created_at']).execute()
  },
}
