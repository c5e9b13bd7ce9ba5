import type { Migration } from '../../platform/storage/migrations.ts'
import { createSequence } from '../../platform/storage/sequence.ts'

export const accountsMigration: Migration = {
  name: '0007_accounts',
  async up(db) {
    await db.schema
      .createTable('accounts')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('email', 'text', (column) => column.notNull().unique())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('password_hash', 'text')
      .addColumn('password_changed_at', 'bigint', (column) => column.notNull())
      .addColumn('operator', 'bigint', (column) => column.notNull().defaultTo(0))
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema
      .createTable('sessions')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('token_hash', 'text', (column) => column.notNull().unique())
      .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id').onDelete('cascade'))
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('last_seen_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .addColumn('user_agent', 'text', (column) => column.notNull())
      .addColumn('network', 'text', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('sessions_of_account').on('sessions').columns(['account_id', 'last_seen_at']).execute()
    await db.schema.createIndex('sessions_expiry').on('sessions').column('expires_at').execute()
    await db.schema
      .createTable('one_time_links')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('token_hash', 'text', (column) => column.notNull().unique())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('account_id', 'text', (column) => column.references('accounts.id').onDelete('cascade'))
      .addColumn('project_id', 'bigint', (column) => column.references('projects.id').onDelete('cascade'))
      .addColumn('role', 'text')
      .addColumn('operator', 'bigint', (column) => column.notNull().defaultTo(0))
      .addColumn('email', 'text')
      .addColumn('created_by', 'text')
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('one_time_links_of_project').on('one_time_links').column('project_id').execute()
    await db.schema.createIndex('one_time_links_of_account').on('one_time_links').column('account_id').execute()
    await db.schema
      .createTable('members')
      .addColumn('project_id', 'bigint', (column) => column.notNull().references('projects.id').onDelete('cascade'))
      .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id').onDelete('cascade'))
      .addColumn('role', 'text', (column) => column.notNull())
      .addColumn('joined_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('members_pk', ['project_id', 'account_id'])
      .execute()
    await db.schema.createIndex('members_by_account').on('members').column('account_id').execute()
  },
}

export const secondFactorsMigration: Migration = {
  name: '0030_second_factors',
  async up(db) {
    await db.schema
      .createTable('second_factors')
      .addColumn('id', 'text', (column) => column.primaryKey())
      .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id').onDelete('cascade'))
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('last_used_at', 'bigint')
      .addColumn('secret', 'text')
      .addColumn('last_step', 'bigint')
      .addColumn('credential_id', 'text', (column) => column.unique())
      .addColumn('public_key', 'text')
      .addColumn('sign_count', 'bigint')
      .execute()
    await db.schema.createIndex('second_factors_of_account').on('second_factors').column('account_id').execute()
    await db.schema
      .createTable('recovery_codes')
      .addColumn('account_id', 'text', (column) => column.notNull().references('accounts.id').onDelete('cascade'))
      .addColumn('code_hash', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('recovery_codes_pk', ['account_id', 'code_hash'])
      .execute()
    await db.schema
      .createTable('factor_challenges')
      .addColumn('token_hash', 'text', (column) => column.primaryKey())
      .addColumn('purpose', 'text', (column) => column.notNull())
      .addColumn('account_id', 'text', (column) => column.references('accounts.id').onDelete('cascade'))
      .addColumn('challenge', 'text', (column) => column.notNull())
      .addColumn('failures', 'bigint', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('factor_challenges_expiry').on('factor_challenges').column('expires_at').execute()
  },
}

export const mailsMigration: Migration = {
  name: '0033_mails',
  async up(db, engine) {
    await db.schema
      .createTable('mails')
      .addColumn('id', 'bigint', (column) => column.primaryKey())
      .addColumn('recipient', 'text', (column) => column.notNull())
      .addColumn('subject', 'text', (column) => column.notNull())
      .addColumn('text', 'text', (column) => column.notNull())
      .addColumn('link_id', 'text')
      .addColumn('sealed_link', 'text')
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('sent_at', 'bigint')
      .addColumn('failed_at', 'bigint')
      .execute()
    await db.schema.createIndex('mails_of_link').on('mails').column('link_id').execute()
    await db.schema.createIndex('mails_age').on('mails').column('created_at').execute()
    await db.schema.createIndex('mails_to').on('mails').columns(['recipient', 'created_at']).execute()
    await createSequence(db, engine, 'mails')
    await db.schema.alterTable('one_time_links').addColumn('mailed_token_hash', 'text').execute()
    await db.schema
      .createIndex('one_time_links_mailed')
      .unique()
      .on('one_time_links')
      .column('mailed_token_hash')
      .execute()
  },
}

/** The accounts from before have been in use, and stay so. */
export const confirmedAddressesMigration: Migration = {
  name: '0034_confirmed_addresses',
  async up(db) {
    await db.schema.alterTable('accounts').addColumn('email_confirmed_at', 'bigint').execute()
    await db.schema
      .alterTable('accounts')
      .addColumn('must_confirm', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute()
    await db
      .updateTable('accounts')
      .set((eb) => ({ email_confirmed_at: eb.ref('created_at') }))
      .execute()
  },
}

export const mailRefusalsMigration: Migration = {
  name: '0035_mail_refusals',
  async up(db) {
    await db.schema.alterTable('mails').addColumn('refusal', 'text').execute()
  },
}

/** Of the owners from before, and of those whom an earlier version makes meanwhile, nobody knows who was asked. */
export const givenOwnersMigration: Migration = {
  name: '0066_given_owners',
  async up(db) {
    await db.schema.alterTable('members').addColumn('made_owner_at', 'bigint').execute()
  },
}
