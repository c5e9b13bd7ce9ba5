import { sql } from 'kysely'
import type { Migration } from '../../platform/storage/migrations.ts'
import { createSequence } from '../../platform/storage/sequence.ts'
import type { Db } from '../../platform/storage/tables.ts'

export const domainsMigration: Migration = {
  name: '0014_domains',
  async up(db, engine) {
    await createDomains(db)
    await createClaims(db)
    await createChecks(db)
    await createSequence(db, engine, 'domain_checks')
    await createNotifications(db)
    await createSequence(db, engine, 'notifications')
  },
}

/** Who was alone with a hostname. Claims from before need a look at DNS for it; verified ones need nothing. */
export const provedNamesMigration: Migration = {
  name: '0019_proved_names',
  async up(db) {
    for (const column of ['pending_since', 'alone_at'] as const) {
      await db.schema.alterTable('domains').addColumn(column, 'bigint').execute()
    }
    await db.schema.alterTable('domains').addColumn('own_zone', 'integer').execute()
    await db
      .updateTable('domains')
      .set((eb) => ({ pending_since: eb.fn.coalesce('recheck_from', 'superseded_at', 'added_at') }))
      .where('verified_at', 'is', null)
      .where('removed_at', 'is', null)
      .execute()
  },
}

/** Certificates before the switch. */
export const preparedDomainsMigration: Migration = {
  name: '0051_prepared_domains',
  async up(db) {
    for (const column of ['prepared_at', 'proved_at'] as const) {
      await db.schema.alterTable('domains').addColumn(column, 'bigint').execute()
    }
  },
}

/** Claims that never had a certificate have no say in what becomes of another's. */
export const idleWishesMigration: Migration = {
  name: '0056_idle_wishes',
  async up(db) {
    const idle = db.updateTable('domains').set({ revoke: 0 }).where('verified_at', 'is', null)
    await idle.where('proved_at', 'is', null).execute()
  },
}

async function createDomains(db: Db): Promise<void> {
  await db.schema
    .createTable('domains')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('project_id', 'bigint', (column) => column.notNull().references('projects.id').onDelete('cascade'))
    .addColumn('hostname', 'text', (column) => column.notNull())
    .addColumn('redirect_to', 'text')
    .addColumn('redirect_status', 'integer')
    .addColumn('hsts_seconds', 'bigint')
    .addColumn('proof', 'text', (column) => column.notNull())
    .addColumn('added_at', 'bigint', (column) => column.notNull())
    .addColumn('verified_at', 'bigint')
    .addColumn('checked_at', 'bigint')
    .addColumn('requested_at', 'bigint')
    .addColumn('recheck_from', 'bigint')
    .addColumn('failing_since', 'bigint')
    .addColumn('unclear_since', 'bigint')
    .addColumn('problems', 'text', (column) => column.notNull())
    .addColumn('superseded_at', 'bigint')
    .addColumn('removed_at', 'bigint')
    .addColumn('removal', 'text')
    .addColumn('revoke', 'integer', (column) => column.notNull())
    .execute()
  await db.schema
    .createIndex('domains_held')
    .unique()
    .on('domains')
    .column('hostname')
    .where(sql.ref('verified_at'), 'is not', null)
    .where(sql.ref('removed_at'), 'is', null)
    .execute()
  await db.schema
    .createIndex('domains_attached')
    .unique()
    .on('domains')
    .columns(['project_id', 'hostname'])
    .where(sql.ref('removed_at'), 'is', null)
    .execute()
  await db.schema.createIndex('domains_of_project').on('domains').columns(['project_id', 'added_at']).execute()
  await db.schema
    .createIndex('domains_removed')
    .on('domains')
    .column('removed_at')
    .where(sql.ref('removed_at'), 'is not', null)
    .execute()
  await db.schema.createIndex('domains_by_hostname').on('domains').columns(['hostname', 'removed_at']).execute()
}

async function createClaims(db: Db): Promise<void> {
  await db.schema
    .createTable('project_targets')
    .addColumn('project_id', 'bigint', (column) => column.primaryKey())
    .addColumn('label', 'text', (column) => column.notNull().unique())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute()
  await db.schema
    .createTable('hostname_holders')
    .addColumn('hostname', 'text', (column) => column.notNull())
    .addColumn('project_id', 'bigint', (column) => column.notNull())
    .addColumn('held_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('hostname_holders_pk', ['hostname', 'project_id'])
    .execute()
}

async function createChecks(db: Db): Promise<void> {
  await db.schema
    .createTable('domain_checks')
    .addColumn('id', 'bigint', (column) => column.primaryKey())
    .addColumn('domain_id', 'text', (column) => column.notNull().references('domains.id').onDelete('cascade'))
    .addColumn('outcome', 'text', (column) => column.notNull())
    .addColumn('problems', 'text', (column) => column.notNull())
    .addColumn('trigger', 'text', (column) => column.notNull())
    .addColumn('first_at', 'bigint', (column) => column.notNull())
    .addColumn('last_at', 'bigint', (column) => column.notNull())
    .addColumn('times', 'bigint', (column) => column.notNull())
    .addColumn('evidence', 'text', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('checks_of_domain').on('domain_checks').columns(['domain_id', 'id']).execute()
}

async function createNotifications(db: Db): Promise<void> {
  await db.schema
    .createTable('notifications')
    .addColumn('id', 'bigint', (column) => column.primaryKey())
    .addColumn('project_id', 'bigint', (column) => column.notNull().references('projects.id').onDelete('cascade'))
    .addColumn('domain_id', 'text', (column) => column.notNull())
    .addColumn('hostname', 'text', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('body', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('read_at', 'bigint')
    .addColumn('mailed_at', 'bigint')
    .addColumn('occasion', 'text', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('notifications_of_project').on('notifications').columns(['project_id', 'id']).execute()
  await db.schema
    .createIndex('notifications_once')
    .unique()
    .on('notifications')
    .columns(['domain_id', 'kind', 'occasion'])
    .execute()
}
