import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client } from 'pg'
import { startPostgres } from '../harness/postgres.ts'
import { type ServiceProcess, startServiceProcess } from '../harness/service-process.ts'
import { createPet, untilStatus } from './storage-trouble.ts'

const KEY = /ps_(?:live|test)_[0-9A-Za-z]{20,}/

test('no key, password or idempotency key gets into the log, at the most talkative level', async () => {
  await using postgres = await startPostgres()
  const url = new URL(await postgres.createDatabase())
  const client = new Client(url.href)
  await client.connect()
  await client.query(`create role petstore superuser login password 'hunter2'`)
  await client.end()
  url.username = 'petstore'
  url.password = 'hunter2'
  await using service = await startServiceProcess({
    environment: { DATABASE_URL: url.href, PETSTORE_LOG_LEVEL: 'debug' },
  })

  await callInEveryWay(service)
  await postgres.kill()
  assert.equal((await createPet(service, 'Lost')).status, 503)
  await postgres.restart()
  await untilStatus(201, () => createPet(service, 'Found'))
  const first = await service.stop()

  assert.match(first.stderr, /"status":201/, 'the log says something')
  assert.match(first.stderr, /"status":503/)
  assert.doesNotMatch(first.stderr, KEY)
  assert.doesNotMatch(first.stdout + first.stderr, /hunter2/)
  assert.doesNotMatch(first.stderr, /my-idempotency-key|Rex the secret dog|bearer/i)
  assert.match(first.stdout, KEY, 'the first start prints the first keys, once')

  await service.restart()
  assert.equal((await createPet(service, 'Again')).status, 201)
  const second = await service.stop()
  assert.doesNotMatch(second.stdout + second.stderr, KEY)
})

async function callInEveryWay(service: ServiceProcess): Promise<void> {
  const key = service.keys.production
  const ways: [path: string, authorization: string][] = [
    ['/pets', `Bearer ${key}`],
    ['/pets', `Bearer ${key}x`],
    ['/pets', `Basic ${key}`],
    ['/pets', key],
    ['/pets', `Bearer ${service.keys.staging}`],
    [`/pets?api_key=${key}`, `Bearer ${key}`],
    [`/${key}`, `Bearer ${key}`],
    [`/pets/${key}`, `Bearer ${key}`],
  ]
  for (const [path, Authorization] of ways) await service.call(path, { headers: { Authorization } })
  await createPet(service, 'Rex the secret dog', { 'Idempotency-Key': 'my-idempotency-key' })
  await service.call('/pets', { method: 'POST', body: `{"name": "${key}"` })
}
