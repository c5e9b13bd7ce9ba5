import { sql } from 'kysely'
import type { Migration } from '../../platform/storage/migrations.ts'
import { createSequence } from '../../platform/storage/sequence.ts'
import type { Db, Engine } from '../../platform/storage/tables.ts'

export const deploysMigration: Migration = {
  name: '0012_deploys',
  async up(db, engine) {
    await createBlobs(db, engine)
    await createManifests(db, engine)
    await createDeploys(db, engine)
  },
}

async function createBlobs(db: Db, engine: Engine): Promise<void> {
  await db.schema
    .createTable('blobs')
    .addColumn('id', 'bigint', (column) => column.primaryKey())
    .addColumn('sha256', 'text', (column) => column.unique())
    .addColumn('identity_bytes', 'bigint', (column) => column.notNull())
    .addColumn('br_bytes', 'bigint')
    .addColumn('gzip_bytes', 'bigint')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute()
  await createSequence(db, engine, 'blobs')
  await db.schema
    .createTable('blob_chunks')
    .addColumn('blob_id', 'bigint', (column) => column.notNull().references('blobs.id').onDelete('cascade'))
    .addColumn('encoding', 'text', (column) => column.notNull())
    .addColumn('place', 'bigint', (column) => column.notNull())
    .addColumn('content', engine === 'postgres' ? 'bytea' : 'blob', (column) => column.notNull())
    .addPrimaryKeyConstraint('blob_chunks_pk', ['blob_id', 'encoding', 'place'])
    .execute()
  // Two of three chunks are compressed already: trying again would only cost time.
  if (engine === 'postgres') await sql`alter table blob_chunks alter column content set storage external`.execute(db)
  const holds = db.schema
    .createTable('blob_holds')
    .addColumn('holder', 'text', (column) => column.notNull())
    .addColumn('blob_id', 'bigint', (column) => column.notNull().references('blobs.id').onDelete('restrict'))
    .addColumn('bytes', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('blob_holds_pk', ['holder', 'blob_id'])
  await (engine === 'sqlite' ? holds.modifyEnd(sql`without rowid`) : holds).execute()
  await db.schema.createIndex('blob_holds_by_blob').on('blob_holds').column('blob_id').execute()
  await db.schema.createIndex('blob_holds_expiry').on('blob_holds').column('expires_at').execute()
}

async function createManifests(db: Db, engine: Engine): Promise<void> {
  await db.schema
    .createTable('manifests')
    .addColumn('id', 'bigint', (column) => column.primaryKey())
    .addColumn('hash', 'text', (column) => column.unique())
    .addColumn('files', 'bigint', (column) => column.notNull())
    .addColumn('bytes', 'bigint', (column) => column.notNull())
    .execute()
  await createSequence(db, engine, 'manifests')
  const files = db.schema
    .createTable('manifest_files')
    .addColumn('manifest_id', 'bigint', (column) => column.notNull().references('manifests.id').onDelete('cascade'))
    .addColumn('path', 'text', (column) => column.notNull())
    .addColumn('blob_id', 'bigint', (column) => column.notNull().references('blobs.id').onDelete('restrict'))
    .addPrimaryKeyConstraint('manifest_files_pk', ['manifest_id', 'path'])
  await (engine === 'sqlite' ? files.modifyEnd(sql`without rowid`) : files).execute()
  await db.schema.createIndex('manifest_files_by_blob').on('manifest_files').column('blob_id').execute()
}

async function createDeploys(db: Db, engine: Engine): Promise<void> {
  await db.schema
    .createTable('deploys')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('seq', 'bigint', (column) => column.notNull())
    .addColumn('project_id', 'bigint', (column) => column.notNull().references('projects.id').onDelete('cascade'))
    .addColumn('manifest_id', 'bigint', (column) => column.notNull().references('manifests.id').onDelete('restrict'))
    .addColumn('source', 'text', (column) => column.notNull())
    .addColumn('created_by', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute()
  await createSequence(db, engine, 'deploys')
  await db.schema.createIndex('deploys_of_project').on('deploys').columns(['project_id', 'seq']).execute()
  await db.schema.createIndex('deploys_of_manifest').on('deploys').column('manifest_id').execute()
  await db.schema
    .createTable('active_deploys')
    .addColumn('project_id', 'bigint', (column) => column.primaryKey().references('projects.id').onDelete('cascade'))
    .addColumn('deploy_id', 'text', (column) => column.notNull().unique().references('deploys.id'))
    .addColumn('activated_at', 'bigint', (column) => column.notNull())
    .execute()
}

/** A name, a message, and by what the deploy came. */
export const deployLabelsMigration: Migration = {
  name: '0041_deploy_labels',
  async up(db) {
    for (const column of ['name', 'message', 'via']) {
      await db.schema.alterTable('deploys').addColumn(column, 'text').execute()
    }
  },
}

/**
 * When visitors last saw a deploy: what they have seen is not forgotten for previews. Of those from before, the audit
 * log knows which were previews; where it says nothing, the deploy was published. Taken for previews, those would keep
 * their places for ever, and what is published since would have half of the history.
 */
export const shownDeploysMigration: Migration = {
  name: '0062_shown_deploys',
  async up(db) {
    await db.schema.alterTable('deploys').addColumn('shown_at', 'bigint').execute()
    const entries = sql`from audit_entries where project_id = deploys.project_id and subject = deploys.id`
    await sql`
      update deploys set shown_at = coalesce(
        (select max(at) ${entries} and verb in ('deploy.create', 'deploy.activate')),
        case when exists (select 1 ${entries} and verb = 'deploy.keep') then null else created_at end
      )`.execute(db)
  },
}
