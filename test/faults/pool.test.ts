import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { sql } from 'kysely'
import { Client } from 'pg'
import { WritablePool } from '../../src/platform/storage/postgres/pool.ts'
import { openPostgresStorage } from '../../src/platform/storage/postgres/storage.ts'
import { prepare } from '../../src/platform/storage/prepared.ts'
import { defineWrite } from '../../src/platform/storage/storage.ts'
import { openPostgres, type PostgresDatabases } from '../harness/postgres.ts'
import { until } from '../harness/until.ts'
import { startSilentProxy } from './silent-proxy.ts'

/** Longer than anybody waits for a connection. */
const STILL_MS = 6000

let postgres: PostgresDatabases
before(async () => {
  postgres = await openPostgres()
})
after(() => postgres[Symbol.asyncDispose]())

test('a process that stands still while it connects does not take the database for unreachable', async () => {
  const pool = new WritablePool(await postgres.createDatabase(), assert.fail)
  const first = await pool.connect()
  const second = pool.connect()
  await turn()
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, STILL_MS)
  const { rows } = await (await second).query('select $1::int as one', [1])
  assert.deepEqual(rows, [{ one: 1 }])
  for (const client of [first, await second]) client.release()
  await pool.end()
})

test('a transaction whose connection ended before its COMMIT runs again, and is stored once', async () => {
  const url = new URL(await postgres.createDatabase())
  await using admin = await connected(url)
  await admin.query('create table kennel (name text)')
  await using proxy = await startSilentProxy(postgres.port)
  url.port = String(proxy.port)
  await using storage = await openPostgresStorage(url.href, () => {})
  let tries = 0
  const admit = defineWrite('test.admit', async (db, name: string) => {
    await sql`insert into kennel values (${name})`.execute(db)
    if (++tries === 1) proxy.reset()
    await sql`insert into kennel values (${`${name}'s friend`})`.execute(db)
  })
  await storage.write(admit, 'Rex')
  assert.equal(tries, 2)
  const { rows } = await admin.query('select name from kennel order by name')
  assert.deepEqual(rows, [{ name: 'Rex' }, { name: "Rex's friend" }])
})

test('a transaction that the server ends changes nothing before its COMMIT, and leaves a doubt at it', async () => {
  const url = new URL(await postgres.createDatabase())
  await using admin = await connected(url)
  await admin.query(`
    create table kennel (name text);
    create function end_connection() returns trigger as
      'begin perform pg_terminate_backend(pg_backend_pid()); return null; end' language plpgsql;
    create trigger at_once after insert on kennel
      for each row when (new.name = 'Rex') execute function end_connection();
    create constraint trigger at_commit after insert on kennel deferrable initially deferred
      for each row when (new.name = 'Ida') execute function end_connection()`)
  await using storage = await openPostgresStorage(url.href, () => {})
  const admit = defineWrite('test.admit', async (db, name: string) => {
    await sql`insert into kennel values (${name})`.execute(db)
  })
  await assert.rejects(storage.write(admit, 'Rex'), { message: /Nothing was changed/, headers: { 'Retry-After': '2' } })
  const headers = { 'Retry-After': '2', 'Petstore-Outcome': 'unknown' }
  await assert.rejects(storage.write(admit, 'Ida'), { message: /it may be done/, headers })
})

test('a connection that the server ends while it is being closed is no trouble', async () => {
  const url = new URL(await postgres.createDatabase())
  await using admin = await connected(url)
  await using proxy = await startSilentProxy(postgres.port)
  url.port = String(proxy.port)
  const troubles: Error[] = []
  const pool = new WritablePool(url.href, (error) => troubles.push(error))
  const client = await pool.connect()
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid', [])
  client.release()

  const { pid } = rows[0] as { pid: number }
  const isThere = async () => (await admin.query('select from pg_stat_activity where pid = $1', [pid])).rowCount === 1
  proxy.freeze()
  await admin.query('select pg_terminate_backend($1)', [pid])
  await until('it has said so and gone', async () => !(await isThere()))
  await pool.end()
  proxy.thaw()
  await until('this end has heard it', () => proxy.connections === 0)
  assert.deepEqual(troubles, [])
})

test('behind a read that could not be prepared for a lock, others wait in the pool like that one', async () => {
  const url = new URL(await postgres.createDatabase())
  await using admin = await connected(url)
  await using watch = await connected(url)
  await admin.query('create table kennel (name text)')
  await admin.query("insert into kennel values ('Rex')")
  // The longest that anybody waits here is what the test itself holds.
  url.searchParams.set('options', '-c lock_timeout=0 -c statement_timeout=0')
  await using storage = await openPostgresStorage(url.href, assert.fail, { connectionsMax: 4 })
  const named = prepare('who in a kennel has a name', (db, { name }: { name: string }) =>
    db
      .selectFrom('kennel' as never)
      .select('name' as never)
      .where('name' as never, '=', name as never),
  )

  await admin.query('begin')
  await admin.query('lock table kennel in access exclusive mode')
  const reads = Promise.all(Array.from({ length: 3 }, () => named(storage.read, { name: 'Rex' })))
  await until('all of them wait for the lock', async () => {
    const { rowCount } = await watch.query(
      `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
    )
    return rowCount === 3
  })
  await admin.query('rollback')
  assert.deepEqual(await reads, [[{ name: 'Rex' }], [{ name: 'Rex' }], [{ name: 'Rex' }]])
})

async function connected(url: URL): Promise<Client & AsyncDisposable> {
  const client = new Client(url.href)
  await client.connect()
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() })
}
