import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createInternalCa, createRoot } from '../../src/features/certificates/authority/internal-ca.ts'
import { judgeServed } from '../../src/features/certificates/watching/judge.ts'
import { recordLooks } from '../../src/features/certificates/watching/watch-writes.ts'
import type { WatchNeeds } from '../../src/features/certificates/watching/watch.ts'
import { instanceViews } from '../../src/features/certificates/watching/view.ts'
import { removeDomain, showDomain, verifyDomain } from '../../src/features/domains/domains.ts'
import { listNotifications } from '../../src/features/domains/notifications/notifications.ts'
import { prepareDomain } from '../../src/features/domains/preparation/prepare.ts'
import { deleteProjectRow, ProjectPurge } from '../../src/platform-api/delete-project.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/platform/clock.ts'
import { openPostgres, type PostgresDatabases } from '../harness/postgres.ts'
import { addAndVerify, HOST, openWithIssuer } from './issuer-world.ts'
import { problemOf } from './scripted-issuer.ts'
import { toldOf, verbsOf, watch } from './watch-once.ts'
import { point } from './world.ts'
import { openWorldEdge } from './world-edge.ts'

let server: PostgresDatabases
before(async () => void (server = await openPostgres()))
after(() => server[Symbol.asyncDispose]())

for (const engine of ['sqlite', 'postgres'] as const) {
  test(`instances note what they really serve, and people hear once for all of them (${engine})`, async () => {
    const databaseUrl = engine === 'postgres' ? await server.createSchema() : undefined
    await using world = await openWithIssuer({ databaseUrl })
    await using one = await openWorldEdge(world)
    await using two = await openWorldEdge(world)
    const actor = await addAndVerify(world)
    const matrix = async () => {
      const { instances } = await showDomain(world.verbs, actor, HOST)
      return instances.map(({ instance, status, problem }) => [instance, status, problem])
    }
    const watchBoth = async () => {
      await watch(world, 'one', one)
      await watch(world, 'two', two)
    }
    const told = () => toldOf(world, actor.projectId, 'served_wrong', 'served_right')

    await watchBoth()
    assert.deepEqual(await matrix(), [
      ['one', 200, null],
      ['two', 200, null],
    ])
    const { instances, certificate } = await showDomain(world.verbs, actor, HOST)
    assert.deepEqual(
      instances.map(({ serial, isChainWhole }) => [serial, isChainWhole]),
      [1, 2].map(() => [certificate?.serial, true]),
    )

    const { clock } = world
    const stranger = createInternalCa({ clock }, { root: await createRoot({ clock }) })
    const { chainPem: cert, privateKeyPem: key, leaf } = await stranger.issue([HOST])
    two.instead.set(HOST, { id: 'stranger', cert, key, notAfter: leaf.notAfter })
    two.forget()
    one.status = 503
    await watchBoth()
    await watchBoth()
    assert.deepEqual(await matrix(), [
      ['one', 503, 'error_status'],
      ['two', 200, 'other_certificate'],
    ])
    assert.deepEqual(await told(), ['served_wrong'])

    one.status = 200
    await watchBoth()
    assert.deepEqual(await told(), ['served_wrong'], 'one of them is still wrong')
    two.instead.set(HOST, undefined)
    two.forget()
    await watchBoth()
    assert.deepEqual(await matrix(), [
      ['one', 200, null],
      ['two', null, 'no_handshake'],
    ])
    // The second instance goes away as it is.
    clock.advance(61 * MINUTE_MS)
    await watch(world, 'one', one)
    assert.deepEqual(await matrix(), [['one', 200, null]])
    assert.deepEqual(await told(), ['served_right', 'served_wrong'])
    assert.deepEqual(await verbsOf(world, /served/), ['domain.served_wrong', 'domain.served_right'])

    await removeDomain(world.verbs, actor, { hostname: HOST })
    clock.advance(1)
    await watch(world, 'one', one)
    assert.deepEqual(await world.storage.read.selectFrom('served_names').selectAll().execute(), [])
  })
}

test('a name that is prepared is watched before anybody is led here', async () => {
  await using world = await openWithIssuer()
  await using edge = await openWorldEdge(world)
  const actor = await world.project()
  const { record } = await prepareDomain(world.verbs, actor, { hostname: HOST })
  for (const { name, type, value } of [record.proof!, record.challenge!]) await point(world, name, type, value)
  await verifyDomain(world.verbs, actor, HOST)
  await world.settle()
  await watch(world, 'one', edge)
  const { state, instances } = await showDomain(world.verbs, actor, HOST)
  assert.deepEqual([state, instances.map(({ status, problem }) => [status, problem])], ['ready', [[200, null]]])
})

test('the names of the platform are watched too, and the operator is told what is wrong with them', async () => {
  await using world = await openWithIssuer()
  await using edge = await openWorldEdge(world)
  const ca = createInternalCa(world, { root: await createRoot(world) })
  const [wildcard, visitName] = ['*.pets.example', 'kennel.pets.example']
  const [right, wrong] = [await ca.issue([wildcard]), await ca.issue([wildcard])]
  const told: string[] = []
  const platform: WatchNeeds['platform'] = {
    names: async () => [{ hostname: wildcard, visitName }],
    chainAt: async (name) => (name === visitName ? right.chainPem : undefined),
    onProblem: (hostname, found) => told.push(`${hostname}: ${found}`),
  }
  const seen = async () => (await instanceViews(world)(wildcard)).map(({ status, problem }) => [status, problem])
  for (const { chainPem: cert, privateKeyPem: key, leaf } of [right, wrong]) {
    edge.instead.set(visitName, { id: leaf.serial, cert, key, notAfter: leaf.notAfter })
    edge.forget()
    await watch(world, 'one', edge, platform)
    if (cert === right.chainPem) assert.deepEqual([await seen(), told], [[[200, null]], []])
  }
  assert.deepEqual(await seen(), [[200, 'other_certificate']])
  assert.deepEqual(told, [`${wildcard}: another certificate is served than the one that is stored`])
})

test('what is served is held against certificate, chain, time and answer, what matters most first', () => {
  const wanted = { chain: ['leaf', 'intermediate'] }
  const good = { certificate: { serial: '01', notAfter: 1000 }, chain: ['leaf', 'intermediate', 'root'], status: 200 }
  assert.equal(judgeServed(good, wanted, 999), null)
  assert.equal(judgeServed({ ...good, status: 404 }, wanted, 999), null, 'a page that is missing is an answer')
  assert.equal(judgeServed({ ...good, certificate: undefined, chain: [] }, wanted, 0), 'no_handshake')
  assert.equal(judgeServed({ ...good, chain: ['former', 'intermediate'] }, wanted, 0), 'other_certificate')
  assert.equal(judgeServed(good, wanted, 1000), 'certificate_expired')
  assert.equal(judgeServed({ ...good, chain: ['leaf'] }, wanted, 0), 'chain_broken')
  assert.equal(judgeServed({ ...good, status: undefined }, wanted, 0), 'no_answer')
  assert.equal(judgeServed({ ...good, status: 502 }, wanted, 0), 'error_status')
})

for (const [name, lifeMs] of Object.entries({
  '6 days': 6 * DAY_MS,
  '24 hours': DAY_MS,
  '10 minutes': 10 * MINUTE_MS,
})) {
  test(`of ${name} people hear once each when 30, 15 and 5 percent are left, and when it is renewed`, async () => {
    await using world = await openWithIssuer({ lifeMs, limits: {} })
    const actor = await addAndVerify(world)
    world.issuer.problem = problemOf('ca_unavailable')
    const seen: string[] = []
    // The life begins five minutes before the issue.
    for (let passed = 0; passed < lifeMs; passed += lifeMs / 40) {
      await world.pass(lifeMs / 40)
      const { notifications } = await listNotifications(world.verbs, actor.projectId)
      const shares = notifications.flatMap(({ body }) => /^Less than (\d+) %/.exec(body)?.[1] ?? [])
      if (shares.length > seen.length) seen.push(`${shares[0]} at ${Math.round((100 * passed) / lifeMs)}`)
    }
    assert.deepEqual(
      seen.map((each) => each.split(' ')[0]),
      ['30', '15', '5'],
      seen.join(', '),
    )
    assert.equal((await verbsOf(world, /expiring/)).length, 3)
    assert.deepEqual(await toldOf(world, actor.projectId, 'renewed'), [])
    world.issuer.problem = undefined
    await world.pass(Math.max(4 * HOUR_MS, lifeMs / 4), HOUR_MS)
    assert.deepEqual(await toldOf(world, actor.projectId, 'renewed'), ['renewed'])
  })
}

test('a renewal that nobody works on is noticed by whoever watches', async () => {
  await using world = await openWithIssuer({ lifeMs: 6 * DAY_MS })
  await using edge = await openWorldEdge(world)
  const actor = await addAndVerify(world)
  await world.domains[Symbol.asyncDispose]()
  world.clock.advance(4 * DAY_MS)
  await watch(world, 'one', edge)
  assert.deepEqual(await toldOf(world, actor.projectId, 'renewal_at_risk'), [], 'a third is left')
  world.clock.advance(0.5 * DAY_MS)
  await watch(world, 'one', edge)
  await watch(world, 'two', edge)
  assert.deepEqual(await toldOf(world, actor.projectId, 'renewal_at_risk'), ['renewal_at_risk'])
})

test('the operators hear nothing of a domain whose project has gone while it was looked at', async () => {
  await using world = await openWithIssuer()
  const { projectId: id } = await addAndVerify(world)
  const { not_after } = await world.storage.read
    .selectFrom('certificates')
    .select('not_after')
    .executeTakeFirstOrThrow()
  await world.storage.write(deleteProjectRow, { id, accountId: null, now: world.clock.now() })
  await using purge = new ProjectPurge(world.storage, (error) => assert.fail(error as Error))
  await purge.run()
  const seen = { certificate: undefined, chain: [], status: 200 }
  const looked = { instance: 'one', looks: [{ hostname: HOST, seen, problem: null }], now: not_after - HOUR_MS }
  assert.deepEqual(await world.storage.write(recordLooks, { ...looked, isPlatforms: false }), [])
  const [told] = await world.storage.write(recordLooks, { ...looked, isPlatforms: true })
  assert.deepEqual([told?.verb, told?.projectId], ['certificate.expiring', null])
})
