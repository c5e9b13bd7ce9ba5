import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { Client } from 'pg'
import { hashKey } from '../../src/features/keys/format.ts'
import { findKeyByHash } from '../../src/features/keys/queries.ts'
import { findProjectBySlug, findProjectForUpdate } from '../../src/features/projects/queries.ts'
import { migrations } from '../../src/migrations.ts'
import { createLargeIndex, type Migration } from '../../src/platform/storage/migrations.ts'
import { openStorage } from '../../src/platform/storage/open.ts'
import { defineWrite } from '../../src/platform/storage/storage.ts'
import { freePorts } from '../harness/free-ports.ts'
import { startTestPetstore } from '../harness/petstore.ts'
import { openPostgres, type PostgresDatabases } from '../harness/postgres.ts'
import { until } from '../harness/until.ts'
import { expect, openHouse } from '../platform-api/house.ts'

/** What a later version might bring: a column, and an index on the largest table. */
const LATER: readonly Migration[] = [
  {
    name: '9998_breed',
    async up(db) {
      await db.schema.alterTable('pets').addColumn('breed', 'text').execute()
    },
  },
  {
    name: '9999_pets_by_name',
    inTransaction: false,
    up: (db, engine) => createLargeIndex(db, engine, 'pets_by_name', 'pets (project_id, environment, name)'),
  },
]

let postgres: PostgresDatabases
let dataDirectory: string
before(async () => {
  postgres = await openPostgres()
  dataDirectory = mkdtempSync(join(tmpdir(), 'petstore-upgrade-'))
})
after(async () => {
  await postgres[Symbol.asyncDispose]()
  rmSync(dataDirectory, { recursive: true })
})

async function openLater(databaseUrl: string | undefined, later = LATER, directory = dataDirectory): Promise<void> {
  const all = [...migrations, ...later]
  const storage = await openStorage({ dataDirectory: directory, databaseUrl, migrations: all, onError: () => {} })
  await storage[Symbol.asyncDispose]()
}

async function connected(url: string) {
  const client = new Client(url)
  await client.connect()
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() })
}

test('an instance serves on while newer ones migrate the schema, and does not start on it again', async () => {
  const DATABASE_URL = await postgres.createSchema()
  await using present = await startTestPetstore({ environment: { DATABASE_URL } })
  let upgrading = true
  const statuses = new Set<number>()
  const use = async () => {
    while (upgrading) {
      const pet = await present.call('/pets', { method: 'POST', body: { name: 'Rex', categoryId: 1 } })
      await pet.arrayBuffer()
      const list = await present.call('/pets')
      await list.arrayBuffer()
      statuses.add(pet.status).add(list.status)
    }
  }
  const using = [use(), use()]
  await Promise.all([openLater(DATABASE_URL), openLater(DATABASE_URL), openLater(DATABASE_URL)])
  upgrading = false
  await Promise.all(using)
  assert.deepEqual([...statuses].sort(), [200, 201])
  assert.equal((await present.call('/pets', { method: 'POST', body: { name: 'Rex', categoryId: 1 } })).status, 201)
  await assert.rejects(
    startTestPetstore({ environment: { DATABASE_URL } }),
    /newer version of Petstore.*9999_pets_by_name/,
  )
})

/** The statements of a read by itself, of one on its way with others, and of a transaction. */
const readInTransaction = defineWrite('test.read', (db, id: number, engine) => findProjectForUpdate(db, engine, id))

const everywhere: Migration = {
  name: '9996_everywhere',
  async up(db) {
    for (const { name } of await db.introspection.getTables()) {
      await db.schema.alterTable(name).addColumn('later', 'text').execute()
    }
  },
}

for (const engine of ['sqlite', 'postgres'] as const) {
  test(`an instance serves on when a newer one has added a column to any of its tables (${engine})`, async () => {
    const databaseUrl = engine === 'postgres' ? await postgres.createSchema() : undefined
    await using house = await openHouse({ databaseUrl })
    const { shop, operator } = house
    const { storage } = shop.petstore
    const use = async () => {
      const pet = await shop.call('/pets', { method: 'POST', body: { name: 'Rex', categoryId: 1 } })
      await pet.arrayBuffer()
      const [key] = await findKeyByHash(storage.read, { hash: hashKey(shop.keys.production) })
      const project = await findProjectBySlug(storage.read, 'petstore')
      const locked = await storage.write(readInTransaction, project?.id ?? 0)
      const sessions = expect(200, await operator.browser.get('/sessions'))
      const told = sessions.map(({ current }: { current: boolean }) => current)
      return { pet: pet.status, key: key?.environment, project: project?.slug, locked: locked?.slug, sessions: told }
    }
    const asEver = { pet: 201, key: 'production', project: 'petstore', locked: 'petstore', sessions: [true] }
    assert.deepEqual(await use(), asEver)
    await openLater(databaseUrl, [everywhere], shop.config.dataDirectory)
    assert.deepEqual(await use(), asEver)
  })
}

test('a step that waits for its lock lets the readers behind it pass', async () => {
  const DATABASE_URL = await postgres.createSchema()
  await using present = await startTestPetstore({ environment: { DATABASE_URL } })
  await using reader = await connected(DATABASE_URL)
  await using watcher = await connected(DATABASE_URL)
  await reader.query('begin')
  await reader.query('select * from pets')
  const upgraded = openLater(DATABASE_URL)
  const waiting = `select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query ilike 'alter table "pets"%'`
  await until('the step waits', async () => (await watcher.query(waiting)).rows.length > 0)
  assert.equal((await present.call('/pets')).status, 200)
  await reader.query('commit')
  await upgraded
})

test('a reader tries again when a step has the table for longer than one try', async () => {
  const DATABASE_URL = await postgres.createSchema()
  await using present = await startTestPetstore({ environment: { DATABASE_URL } })
  await using step = await connected(DATABASE_URL)
  await using watcher = await connected(DATABASE_URL)
  await step.query('begin')
  await step.query('lock table pets in access exclusive mode')
  let status: number | undefined
  const answered = present.call('/pets').then((response) => (status = response.status))
  const tries = new Set<string>()
  const waiting = `select query_start::text from pg_stat_activity
    where datname = current_database() and application_name = 'petstore' and wait_event_type = 'Lock'`
  // Once in a lane, once in the pool, and once more there.
  await until('the reader waits again', async () => {
    const { rows } = await watcher.query<{ query_start: string }>(waiting)
    for (const { query_start } of rows) tries.add(query_start)
    return tries.size > 2 || status !== undefined
  })
  await step.query('commit')
  await answered
  assert.equal(status, 200)
})

test('a start that brings the schema up to date lives, and is not ready', async () => {
  const DATABASE_URL = await postgres.createSchema()
  const [PETSTORE_ADMIN_PORT = 0] = await freePorts(1)
  await using other = await connected(DATABASE_URL)
  await other.query('begin')
  await other.query('lock table kysely_migration in access exclusive mode')
  const starting = startTestPetstore({ environment: { DATABASE_URL, PETSTORE_ADMIN_PORT: `${PETSTORE_ADMIN_PORT}` } })
  await using closing = new AsyncDisposableStack()
  closing.defer(async () => void (await (await starting)[Symbol.asyncDispose]()))
  const ask = (path: string) => fetch(`http://127.0.0.1:${PETSTORE_ADMIN_PORT}${path}`)
  let hasStarted = false
  const started = starting.then(() => (hasStarted = true))
  try {
    await until('it says that it lives', () =>
      ask('/livez').then(
        ({ ok }) => ok,
        () => false,
      ),
    )
    const answer = await ask('/readyz')
    assert.deepEqual([answer.status, await answer.text()], [503, 'The service is starting.\n'])
    assert.equal(hasStarted, false)
  } finally {
    await other.query('rollback')
  }
  await started
  assert.equal((await ask('/readyz')).status, 200)
})

test('an index whose building was interrupted is built anew', async () => {
  const DATABASE_URL = await postgres.createSchema()
  await using present = await startTestPetstore({ environment: { DATABASE_URL } })
  for (const name of ['Rex', 'Rex']) {
    await present.call('/pets', { method: 'POST', body: { name, categoryId: 1 } })
  }
  await using client = await connected(DATABASE_URL)
  // A build that fails leaves what a crash leaves: an index that is not valid.
  await assert.rejects(client.query('create unique index concurrently pets_by_name on pets (name)'))
  const valid = async () => {
    const { rows } = await client.query<{ indisvalid: boolean }>(
      `select indisvalid from pg_index where indexrelid = 'pets_by_name'::regclass`,
    )
    return rows.map(({ indisvalid }) => indisvalid)
  }
  assert.deepEqual(await valid(), [false])
  await openLater(DATABASE_URL)
  assert.deepEqual(await valid(), [true])
})

test('an index whose building was given up because of another transaction is built anew', async () => {
  const DATABASE_URL = await postgres.createSchema()
  await using writer = await connected(DATABASE_URL)
  await using operator = await connected(DATABASE_URL)
  await using watcher = await connected(DATABASE_URL)
  const waits = (query: string) =>
    until(`${query} waits`, async () => {
      const waiting = `select 1 from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query ilike '${query}%'`
      return (await watcher.query(waiting)).rows.length > 0
    })
  await writer.query('begin; lock table pets in row exclusive mode')
  const upgraded = openLater(DATABASE_URL, LATER.slice(1))
  await waits('create index concurrently')
  // Waits for the build with a snapshot, for which the build waits in turn; the server ends the one who came last.
  await operator.query(`begin isolation level repeatable read; set local deadlock_timeout = '1h'; select 1`)
  const locked = operator.query('lock table pets in share update exclusive mode')
  await waits('lock table')
  await writer.query('commit')
  await locked
  await operator.query('commit')
  await upgraded
  const { rows } = await watcher.query(`select indisvalid from pg_index where indexrelid = 'pets_by_name'::regclass`)
  assert.deepEqual(rows, [{ indisvalid: true }])
})

test('limits of time that the database sets for everybody end no step', async () => {
  const DATABASE_URL = await postgres.createSchema()
  await using client = await connected(DATABASE_URL)
  const known = await client.query(`select name from pg_settings where name = 'transaction_timeout'`)
  const limits = ['statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout']
  for (const limit of [...limits, ...known.rows.map(({ name }) => name)]) {
    await client.query(`alter database ${new URL(DATABASE_URL).pathname.slice(1)} set ${limit} = '200ms'`)
  }
  const slow: Migration = {
    name: '9997_slow',
    inTransaction: false,
    async up(db) {
      await sql`select pg_sleep(0.4)`.execute(db)
    },
  }
  await openLater(DATABASE_URL, [slow])
  const { rows } = await client.query(`select name from kysely_migration where name = '9997_slow'`)
  assert.equal(rows.length, 1)
})
