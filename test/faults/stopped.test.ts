import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { Client } from 'pg'
import { openPostgresStorage } from '../../src/platform/storage/postgres/storage.ts'
import { openPostgres, type PostgresDatabases } from '../harness/postgres.ts'
import { type ServiceProcess, startServiceProcess } from '../harness/service-process.ts'
import { until } from '../harness/until.ts'
import { createPet } from './storage-trouble.ts'

let postgres: PostgresDatabases
before(async () => {
  postgres = await openPostgres()
})
after(() => postgres[Symbol.asyncDispose]())

const WAITS = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`

/** While it is stopped, which is what a process that swaps or a host that is cut off looks like to the others. */
async function whileStopped<T>(service: ServiceProcess, work: () => Promise<T>): Promise<T> {
  process.kill(service.pid, 'SIGSTOP')
  try {
    return await work()
  } finally {
    process.kill(service.pid, 'SIGCONT')
  }
}

test('an instance that is stopped in the middle of adding holds up nobody else', async (t) => {
  const DATABASE_URL = await postgres.createSchema()
  const environment = { DATABASE_URL, PETSTORE_MASTER_KEY: randomBytes(32).toString('base64') }
  await using one = await startServiceProcess({ environment })
  await using other = await startServiceProcess({ environment, keys: one.keys })
  const client = new Client(DATABASE_URL)
  await client.connect()
  t.after(() => client.end())

  for (const withKeys of [false, true]) {
    await t.test(withKeys ? 'with idempotency keys' : 'without', async () => {
      const key = () => (withKeys ? { 'Idempotency-Key': crypto.randomUUID() } : {})
      let adding = true
      let longestMs = 0
      const requests: Promise<unknown>[] = []
      const add = async () => {
        while (adding) await createPet(one, 'Rex', key()).then((response) => response.arrayBuffer())
      }
      for (let count = 0; count < 8; count++) requests.push(add())
      try {
        // Not at a moment of our choosing: each round stops it wherever it is.
        for (let round = 0; round < 5; round++) {
          await until('it adds', async () => (await createPet(one, 'Mia', key())).status === 201)
          await whileStopped(one, async () => {
            const stoppedAt = performance.now()
            const added = await createPet(other, 'Pia', key())
            longestMs = Math.max(longestMs, performance.now() - stoppedAt)
            assert.equal(added.status, 201, await added.text())
          })
        }
      } finally {
        adding = false
        await Promise.allSettled(requests)
      }
      t.diagnostic(`the other waited ${Math.round(longestMs)} ms at most`)
    })
  }

  for (const withKeys of [false, true]) {
    await t.test(`nor in the middle of an order, ${withKeys ? 'with' : 'without'} an idempotency key`, async () => {
      const pets = await Promise.all([one, other].map((service) => addedPet(service)))
      const key = () => (withKeys ? { 'Idempotency-Key': crypto.randomUUID() } : {})
      // The order has its number and the turn of its project, and cannot change its animal: there it stops.
      await client.query('begin')
      await client.query('lock table pets in share mode')
      const first = order(one, pets[0] as number, key())
      await until('the first is in the middle', async () => (await client.query(WAITS)).rows.length > 0)
      await whileStopped(one, async () => {
        await client.query('commit')
        const second = await order(other, pets[1] as number, key())
        assert.equal(second.status, 201, await second.text())
      })
      assert.equal((await first).status, 201)
    })
  }

  await t.test('nor somebody who sends the same key again elsewhere', async () => {
    // The transaction stops between the key and its answer: the animals' table is locked at that moment.
    await client.query('begin')
    await client.query('lock table pets in exclusive mode')
    const again = { 'Idempotency-Key': 'again' }
    const first = createPet(one, 'Leo', again)
    await until('the first is in the middle', async () => (await client.query(WAITS)).rows.length > 0)
    const second = await whileStopped(one, async () => {
      await client.query('commit')
      return createPet(other, 'Leo', again)
    })
    assert.equal(second.status, 201, await second.clone().text())
    const firstAnswer = await first
    assert.equal(firstAnswer.status, 201)
    assert.deepEqual(await firstAnswer.json(), await second.json())
    const { rows } = await client.query(`select 1 from pets where name = 'Leo'`)
    assert.equal(rows.length, 1)
  })
})

async function addedPet(service: ServiceProcess): Promise<number> {
  const response = await createPet(service, 'Ida')
  return ((await response.json()) as { id: number }).id
}

const order = (service: ServiceProcess, petId: number, headers: Record<string, string>) =>
  service.call('/store/orders', { method: 'POST', body: { petId }, headers })

test('what an instance may leave locked when it stops comes to less than two seconds', async () => {
  await using storage = await openPostgresStorage(await postgres.createDatabase(), assert.fail)
  const { rows } = await sql<{ name: string; setting: string; unit: string }>`
    select name, setting, unit from pg_settings
    where name in ('lock_timeout', 'idle_in_transaction_session_timeout')`.execute(storage.read)
  const [idle, lock] = ['idle_in_transaction_session_timeout', 'lock_timeout'].map((wanted) => {
    const found = rows.find(({ name }) => name === wanted)
    assert.equal(found?.unit, 'ms')
    return Number(found?.setting)
  }) as [number, number]
  assert.ok(lock > 0 && lock < idle, 'nobody gets a lock after somebody who has stopped, and stops there too')
  assert.ok(lock + idle < 2000, 'the last one may have waited as long as it can, and then hold as long as it can')
})
