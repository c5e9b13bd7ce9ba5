import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { DatabaseSync } from 'node:sqlite'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { Client } from 'pg'
import { startPostgres } from '../harness/postgres.ts'
import { startServiceProcess, type ServiceProcess } from '../harness/service-process.ts'
import { allAnimals, assertNothingLostOrInvented, startWriters, type Writers } from './writers.ts'

const WRITERS = 8
const KILL_AFTER_MAX_MS = 2000

test(
  'SQLite: nothing acknowledged is lost and no idempotent request makes a twin, however often the service is killed',
  { timeout: 180_000 },
  async (t) => {
    await using service = await startServiceProcess()
    await using writers = startWriters(service, WRITERS)
    await killRepeatedly(service, 5)
    await writers.finish()
    await assertLedger(t, service, writers)

    await service.kill()
    using database = new DatabaseSync(join(service.dataDirectory, 'petstore.sqlite'))
    assert.deepEqual(database.prepare('pragma integrity_check').all(), [{ __proto__: null, integrity_check: 'ok' }])
    assert.deepEqual(database.prepare('pragma foreign_key_check').all(), [])
  },
)

test(
  'PostgreSQL: the same when the service is killed, and when the database server is',
  { timeout: 180_000 },
  async (t) => {
    await using postgres = await startPostgres()
    const url = await postgres.createDatabase()
    await using service = await startServiceProcess({ environment: { DATABASE_URL: url } })
    await using writers = startWriters(service, WRITERS)
    await killRepeatedly(service, 3)

    const { pid } = service
    await wait(randomInt(KILL_AFTER_MAX_MS))
    await postgres.kill()
    await postgres.restart()
    await writers.finish()
    assert.equal(service.pid, pid)
    assert.equal((await service.admin('/livez')).status, 200, 'the service outlives its database server')
    await assertLedger(t, service, writers)

    const client = new Client(url)
    await client.connect()
    await client.query('create extension amcheck')
    await client.query(
      `select bt_index_check(c.oid, true) from pg_class c where c.relname in ('pets_pk', 'pets_by_status')`,
    )
    await client.end()
  },
)

async function killRepeatedly(service: ServiceProcess, times: number): Promise<void> {
  for (let round = 0; round < times; round++) {
    await wait(randomInt(KILL_AFTER_MAX_MS))
    await service.restart()
  }
}

async function assertLedger(t: { diagnostic(message: string): void }, service: ServiceProcess, writers: Writers) {
  const { attempts, unexpected, refusals } = writers
  assert.deepEqual(unexpected, [])
  const unanswered = attempts.filter(({ id, idempotencyKey }) => id === undefined && idempotencyKey !== undefined)
  assert.deepEqual(unanswered, [], 'a request with an idempotency key can be repeated until it is answered')
  const acknowledged = attempts.filter(({ id }) => id !== undefined).length
  t.diagnostic(`${acknowledged} of ${attempts.length} animals acknowledged, ${refusals} answers 503`)
  assert.ok(acknowledged > WRITERS, 'the writers hardly wrote')
  assertNothingLostOrInvented(attempts, await allAnimals(service))
}
