import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { Client } from 'pg'
import { checkPostgres } from '../../src/commands/doctor/postgres.ts'
import { writeWhole } from '../../src/commands/move/target.ts'
import { readConfig } from '../../src/config.ts'
import { migrations } from '../../src/migrations.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { copyEverything } from '../../src/platform/storage/copy/copy.ts'
import { Fingerprint } from '../../src/platform/storage/copy/fingerprint.ts'
import { readSequences, writeSequences } from '../../src/platform/storage/copy/sequences.ts'
import {
  type ColumnKind,
  kindOf,
  type Side,
  type TableShape,
  tableShapes,
} from '../../src/platform/storage/copy/shapes.ts'
import { insertRows } from '../../src/platform/storage/rows/insert-rows.ts'
import { migrate } from '../../src/platform/storage/migrations.ts'
import { openStorage } from '../../src/platform/storage/open.ts'
import { openPostgresStorage } from '../../src/platform/storage/postgres/storage.ts'
import { openSqlite } from '../../src/platform/storage/sqlite/connection.ts'
import { openPostgres, type PostgresDatabases } from '../harness/postgres.ts'
import { temporaryDirectory } from './command.ts'

let postgres: PostgresDatabases
before(async () => {
  postgres = await openPostgres()
})
after(() => postgres[Symbol.asyncDispose]())

test('every table that exists is copied whole, from SQLite to PostgreSQL and back', async () => {
  using directory = temporaryDirectory()
  const first = await openFile(join(directory.path, 'first'))
  const second = await openFile(join(directory.path, 'second'))
  const url = await postgres.createDatabase()
  await using storage = await openPostgresStorage(url, assert.fail, { unhurried: true })
  await migrate(storage.read, 'postgres', migrations)
  const from: Side = { db: first.db, engine: 'sqlite' }
  const to: Side = { db: second.db, engine: 'sqlite' }

  const shapes = await tableShapes(from)
  const introspected = (await first.db.introspection.getTables()).map(({ name }) => name)
  const own = ['sequences', 'resource_versions', 'pets_shown', 'limit_levels', 'instances']
  const known = [...shapes.map(({ name }) => name), ...own]
  assert.deepEqual(known.sort(), introspected.sort())
  assert.ok(shapes.length > 30, `only ${shapes.length} tables`)
  for (const shape of shapes) await insertRows(first.db, shape.name as never, [1, 2, 3].map(rowOf(shape)) as never)
  const sequences = await readSequences(from)
  await writeSequences(from, new Map([...sequences.keys()].map((name, index) => [name, index * 1000])))

  await storage.read.transaction().execute(async (db) => {
    const middle: Side = { db, engine: 'postgres' }
    const there = await copyEverything(from, middle, () => {})
    assert.ok(there.every(({ rows }) => rows === 3))
    const back = await second.db.transaction().execute((tx) => copyEverything(middle, { ...to, db: tx }, () => {}))
    assert.deepEqual(hashes(back), hashes(there))
    assert.deepEqual(await readSequences(middle), await readSequences(from))
    assert.deepEqual(await readSequences(to), await readSequences(from))
  })
  first.close()
  second.close()
})

test('a database that cannot hold every letter is refused before anything is written there', async () => {
  using directory = temporaryDirectory()
  const url = await postgres.createDatabase()
  const name = new URL(url).pathname.slice(1)
  const server = url.replace(name, 'postgres')
  await ask(server, `drop database ${name}`)
  await ask(server, `create database ${name} encoding 'LATIN1' locale 'C' template template0`)
  const refusal = /has the encoding LATIN1.*createdb --encoding=UTF8 --locale=C --template=template0/s
  const choice = { dataDirectory: directory.path, databaseUrl: url, migrations, onError: assert.fail }
  await assert.rejects(openStorage(choice), refusal)
  await assert.rejects(
    writeWhole({ engine: 'postgres', url }, () => assert.fail()),
    refusal,
  )
  const config = readConfig({ PETSTORE_DATA: directory.path })
  const told = (await checkPostgres(config, url, systemClock)).find(({ name }) => name === 'encoding')
  assert.equal(told?.state, 'fail')
  assert.match(told.message, refusal)
  assert.deepEqual(await ask(url, "select 1 from pg_tables where schemaname = 'public'"), [])
})

async function ask(url: string, question: string): Promise<unknown[]> {
  const client = new Client(url)
  await client.connect()
  try {
    return (await client.query(question)).rows
  } finally {
    await client.end()
  }
}

test('a kind of column that nobody has thought of is refused', () => {
  assert.throws(() => kindOf('jsonb', 'pets.tags'), /jsonb.*pets\.tags/)
})

test('a hash tells a changed, a missing and a doubled row, and not the order', () => {
  const shape: TableShape = {
    name: 'pets',
    columns: [
      { name: 'name', kind: 'text' },
      { name: 'held', kind: 'boolean' },
    ],
  }
  const digest = (...rows: object[]) => {
    const fingerprint = new Fingerprint(shape)
    for (const row of rows) fingerprint.add(row as Record<string, unknown>)
    return fingerprint.digest()
  }
  const [rex, mia] = [
    { name: 'Rex', held: 1 },
    { name: 'Mia', held: null },
  ]
  assert.equal(digest(rex, mia), digest(mia, { ...rex, held: true }))
  const others = [
    digest(rex),
    digest(rex, rex, mia),
    digest(rex, { ...mia, held: 0 }),
    digest(rex, { ...mia, name: '' }),
  ]
  assert.equal(new Set([digest(rex, mia), ...others]).size, 5)
})

async function openFile(file: string) {
  const connection = openSqlite(file, { readOnly: false })
  await migrate(connection.db, 'sqlite', migrations)
  return connection
}

/** Values follow from their kind and the row's number alone: so every reference leads to a row. */
const rowOf = (shape: TableShape) => (number: number) =>
  Object.fromEntries(shape.columns.map(({ name, kind }) => [name, VALUES[kind](number)]))

const VALUES: Record<ColumnKind, (number: number) => unknown> = {
  integer: (number) => number,
  text: (number) => `“${number}” 'ü' \\ 🐕`,
  bytes: (number) => Buffer.from([0, number, 255]),
  boolean: (number) => number === 1,
}

const hashes = (tables: readonly { table: string; sha256: string }[]) =>
  Object.fromEntries(tables.map(({ table, sha256 }) => [table, sha256]))
