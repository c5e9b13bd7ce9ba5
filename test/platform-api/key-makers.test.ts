import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { type KyselyPlugin, sql } from 'kysely'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { storageOf } from '../../src/features/audit/audited.ts'
import { keyLivesMigration, keyMakersMigration } from '../../src/features/keys/migration.ts'
import { migrations } from '../../src/migrations.ts'
import { HOUR_MS, ManualClock } from '../../src/platform/clock.ts'
import type { Migration } from '../../src/platform/storage/migrations.ts'
import { openStorage } from '../../src/platform/storage/open.ts'
import { defineWrite } from '../../src/platform/storage/storage.ts'

const ADA = { kind: 'account', id: 'acc_ada', name: 'ada@example.com' } as const

const insertOldProject = defineWrite('test.insertOldProject', async (db, { projectId }: { projectId: number }) => {
  await sql`insert into projects (id, slug, name, plan, created_at)
    values (${projectId}, 'kennel', 'Kennel', 'pro', 0)`.execute(db)
})

/** A key as it was written before keys named their maker. */
const insertOldKey = defineWrite(
  'test.insertOldKey',
  async (db, { id, projectId, from }: { id: string; projectId: number; from: string | null }) => {
    const named = { id, hash: id, hint: id, name: id, scopes: 'read', environment: 'staging' as const }
    await db
      .insertInto('keys')
      .values({ ...named, project_id: projectId, created_at: id.length, rotated_from: from })
      .execute()
  },
  { note: ({ id, from }) => ({ verb: from === null ? 'key.create' : 'key.rotate', subject: from ?? id }) },
)

interface OldKey {
  id: string
  created_at: number
  expires_at: number | null
  rotated_from: string | null
}

const insertKeyOf = defineWrite('test.insertKeyOf', async (db, { id, ...times }: OldKey) => {
  const named = { id, hash: id, hint: id, name: id, scopes: 'read', environment: 'staging' as const }
  await db
    .insertInto('keys')
    .values({ ...named, ...times, project_id: 1 })
    .execute()
})

/** All migrations, and how many statements one of them took. */
function countedIn(migration: Migration) {
  let statements = 0
  const counter: KyselyPlugin = {
    transformQuery: ({ node }) => (statements++, node),
    transformResult: async ({ result }) => result,
  }
  const counted: Migration = { ...migration, up: (db, engine) => migration.up(db.withPlugin(counter), engine) }
  return { all: migrations.map((one) => (one === migration ? counted : one)), statements: () => statements }
}

test('keys from before name the maker that the audit log knows, and so do their successors', async () => {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'petstore-makers-'))
  const clock = new ManualClock(0)
  const choice = { dataDirectory, databaseUrl: undefined, onError: () => {} }
  try {
    {
      const before = migrations.filter(({ name }) => name < keyMakersMigration.name)
      await using storage = await openStorage({ ...choice, migrations: before })
      const projectId = 1
      await storage.write(insertOldProject, { projectId })
      const asAda = storageOf(storage, ADA, clock)
      await storage.write(insertOldKey, { id: 'k', projectId, from: null })
      await asAda.write(insertOldKey, { id: 'ka', projectId, from: null })
      await asAda.write(insertOldKey, { id: 'kab', projectId, from: 'ka' })
      await asAda.write(insertOldKey, { id: 'kabc', projectId, from: 'kab' })
    }
    const { all, statements } = countedIn(keyMakersMigration)
    await using storage = await openStorage({ ...choice, migrations: all })
    assert.equal(statements(), 3, 'nobody can ask for a key meanwhile, however many there are')
    const keys = await storage.read.selectFrom('keys').select(['id', 'made_by']).orderBy('created_at').execute()
    assert.deepEqual(
      keys.map(({ id, made_by }) => `${id} ${made_by}`),
      ['k null', 'ka acc_ada', 'kab acc_ada', 'kabc acc_ada'],
    )
  } finally {
    rmSync(dataDirectory, { recursive: true })
  }
})

test('keys that were rotated before have the life of their first successor', async () => {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'petstore-lives-'))
  const choice = { dataDirectory, databaseUrl: undefined, onError: () => {} }
  /** Each expires with the overlap that it was rotated with, and the second successor was given that for a life. */
  const written = [
    ['endless', { created_at: 1, expires_at: 10, rotated_from: null }],
    ['endless-1', { created_at: 2, expires_at: 30, rotated_from: 'endless' }],
    ['endless-1-1', { created_at: 3, expires_at: null, rotated_from: 'endless-1' }],
    ['endless-2', { created_at: 4, expires_at: 13, rotated_from: 'endless' }],
    ['hour', { created_at: 5, expires_at: 20, rotated_from: null }],
    ['hour-1', { created_at: 6, expires_at: 6 + HOUR_MS, rotated_from: 'hour' }],
  ] as const
  try {
    {
      const before = migrations.filter(({ name }) => name < keyLivesMigration.name)
      await using storage = await openStorage({ ...choice, migrations: before })
      await storage.write(insertOldProject, { projectId: 1 })
      for (const [id, times] of written) await storage.write(insertKeyOf, { id, ...times })
    }
    const { all, statements } = countedIn(keyLivesMigration)
    await using storage = await openStorage({ ...choice, migrations: all })
    assert.equal(statements(), 2, 'nobody can ask for a key meanwhile, however many there are')
    const keys = await storage.read.selectFrom('keys').select(['id', 'lifetime_ms']).orderBy('created_at').execute()
    assert.deepEqual(
      keys.map(({ id, lifetime_ms }) => [id, lifetime_ms]),
      [
        ['endless', 0],
        ['endless-1', 0],
        ['endless-1-1', null],
        ['endless-2', null],
        ['hour', HOUR_MS],
        ['hour-1', null],
      ],
    )
  } finally {
    rmSync(dataDirectory, { recursive: true })
  }
})
