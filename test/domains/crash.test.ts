import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { ISSUANCE_STEPS } from '../../src/features/certificates/issuer.ts'
import { addDomain, type DomainActor, showDomain, verifyDomain } from '../../src/features/domains/domains.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { startAcmeProxy } from '../harness/acme-proxy.ts'
import { startPebble } from '../harness/pebble.ts'
import { until } from '../harness/until.ts'
import { openChallengeDoor } from './challenge-door.ts'
import { createShownRecord, openDomainWorld } from './world.ts'

const CHILD = fileURLToPath(new URL('./issuing-process.ts', import.meta.url))

/** Every point at which an instance can die with an order in its hands. */
const POINTS = [
  'saved planned',
  ...ISSUANCE_STEPS.slice(1).flatMap((step) => [`made ${step}`, `saved ${step}`]),
].filter((point) => !point.endsWith(' issued') || point === 'made issued')

test('killed at any step of an order, another instance goes on with it', { timeout: 180_000 }, async () => {
  await using door = await openChallengeDoor()
  await using pebble = await startPebble({ httpPort: door.httpPort, tlsPort: door.tlsPort })
  await using proxy = await startAcmeProxy({ upstream: pebble })
  const directory = mkdtempSync(join(tmpdir(), 'petstore-crash-'))
  const caFile = join(directory, 'ca.pem')
  writeFileSync(caFile, proxy.caPem)
  await using parent = new AsyncDisposableStack()
  parent.defer(() => rmSync(directory, { recursive: true, force: true }))
  const world = parent.use(await openDomainWorld({ clock: systemClock, dataDirectory: directory, idle: true }))
  door.lookups = world.certificates

  const hosts = POINTS.map((_, index) => `h${index}.example.test`)
  const actors: DomainActor[] = []
  for (const host of hosts) {
    const actor = await world.project()
    actors.push(actor)
    await createShownRecord(world, await addDomain(world.verbs, actor, { hostname: host }))
  }
  const acme = { PETSTORE_ACME_DIRECTORY: proxy.directoryUrl, PETSTORE_ACME_CA_FILE: caFile }
  const environment = { WORLD_DATA: directory, ...acme }
  for (const [index, point] of POINTS.entries()) {
    const host = hosts[index] as string
    await verifyDomain(world.verbs, actors[index] as DomainActor, host)
    const exit = await runUntilDead({ ...environment, DIE_AT: point, DIE_FOR: host })
    assert.equal(exit, 'SIGKILL', `${point} was reached`)
  }
  const last = start(environment)
  parent.defer(() => void last.kill('SIGKILL'))
  await until('every host has a certificate', async () => {
    const rows = await world.storage.read.selectFrom('certificates').select('hostname').execute()
    return rows.length === hosts.length
  })
  for (const [index, host] of hosts.entries()) {
    const view = await showDomain(world.verbs, actors[index] as DomainActor, host)
    assert.equal(view.state, 'live', `${POINTS[index]}: ${view.issuance?.step} ${view.issuance?.problem?.message}`)
  }

  const orders = proxy.requests.filter(({ path, status }) => path.startsWith('/order-plz') && status === 201)
  const ordersOf = (host: string) =>
    orders.filter(({ payload }) => JSON.stringify(payload).includes(`"${host}"`)).length
  for (const [index, point] of POINTS.entries()) {
    // Only an order that the authority made and nobody could write down has to be made again.
    assert.equal(ordersOf(hosts[index] as string), point === 'made ordered' ? 2 : 1, point)
  }
  const registrations = proxy.requests.filter(({ path }) => path.startsWith('/sign-me-up'))
  assert.equal(registrations.length, 1, 'one account for all of them')
})

function start(environment: Record<string, string>) {
  const { PATH = '', HOME = '' } = process.env
  return spawn(process.execPath, [CHILD], { env: { PATH, HOME, ...environment }, stdio: ['ignore', 'pipe', 'inherit'] })
}

async function runUntilDead(environment: Record<string, string>): Promise<string | number | null> {
  const child = start(environment)
  const late = setTimeout(() => child.kill('SIGTERM'), 30_000)
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
  clearTimeout(late)
  return signal ?? code
}
