import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { splitChain } from '../../src/features/certificates/authority/split-chain.ts'
import { addDomain, removeDomain, showDomain, verifyDomain } from '../../src/features/domains/domains.ts'
import { HOUR_MS, MINUTE_MS } from '../../src/platform/clock.ts'
import { type AcmeProxy, startAcmeProxy } from '../harness/acme-proxy.ts'
import { type Pebble, type PebbleOptions, startPebble } from '../harness/pebble.ts'
import { until } from '../harness/until.ts'
import { openChallengeDoor } from './challenge-door.ts'
import { MovableClock, PEBBLE_SPEED } from './movable-clock.ts'
import { createShownRecord, type DomainWorld, openDomainWorld, point } from './world.ts'
import { keepAsking, openWorldEdge } from './world-edge.ts'

const HOST = 'www.example.test'

interface AcmeWorld extends DomainWorld {
  pebble: Pebble
  proxy: AcmeProxy
  clock: MovableClock
  seen: string[]
}

async function openAcmeWorld(
  options: Partial<PebbleOptions> & { fault?: Parameters<typeof startAcmeProxy>[0]['fault'] } = {},
): Promise<AcmeWorld> {
  await using building = new AsyncDisposableStack()
  const door = building.use(await openChallengeDoor())
  const pebble = building.use(await startPebble({ httpPort: door.httpPort, tlsPort: door.tlsPort, ...options }))
  const fault = options.fault ? { fault: options.fault } : {}
  const proxy = building.use(await startAcmeProxy({ upstream: pebble, ...fault }))
  const directory = mkdtempSync(join(tmpdir(), 'petstore-acme-'))
  building.defer(() => rmSync(directory, { recursive: true, force: true }))
  writeFileSync(join(directory, 'ca.pem'), proxy.caPem)
  const clock = new MovableClock(PEBBLE_SPEED)
  const world = building.use(
    await openDomainWorld({
      clock,
      dataDirectory: directory,
      environment: { PETSTORE_ACME_DIRECTORY: proxy.directoryUrl, PETSTORE_ACME_CA_FILE: join(directory, 'ca.pem') },
    }),
  )
  door.lookups = world.certificates
  const running = building.move()
  return { ...world, pebble, proxy, clock, seen: door.seen, [Symbol.asyncDispose]: () => running.disposeAsync() }
}

async function addAndVerify(world: AcmeWorld, hostname = HOST) {
  const actor = await world.project()
  await createShownRecord(world, await addDomain(world.verbs, actor, { hostname }))
  await verifyDomain(world.verbs, actor, hostname)
  return actor
}

test('a real authority issues, renews by the moved clock and revokes on removal', async () => {
  await using world = await openAcmeWorld({ certificateValidityMs: 12 * HOUR_MS })
  const actor = await addAndVerify(world)
  await world.settle()
  const first = await showDomain(world.verbs, actor, HOST)
  assert.equal(first.state, 'live', first.issuance?.problem?.message ?? '')
  const served = await world.certificates.certificateFor(HOST)
  const chain = splitChain(served!.cert)
  const root = new X509Certificate(await world.pebble.issuingRootPem())
  assert.equal(chain.at(-1)?.verify(root.publicKey), true)
  assert.deepEqual(new Set(world.seen), new Set([`http-01 ${HOST}`]))
  const answers = await world.storage.read.selectFrom('challenge_answers').selectAll().execute()
  assert.deepEqual(answers, [], 'nothing is left of the challenge')

  await using edge = await openWorldEdge(world)
  const visitor = keepAsking(edge, [HOST], { clock: world.clock, rootPem: root.toString() })
  await until('the site is asked', () => visitor.asked > 1)
  world.clock.advance(7 * HOUR_MS)
  await world.settle()
  const asked = visitor.asked
  await until('the site is asked again', () => visitor.asked > asked + 1)
  await visitor.stop()
  assert.deepEqual(visitor.failures, [], 'no handshake fails')
  const second = await showDomain(world.verbs, actor, HOST)
  assert.notEqual(second.certificate?.serial, first.certificate?.serial, 'half of a short life is left')
  const renewed = await world.certificates.certificateFor(HOST)
  assert.equal(splitChain(renewed!.cert)[0]?.serialNumber, second.certificate?.serial)

  await removeDomain(world.verbs, actor, { hostname: HOST, revoke: true })
  await world.settle()
  assert.equal(await world.pebble.certificateStatus(second.certificate?.serial as string), 'Revoked')
  const accounts = world.proxy.requests.filter(({ path }) => path.startsWith('/sign-me-up'))
  assert.equal(accounts.length, 1, 'one account')
  assert.deepEqual(world.errors, [])
})

test('where http-01 does not get through, the next attempt uses tls-alpn-01', async () => {
  await using closed = await openChallengeDoor()
  await using world = await openAcmeWorld({ httpPort: closed.httpPort })
  const actor = await addAndVerify(world)
  await world.settle()
  const blocked = await showDomain(world.verbs, actor, HOST)
  assert.equal(blocked.issuance?.problem?.code, 'challenge_wrong')
  assert.match(blocked.issuance?.problem?.message ?? '', /choose Re-verify/)
  world.clock.advance(2 * MINUTE_MS)
  await world.settle()
  assert.equal((await showDomain(world.verbs, actor, HOST)).state, 'live')
  assert.deepEqual(new Set(world.seen), new Set([`tls-alpn-01 ${HOST}`]))
})

test('where the authority never finishes one order, Re-verify begins another, which it finishes', async () => {
  let lost: string | undefined
  const fault: Parameters<typeof startAcmeProxy>[0]['fault'] = ({ path }) => {
    lost ??= /^\/finalize-order\/(.+)/.exec(path)?.[1]
    if (lost === undefined || (path !== `/finalize-order/${lost}` && path !== `/my-order/${lost}`)) return {}
    const body = JSON.stringify({ status: 'processing', authorizations: [], finalize: 'https://127.0.0.1/' })
    return { answer: { status: 200, headers: { 'retry-after': '60' }, body } }
  }
  await using world = await openAcmeWorld({ fault })
  const actor = await addAndVerify(world)
  await until('the order is at its end', async () => {
    return (await showDomain(world.verbs, actor, HOST)).issuance?.step === 'finalizing'
  })
  world.clock.advance(16 * MINUTE_MS)
  await until('it is given up', async () => {
    return (await showDomain(world.verbs, actor, HOST)).issuance?.problem?.code === 'order_stuck'
  })
  await verifyDomain(world.verbs, actor, HOST)
  await until('it is live', async () => (await showDomain(world.verbs, actor, HOST)).state === 'live')
  assert.equal(world.proxy.ordersFor(HOST), 2)
  const answers = await world.storage.read.selectFrom('challenge_answers').selectAll().execute()
  assert.deepEqual(answers, [], 'nothing is left of either challenge')
})

test('an apex with address records gets its certificate too', async () => {
  await using world = await openAcmeWorld()
  const actor = await world.project()
  await addDomain(world.verbs, actor, { hostname: 'example.test' })
  await point(world, '@', 'A', '127.0.0.1')
  await verifyDomain(world.verbs, actor, 'example.test')
  await world.settle()
  assert.equal((await showDomain(world.verbs, actor, 'example.test')).state, 'live')
})

test('bad nonces, 503, 429, cut answers, an authority that forgets: all is issued', async () => {
  let sent = 0
  const fault: Parameters<typeof startAcmeProxy>[0]['fault'] = ({ path }) => {
    if (path === '/dir') return {}
    const turn = ++sent % 20
    if (turn < 4) return { answer: { status: 503 } }
    if (turn < 6) return { answer: { status: 429, headers: { 'retry-after': '1' }, body: '' } }
    return turn === 6 ? { cut: true } : {}
  }
  const environment = { PEBBLE_WFE_NONCEREJECT: '50', PEBBLE_AUTHZREUSE: '50' }
  await using world = await openAcmeWorld({ environment, fault })
  const hosts = ['a', 'b', 'c', 'd'].map((name) => `${name}.example.test`)
  const actors: Awaited<ReturnType<typeof addAndVerify>>[] = []
  for (const host of hosts) actors.push(await addAndVerify(world, host))
  await world.pebble.restart()
  await until('all are live', async () => {
    const views = await Promise.all(hosts.map((host, index) => showDomain(world.verbs, actors[index]!, host)))
    if (views.every(({ state }) => state === 'live')) return true
    // Between attempts time costs nothing: the fifth is four hours away.
    const due = world.storage.read.selectFrom('work').select('queue').where('due_at', '<=', world.clock.now())
    if (!(await due.executeTakeFirst())) world.clock.advance(10 * MINUTE_MS)
    return false
  })
})
