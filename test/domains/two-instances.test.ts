import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { IssuanceOrder } from '../../src/features/certificates/issuer.ts'
import { CERTIFICATES_TOPIC } from '../../src/features/certificates/writes.ts'
import { addDomain, showDomain, verifyDomain } from '../../src/features/domains/domains.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { startAcmeProxy } from '../harness/acme-proxy.ts'
import { startPebble } from '../harness/pebble.ts'
import { openPostgres } from '../harness/postgres.ts'
import { until } from '../harness/until.ts'
import { openChallengeDoor } from './challenge-door.ts'
import { createShownRecord, openDomainWorld } from './world.ts'

const CHILD = fileURLToPath(new URL('./issuing-process.ts', import.meta.url))
const LEASE_MS = 1500

test('two instances share the work, and a late finish is refused', async () => {
  await using building = new AsyncDisposableStack()
  const server = building.use(await openPostgres())
  const databaseUrl = await server.createSchema()
  const door = building.use(await openChallengeDoor())
  const pebble = building.use(await startPebble({ httpPort: door.httpPort, tlsPort: door.tlsPort }))
  let hold = Promise.resolve()
  const isOrder = (path: string) => path.startsWith('/my-order/')
  const fault = ({ path }: { path: string }) => (isOrder(path) ? { hold } : {})
  const proxy = building.use(await startAcmeProxy({ upstream: pebble, fault }))
  const directory = mkdtempSync(join(tmpdir(), 'petstore-two-'))
  building.defer(() => rmSync(directory, { recursive: true, force: true }))
  const caFile = join(directory, 'ca.pem')
  writeFileSync(caFile, proxy.caPem)
  const acme = { PETSTORE_ACME_DIRECTORY: proxy.directoryUrl, PETSTORE_ACME_CA_FILE: caFile }

  const world = building.use(
    await openDomainWorld({
      clock: systemClock,
      databaseUrl,
      dataDirectory: directory,
      environment: acme,
      idle: true,
      leaseMs: LEASE_MS,
    }),
  )
  door.lookups = world.certificates
  const announced: string[] = []
  world.changes.on(CERTIFICATES_TOPIC, (hostname) => announced.push(hostname))
  const actor = await world.project()
  for (const hostname of ['a.example.test', 'b.example.test']) {
    await createShownRecord(world, await addDomain(world.verbs, actor, { hostname }))
  }

  const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env
  const other = spawn(process.execPath, [CHILD], {
    env: {
      PATH,
      HOME,
      NODE_COMPILE_CACHE,
      ...acme,
      WORLD_DATA: directory,
      WORLD_DATABASE: databaseUrl,
      LEASE_MS: String(LEASE_MS),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  building.defer(async () => {
    other.kill('SIGKILL')
    if (other.exitCode === null && other.signalCode === null) await once(other, 'exit')
  })

  await verifyDomain(world.verbs, actor, 'a.example.test')
  await until('the other one issues, this one answers', async () => (await stateOf('a.example.test')) === 'live')
  await until('this instance has heard of it', async () => announced.includes('a.example.test'))
  assert.ok(await world.certificates.certificateFor('a.example.test'), 'and serves it')

  // The authority says nothing about the order until the instance that made it has been stopped.
  const stopped = Promise.withResolvers<void>()
  hold = stopped.promise
  await verifyDomain(world.verbs, actor, 'b.example.test')
  await until('the order is under way', async () => (await stepOf('b.example.test')) === 'validating')
  const [held] = await leases('b.example.test')
  other.kill('SIGSTOP')
  stopped.resolve()
  await world.domains.start()
  await until('this instance has taken over', async () => (await stateOf('b.example.test')) === 'live')
  const [before] = await certificatesOf('b.example.test')
  assert.notEqual((await leases('b.example.test'))[0]?.owner, held?.owner)

  other.kill('SIGCONT')
  await wait(3 * LEASE_MS)
  assert.deepEqual(await certificatesOf('b.example.test'), [before], 'what the other one brought too late was not kept')
  assert.equal(other.exitCode, null, 'and it goes on working')
  const orders = proxy.requests.filter(({ path, status }) => path.startsWith('/order-plz') && status === 201)
  assert.equal(orders.length, 2, 'one order for each hostname')
  assert.deepEqual(world.errors, [])

  function leases(hostname: string) {
    return world.storage.read.selectFrom('work').select('owner').where('subject', '=', hostname).execute()
  }
  function certificatesOf(hostname: string) {
    const certificates = world.storage.read.selectFrom('certificates').select(['id', 'serial'])
    return certificates.where('hostname', '=', hostname).execute()
  }
  async function stateOf(hostname: string) {
    return (await showDomain(world.verbs, actor, hostname)).state
  }
  async function stepOf(hostname: string) {
    const issuances = world.storage.read.selectFrom('issuances').select('issuance_order')
    const row = await issuances.where('hostname', '=', hostname).executeTakeFirst()
    return row?.issuance_order ? (JSON.parse(row.issuance_order) as IssuanceOrder).step : undefined
  }
})
