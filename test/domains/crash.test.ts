import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { ISSUANCE_STEPS } from '../../src/features/certificates/issuer.ts'
import { addDomain, type DomainActor, showDomain, verifyDomain } from '../../src/features/domains/domains.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { startAcmeProxy } from '../harness/acme-proxy.ts'
import { startPebble } from '../harness/pebble.ts'
import { HUNG_AFTER_MS, until } from '../harness/until.ts'
import { openChallengeDoor } from './challenge-door.ts'
import { createShownRecord, openDomainWorld } from './world.ts'

const CHILD = fileURLToPath(new URL('./issuing-process.ts', import.meta.url))

/** Every point at which an instance can die with an order in its hands. */
const POINTS = [
  'saved planned',
  ...ISSUANCE_STEPS.slice(1).flatMap((step) => [`made ${step}`, `saved ${step}`]),
].filter((point) => !point.endsWith(' issued') || point === 'made issued')

/** How many orders an instance works on at once. */
const IN_HANDS = 7

const hostOf = (point: string) => `h${POINTS.indexOf(point)}.example.test`

/** What outlives every instance. */
async function openStage() {
  await using building = new AsyncDisposableStack()
  const door = building.use(await openChallengeDoor())
  const pebble = building.use(await startPebble({ httpPort: door.httpPort, tlsPort: door.tlsPort }))
  const proxy = building.use(await startAcmeProxy({ upstream: pebble }))
  const directory = mkdtempSync(join(tmpdir(), 'petstore-crash-'))
  building.defer(() => rmSync(directory, { recursive: true, force: true }))
  const caFile = join(directory, 'ca.pem')
  writeFileSync(caFile, proxy.caPem)
  const world = building.use(await openDomainWorld({ clock: systemClock, dataDirectory: directory, idle: true }))
  door.lookups = world.certificates
  const acme = { PETSTORE_ACME_DIRECTORY: proxy.directoryUrl, PETSTORE_ACME_CA_FILE: caFile }
  const running = building.move()
  return { proxy, world, environment: { WORLD_DATA: directory, ...acme }, running }
}

let stage: Awaited<ReturnType<typeof openStage>>
const actors = new Map<string, DomainActor>()
before(async () => {
  stage = await openStage()
  for (const point of POINTS) {
    const actor = await stage.world.project()
    actors.set(point, actor)
    await createShownRecord(stage.world, await addDomain(stage.world.verbs, actor, { hostname: hostOf(point) }))
  }
})
after(() => stage?.running.disposeAsync())

for (let first = 0; first < POINTS.length; first += IN_HANDS) {
  const points = POINTS.slice(first, first + IN_HANDS)
  test(`an instance dies with orders in its hands of which it has ${points.join(', ')}`, async () => {
    const { world, environment } = stage
    for (const point of points) await verifyDomain(world.verbs, actors.get(point) as DomainActor, hostOf(point))
    const stops = Object.fromEntries(points.map((point) => [hostOf(point), point]))
    const exit = await runUntilDead({ ...environment, STOPS: JSON.stringify(stops) })
    assert.equal(exit, 'SIGKILL', 'every point was reached')
  })
}

test('another instance goes on with every order', async () => {
  const { world, proxy, environment } = stage
  const last = start(environment)
  await using ending = new AsyncDisposableStack()
  ending.defer(() => void last.kill('SIGKILL'))
  await until('every host has a certificate', async () => {
    const rows = await world.storage.read.selectFrom('certificates').select('hostname').execute()
    return rows.length === POINTS.length
  })
  for (const point of POINTS) {
    const view = await showDomain(world.verbs, actors.get(point) as DomainActor, hostOf(point))
    assert.equal(view.state, 'live', `${point}: ${view.issuance?.step} ${view.issuance?.problem?.message}`)
  }

  for (const point of POINTS) {
    // Only an order that the authority made and nobody could write down has to be made again.
    assert.equal(proxy.ordersFor(hostOf(point)), point === 'made ordered' ? 2 : 1, point)
  }
  const registrations = proxy.requests.filter(({ path }) => path.startsWith('/sign-me-up'))
  assert.equal(registrations.length, 1, 'one account for all of them')
})

function start(environment: Record<string, string>) {
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env
  return spawn(process.execPath, [CHILD], {
    env: { PATH, HOME, NODE_COMPILE_CACHE, ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
}

async function runUntilDead(environment: Record<string, string>): Promise<string | number | null> {
  const child = start(environment)
  const late = setTimeout(() => child.kill('SIGTERM'), HUNG_AFTER_MS)
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null]
  clearTimeout(late)
  return signal ?? code
}
