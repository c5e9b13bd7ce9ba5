import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { Client } from 'pg'
import { type PostgresServer, startPostgres } from '../harness/postgres.ts'
import { startServiceProcess } from '../harness/service-process.ts'
import { createPet, untilStatus } from './storage-trouble.ts'
import { allAnimals, assertNothingLostOrInvented, startWriters } from './writers.ts'

test('the writable host is found, also after a standby took over, and nothing acknowledged is lost', async (t) => {
  await using primary = await startPostgres()
  const database = new URL(await primary.createDatabase()).pathname
  await using standby = await primary.startStandby()
  await replicateSynchronously(primary)

  const readOnly = `postgres://postgres@127.0.0.1:${standby.port}${database}`
  await assert.rejects(
    startServiceProcess({ environment: { DATABASE_URL: readOnly } }),
    /none accepts writes.*is a standby/,
  )

  const url = `postgres://postgres@127.0.0.1:${standby.port},127.0.0.1:${primary.port}${database}`
  await using service = await startServiceProcess({ environment: { DATABASE_URL: url } })
  const { pid } = service
  await using writers = startWriters(service, 4)
  await untilStatus(201, () => createPet(service, 'Before', { 'Idempotency-Key': 'before' }))
  await wait(500)

  await primary.kill()
  await untilStatus(503, () => createPet(service, 'During', { 'Idempotency-Key': 'during' }))
  await standby.promote()
  const promotedAt = performance.now()
  await untilStatus(201, () => createPet(service, 'During', { 'Idempotency-Key': 'during' }))
  t.diagnostic(`writes came back ${Math.round(performance.now() - promotedAt)} ms after the promotion`)

  await writers.finish()
  assert.equal(service.pid, pid)
  assert.deepEqual(writers.unexpected, [])
  const animals = await allAnimals(service)
  const named = (name: string) => animals.filter((animal) => animal.name === name).length
  assert.deepEqual([named('Before'), named('During')], [1, 1])
  const written = animals.filter(({ name }) => name !== 'Before' && name !== 'During')
  assert.ok(written.length > 0)
  assertNothingLostOrInvented(writers.attempts, written)
})

/** A commit is then acknowledged once the standby has it on its disk. */
async function replicateSynchronously(primary: PostgresServer): Promise<void> {
  const client = new Client(primary.url)
  await client.connect()
  await client.query(`alter system set synchronous_standby_names = '*'`)
  await client.query('select pg_reload_conf()')
  const streaming = `select count(*)::int as count from pg_stat_replication where sync_state = 'sync'`
  while ((await client.query<{ count: number }>(streaming)).rows[0]?.count !== 1) await wait(50)
  await client.end()
}
