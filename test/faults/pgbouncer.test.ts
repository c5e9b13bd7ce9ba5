import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { Client } from 'pg'
import { createKey, revokeKey } from '../../src/features/keys/keys.ts'
import { systemClock as clock } from '../../src/platform/clock.ts'
import { defineWrite } from '../../src/platform/storage/storage.ts'
import { runCommand, temporaryDirectory } from '../commands/command.ts'
import { startTestPetstore, type TestPetstore } from '../harness/petstore.ts'
import { openPostgres } from '../harness/postgres.ts'
import { until } from '../harness/until.ts'
import { startPgBouncer } from './pgbouncer.ts'

test('two instances work behind PgBouncer in transaction mode, from the first start on', async (t) => {
  await using postgres = await openPostgres()
  const databaseUrl = await postgres.createDatabase()
  const url = new URL(databaseUrl)
  await using bouncer = await startPgBouncer(Number(url.port))
  url.port = String(bouncer.port)
  url.searchParams.set('pgbouncer', 'true')
  const environment = { DATABASE_URL: url.href, PETSTORE_MASTER_KEY: 'ab'.repeat(32), PETSTORE_RATE_LIMIT: 'off' }
  await using one = await startTestPetstore({ environment })
  await using other = await startTestPetstore({ environment, keys: one.keys })

  await t.test('both add at once, with and without keys, more often than there are connections', async () => {
    const add = async (shop: TestPetstore, index: number) => {
      const headers: Record<string, string> = index % 2 === 0 ? { 'Idempotency-Key': `key ${index % 20}` } : {}
      const body = { name: `Rex ${index % 20}`, categoryId: 1 }
      const response = await shop.call('/pets', { method: 'POST', body, headers })
      // The same key may be under way in the same process.
      if (response.status !== 409) assert.equal(response.status, 201, await response.text())
    }
    await Promise.all(Array.from({ length: 80 }, (_, index) => add(index % 3 === 0 ? one : other, index)))
    const names = ((await (await one.call('/pets?limit=100')).json()) as { name: string }[]).map(({ name }) => name)
    assert.equal(names.filter((name) => Number(name.slice(4)) % 2 === 0).length, 10, 'one for each key')
    assert.equal(names.length, 50)
  })

  await t.test('an order is placed on one and ended on the other', async () => {
    const [{ id: petId }] = (await (await one.call('/pets?limit=1')).json()) as [{ id: number }]
    const placed = await one.call('/store/orders', { method: 'POST', body: { petId } })
    assert.equal(placed.status, 201)
    const { id } = (await placed.json()) as { id: number }
    const ended = await other.call(`/store/orders/${id}`, { method: 'PATCH', body: { status: 'completed' } })
    assert.equal(ended.status, 200)
  })

  await t.test('a transaction that the server ended for its silence is run again', async () => {
    await using opened = new AsyncDisposableStack()
    const direct = opened.adopt(new Client(databaseUrl), (client) => client.end())
    await direct.connect()
    let tries = 0
    const silent = defineWrite('test.silent', async (tx) => {
      const [session] = (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)).rows
      if (++tries > 1) return
      // As on a machine that stands still: PgBouncer hears of the end when the next statement lies there as well.
      bouncer.stop()
      await until('the server has ended it', async () => {
        const asked = await direct.query('select from pg_stat_activity where pid = $1', [session!.pid])
        return asked.rowCount === 0
      })
      const next = sql`select 1`.execute(tx)
      setImmediate(() => bouncer.goOn())
      await next
    })
    await one.petstore.storage.write(silent, undefined)
    assert.equal(tries, 2)
  })

  await t.test('a key that is revoked on one is refused on the other, without LISTEN', async () => {
    const needs = { storage: one.petstore.storage, clock }
    const { id, key } = await createKey(needs, 1, { environment: 'production' })
    const headers = { Authorization: `Bearer ${key}` }
    assert.equal((await other.call('/pets', { headers })).status, 200)
    await revokeKey(needs, 1, id)
    await until('the other refuses it', async () => (await other.call('/pets', { headers })).status === 401)
  })
})

test('neither give-up nor move overlooks an instance behind PgBouncer, whose connections have no name', async () => {
  await using postgres = await openPostgres()
  const databaseUrl = await postgres.createDatabase()
  const url = new URL(databaseUrl)
  await using bouncer = await startPgBouncer(Number(url.port), { idleMaxSeconds: 1 })
  url.port = String(bouncer.port)
  url.searchParams.set('pgbouncer', 'true')
  await using _shop = await startTestPetstore({ environment: { DATABASE_URL: url.href } })
  await using opened = new AsyncDisposableStack()
  const direct = opened.adopt(new Client(databaseUrl), (client) => client.end())
  await direct.connect()
  const named = `select from pg_stat_activity where datname = current_database() and application_name = 'petstore'`
  await until('the pooler has closed what it does not need', async () => (await direct.query(named)).rowCount === 1)
  using elsewhere = temporaryDirectory()
  const environment = { DATABASE_URL: url.href, PETSTORE_DATA: elsewhere.path }
  const { code, stderr } = await runCommand(['master-key', 'give-up', '--confirm'], { environment })
  assert.deepEqual([code, stderr.startsWith('A service or another command is using this database.')], [1, true])
  const moved = await runCommand(['move', join(elsewhere.path, 'new')], { environment })
  assert.deepEqual([moved.code, /^A service or another program, .* Stop it first, or/.test(moved.stderr)], [1, true])
})
