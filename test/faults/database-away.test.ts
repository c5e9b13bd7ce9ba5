import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { migrations } from '../../src/migrations.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { ChangeFeed, publishChange } from '../../src/platform/storage/change-feed.ts'
import { openStorage } from '../../src/platform/storage/open.ts'
import { defineWrite } from '../../src/platform/storage/storage.ts'
import { type PostgresServer, startPostgres } from '../harness/postgres.ts'
import { type ServiceProcess, startServiceProcess } from '../harness/service-process.ts'
import { until } from '../harness/until.ts'
import { startSilentProxy } from './silent-proxy.ts'
import { assertUnavailable, createPet, petNames, untilStatus } from './storage-trouble.ts'

let postgres: PostgresServer
before(async () => {
  postgres = await startPostgres()
})
after(() => postgres[Symbol.asyncDispose]())

test('a database that is stopped and started again costs 503s with Retry-After, and nothing else', async () => {
  await using service = await startServiceProcess({ environment: { DATABASE_URL: await postgres.createSchema() } })
  assert.equal((await createPet(service, 'Before')).status, 201)
  const { pid } = service

  await postgres.stop()
  await assertUnavailable(await createPet(service, 'Meanwhile'))
  await assertUnavailable(await createPet(service, 'Meanwhile', { 'Idempotency-Key': 'away' }))
  await assertUnavailable(await service.call('/pets'))
  await assertUnavailable(await service.call('/pets/1'))
  await assertUnavailable(await service.call('/store/orders'))
  assert.equal((await service.admin('/readyz')).status, 503)
  assert.equal((await service.admin('/livez')).status, 200)
  assert.equal((await service.call('/openapi.json')).status, 200, 'what needs no database is still served')
  const before = await failuresOf(service)
  assert.equal(await visit(service), 503)
  assert.equal(await failuresOf(service), before + 1, 'whoever watches the figures sees that a site is not shown')
  assert.equal((await service.call('/pets', { headers: { Authorization: 'Bearer junk' } })).status, 401)

  await postgres.restart()
  await untilStatus(201, () => createPet(service, 'After', { 'Idempotency-Key': 'away-2' }))
  assert.equal((await untilStatus(200, () => service.admin('/readyz'))).status, 200)
  assert.deepEqual(await petNames(service), ['Before', 'After'])
  assert.equal(service.pid, pid)
})

/** The status of a site that nobody has visited before. */
async function visit({ productionPort: port }: ServiceProcess): Promise<number | undefined> {
  const asked = get({ host: '127.0.0.1', port, agent: false, headers: { Host: `unvisited.localhost:${port}` } })
  const [response] = await once(asked, 'response')
  return (response as IncomingMessage).resume().statusCode
}

async function failuresOf(service: ServiceProcess): Promise<number> {
  const text = await (await service.admin('/metrics')).text()
  return Number(/^petstore_failures_total\{code="unavailable"\} (\d+)$/m.exec(text)?.[1])
}

test('a network that swallows everything costs 503s after the query timeout, and is connected anew', async () => {
  const url = new URL(await postgres.createSchema())
  await using proxy = await startSilentProxy(postgres.port)
  url.port = String(proxy.port)
  await using service = await startServiceProcess({ environment: { DATABASE_URL: url.href } })
  assert.equal((await createPet(service, 'Before')).status, 201)

  proxy.cut()
  const [write, read] = await Promise.all([createPet(service, 'Meanwhile'), service.call('/pets')])
  await assertUnavailable(write)
  await assertUnavailable(read)

  proxy.mend()
  await untilStatus(201, () => createPet(service, 'After', { 'Idempotency-Key': 'cut' }))
  assert.deepEqual(await petNames(service), ['Before', 'After'])
})

test('after another server has answered everything that is remembered is in doubt, and changes go on', async () => {
  const databaseUrl = await postgres.createSchema()
  const dataDirectory = mkdtempSync(join(tmpdir(), 'petstore-gap-'))
  await using storage = await openStorage({ dataDirectory, databaseUrl, migrations, onError: () => {} })
  await using changes = new ChangeFeed(storage, systemClock)
  let gaps = 0
  const heard: string[] = []
  changes.onGap(() => gaps++)
  changes.on('test', (subject) => heard.push(subject))
  await changes.start()
  await storage.write(announce, 'before')
  await until('it is heard', () => heard.includes('before'))
  assert.equal(gaps, 0)
  await postgres.restart()
  await until('the gap is noticed', () => gaps === 1)
  await storage.write(announce, 'after')
  await until('changes are heard again', () => heard.includes('after'))
  assert.deepEqual(heard, ['before', 'after'])
  rmSync(dataDirectory, { recursive: true })
})

test('a change is not denied because it could not be read back, and is heard once it can be', async () => {
  const databaseUrl = await postgres.createSchema()
  const url = new URL(databaseUrl)
  await using proxy = await startSilentProxy(postgres.port)
  url.port = String(proxy.port)
  const dataDirectory = mkdtempSync(join(tmpdir(), 'petstore-unread-'))
  const needs = { dataDirectory, migrations, onError: () => {} }
  await using storage = await openStorage({ ...needs, databaseUrl: url.href })
  await using near = await openStorage({ ...needs, databaseUrl })
  await using changes = new ChangeFeed(storage, systemClock)
  const heard: string[] = []
  changes.on('test', (subject) => heard.push(subject))
  await changes.start()
  proxy.freeze()
  await near.write(announce, 'made')
  await changes.catchUp()
  assert.equal(heard.length, 0)
  proxy.thaw()
  await until('it is heard', () => heard.includes('made'))
  rmSync(dataDirectory, { recursive: true })
})

const announce = defineWrite('test.announce', (db, subject: string, engine) =>
  publishChange(db, engine, 'test', subject, 0),
)
