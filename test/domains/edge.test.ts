import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { storageOf } from '../../src/features/audit/audited.ts'
import { addDomain, showDomain, verifyDomain } from '../../src/features/domains/domains.ts'
import { checkServed } from '../../src/features/domains/live/check.ts'
import { createProject } from '../../src/features/projects/projects.ts'
import { addRecord } from '../../src/features/sandbox/sandbox.ts'
import { MINUTE_MS, systemClock } from '../../src/platform/clock.ts'
import { startPebble } from '../harness/pebble.ts'
import { freePorts } from '../harness/free-ports.ts'
import { startTestPetstore } from '../harness/petstore.ts'
import { until } from '../harness/until.ts'
import { MovableClock } from './movable-clock.ts'
import { ADA } from './world.ts'

const HOST = 'www.example.test'

test('the edge answers the authority before any redirect, and serves what it issues', async () => {
  const [http = 0, https = 0] = await freePorts(2)
  await using pebble = await startPebble({ httpPort: http, tlsPort: https })
  const directory = mkdtempSync(join(tmpdir(), 'petstore-edge-'))
  const caFile = join(directory, 'ca.pem')
  writeFileSync(caFile, pebble.caPem)
  const clock = new MovableClock()
  await using shop = await startTestPetstore({
    clock,
    environment: {
      PETSTORE_BASE_URL: `http://localhost:${http}/v1`,
      PETSTORE_HTTPS_PORT: String(https),
      PETSTORE_ACME_DIRECTORY: pebble.directoryUrl,
      PETSTORE_ACME_CA_FILE: caFile,
    },
  })
  const { storage: read, changes, domains } = shop.petstore
  const storage = storageOf(read, ADA, systemClock)
  const projectFacts = async () => ({ plan: 'pro' as const, deployed: true })
  const verbs = { ...domains.verbNeeds, storage, projectFacts }
  const { id } = await createProject({ storage: read, clock: systemClock }, { slug: 'edge-shop', plan: 'pro' })
  const actor = { projectId: id, role: 'owner' as const }
  const sandbox = { storage, clock: systemClock, changes }
  const { record } = (await addDomain(verbs, actor, { hostname: HOST })).record
  await addRecord(sandbox, { apex: 'example.test', name: record.name, type: record.type, value: record.value })
  await verifyDomain(verbs, actor, HOST)
  await until('the domain is live', async () => (await showDomain(verbs, actor, HOST)).state === 'live')
  // What the edge has found before must not count any more.
  await changes.catchUp()

  const { certificate } = await showDomain(verbs, actor, HOST)
  const { hops } = await checkServed(verbs, actor, HOST)
  assert.equal(hops[0]?.status, 308)
  assert.equal(hops[1]?.certificate?.serial, certificate?.serial)

  // The first look of an instance at itself comes within a minute.
  clock.advance(MINUTE_MS)
  await until('the instance has looked', async () => (await showDomain(verbs, actor, HOST)).instances.length === 1)
  const [seen] = (await showDomain(verbs, actor, HOST)).instances
  assert.deepEqual([seen?.serial, seen?.isChainWhole, seen?.problem], [certificate?.serial, true, null])
  const queued = await read.read.selectFrom('work').select('subject').where('queue', '=', 'certificates').execute()
  assert.deepEqual(
    queued.map(({ subject }) => subject),
    [HOST],
    'what is called localhost is never ordered',
  )
  rmSync(directory, { recursive: true, force: true })
})
