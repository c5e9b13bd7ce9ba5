import { createLargeIndex, type Migration } from '../../platform/storage/migrations.ts'
import type { Db } from '../../platform/storage/tables.ts'

export const certificatesMigration: Migration = {
  name: '0015_certificates',
  async up(db) {
    await createCertificates(db)
    await createIssuances(db)
    await createAuthorities(db)
  },
}

export const revocationsMigration: Migration = {
  name: '0017_revocations',
  async up(db) {
    await db.schema
      .createTable('revoked_certificates')
      .addColumn('serial', 'text', (column) => column.primaryKey())
      .addColumn('reason', 'text', (column) => column.notNull())
      .addColumn('revoked_at', 'bigint', (column) => column.notNull())
      .addColumn('not_after', 'bigint', (column) => column.notNull())
      .execute()
  },
}

export const nextAttemptsMigration: Migration = {
  name: '0036_next_attempts',
  async up(db) {
    await db.schema.alterTable('issuances').addColumn('next_attempt_at', 'bigint').execute()
  },
}

export const servedNamesMigration: Migration = {
  name: '0047_served_names',
  async up(db) {
    await db.schema
      .createTable('served_names')
      .addColumn('instance', 'text', (column) => column.notNull())
      .addColumn('hostname', 'text', (column) => column.notNull())
      .addColumn('seen_at', 'bigint', (column) => column.notNull())
      .addColumn('serial', 'text')
      .addColumn('not_after', 'bigint')
      .addColumn('status', 'bigint')
      .addColumn('problem', 'text')
      .addPrimaryKeyConstraint('served_names_pk', ['instance', 'hostname'])
      .execute()
    await db.schema.createIndex('served_names_of_hostname').on('served_names').column('hostname').execute()
  },
}

export const challengeLabelsMigration: Migration = {
  name: '0050_challenge_labels',
  async up(db) {
    await db.schema.alterTable('challenge_answers').addColumn('label', 'text').execute()
    await db.schema.createIndex('challenge_answers_at_label').on('challenge_answers').column('label').execute()
  },
}

/** So that certificates of other authorities are found without looking at all. */
export const certificateIssuersMigration: Migration = {
  name: '0059_certificate_issuers',
  inTransaction: false,
  up: (db, engine) => createLargeIndex(db, engine, 'certificates_by_issuer', 'certificates (issuer)'),
}

/** The platform's names are no project's: what their operators have heard of is kept here. */
export const toldLivesMigration: Migration = {
  name: '0054_told_lives',
  async up(db) {
    await db.schema
      .createTable('told_lives')
      .addColumn('hostname', 'text', (column) => column.notNull())
      .addColumn('not_after', 'bigint', (column) => column.notNull())
      .addColumn('percent', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('told_lives_pk', ['hostname', 'not_after', 'percent'])
      .execute()
  },
}

/** Who removes a domain may want its certificates revoked: that outlives the domain and its project. */
export const revocationWishesMigration: Migration = {
  name: '0055_revocation_wishes',
  async up(db) {
    await db.schema.alterTable('certificates').addColumn('revoke_for', 'bigint').execute()
  },
}

async function createCertificates(db: Db): Promise<void> {
  await db.schema
    .createTable('certificates')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('hostname', 'text', (column) => column.notNull())
    .addColumn('issuer', 'text', (column) => column.notNull())
    .addColumn('issuer_name', 'text', (column) => column.notNull())
    .addColumn('serial', 'text', (column) => column.notNull())
    .addColumn('fingerprint', 'text', (column) => column.notNull())
    .addColumn('chain', 'text', (column) => column.notNull())
    .addColumn('sealed_key', 'text', (column) => column.notNull())
    .addColumn('not_before', 'bigint', (column) => column.notNull())
    .addColumn('not_after', 'bigint', (column) => column.notNull())
    .addColumn('issued_at', 'bigint', (column) => column.notNull())
    .addColumn('renew_at', 'bigint', (column) => column.notNull())
    .addColumn('advice_due_at', 'bigint')
    .addColumn('advice', 'text')
    .addColumn('revoked_at', 'bigint')
    .execute()
  await db.schema
    .createIndex('certificates_of_hostname')
    .on('certificates')
    .columns(['hostname', 'issued_at'])
    .execute()
  await db.schema.createIndex('certificates_by_end').on('certificates').column('not_after').execute()
}

async function createIssuances(db: Db): Promise<void> {
  await db.schema
    .createTable('issuances')
    .addColumn('hostname', 'text', (column) => column.primaryKey())
    .addColumn('since', 'bigint', (column) => column.notNull())
    .addColumn('issuance_order', 'text')
    .addColumn('sealed_key', 'text')
    .addColumn('failures', 'bigint', (column) => column.notNull())
    .addColumn('attempted_at', 'bigint')
    .addColumn('problem', 'text')
    .execute()
  await db.schema
    .createTable('challenge_answers')
    .addColumn('hostname', 'text', (column) => column.notNull())
    .addColumn('token', 'text', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('key_authorization', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('challenge_answers_pk', ['hostname', 'token'])
    .execute()
}

async function createAuthorities(db: Db): Promise<void> {
  await db.schema
    .createTable('acme_accounts')
    .addColumn('directory_url', 'text', (column) => column.primaryKey())
    .addColumn('sealed_key', 'text', (column) => column.notNull())
    .addColumn('url', 'text')
    .execute()
  await db.schema
    .createTable('ca_meters')
    .addColumn('issuer', 'text', (column) => column.notNull())
    .addColumn('meter', 'text', (column) => column.notNull())
    .addColumn('spent_until', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('ca_meters_pk', ['issuer', 'meter'])
    .execute()
  await db.schema
    .createTable('ca_roots')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('certificate', 'text', (column) => column.notNull())
    .addColumn('sealed_key', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute()
}
