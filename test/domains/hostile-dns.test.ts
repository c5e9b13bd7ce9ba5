import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  addDomain,
  type DomainActor,
  domainEvidence,
  showDomain,
  verifyDomain,
} from '../../src/features/domains/domains.ts'
import { checkServed } from '../../src/features/domains/live/check.ts'
import { troubleshoot } from '../../src/features/domains/live/troubleshoot.ts'
import { SECOND_MS } from '../../src/platform/clock.ts'
import { addFault, addZone } from '../../src/features/sandbox/sandbox.ts'
import { until } from '../harness/until.ts'
import { startHostileDns } from '../harness/hostile-dns.ts'
import { insertOwner } from './insert-owner.ts'
import { createShownRecord, openDomainWorld } from './world.ts'

test('a nameserver that sends 64 KiB of packed names is told as such, and neither read nor kept', async () => {
  await using dns = await startHostileDns()
  await using world = await openDomainWorld({
    environment: { PETSTORE_DNS: `127.0.0.1:${dns.port}`, PETSTORE_PLATFORM_HOST: 'platform.test' },
  })
  const ada = await world.project()
  await addDomain(world.verbs, ada, { hostname: 'www.evil.test' })
  await verifyDomain(world.verbs, ada, 'www.evil.test')
  await world.settle()
  const { lastCheck, verifiedAt } = await showDomain(world.verbs, ada, 'www.evil.test')
  assert.equal(verifiedAt, null)
  assert.equal(lastCheck?.outcome, 'inconclusive')
  const [problem] = lastCheck.problems
  assert.equal(problem?.code, 'nameserver_oversize')
  assert.match(problem.detail, /a reply of 6\d{4} bytes, and at most 32768 are read/)
  const evidence = await domainEvidence(world.verbs, ada, { hostname: 'www.evil.test' })
  assert.ok(evidence.observation.queries.some(({ error }) => error?.kind === 'too large'))
  assert.ok(JSON.stringify(evidence).length < 200_000)
  assert.ok(
    world.verbs.shares.questions.used(ada.projectId) > 20 + 64,
    'questions and answers are taken from its share',
  )
})

test('Verify, live checks and troubleshooting have a share for each project, refused with a sentence', async () => {
  await using world = await openDomainWorld()
  const [ada, ben] = [await world.project(), await world.project()]
  const hostname = 'www.example.test'
  for (const actor of [ada, ben]) await addDomain(world.verbs, actor, { hostname })
  const pressed = Array.from({ length: 300 }, () => verifyDomain(world.verbs, ada, hostname))
  const refused = (await Promise.allSettled(pressed)).filter(({ status }) => status === 'rejected')
  assert.ok(refused.length >= 200, `${refused.length} of 300 were refused`)
  for (const { reason } of refused as PromiseRejectedResult[]) {
    assert.equal(reason.code, 'rate_limited')
    assert.match(reason.message, /^(Adding and verifying domains|DNS questions): .*share/)
  }
  assert.equal((await verifyDomain(world.verbs, ben, hostname)).hostname, hostname)

  for (const check of [checkServed, troubleshoot]) {
    const looks = Array.from({ length: 60 }, () => check(world.verbs, ada, hostname))
    const ends = await Promise.allSettled(looks)
    assert.ok(ends.filter(({ status }) => status === 'fulfilled').length <= 3)
    const [reason] = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []))
    assert.match(reason.message, /^(Live checks|DNS questions): .*share/)
    await check(world.verbs, ben, hostname)
  }
})

test('checks of one project leave the other places to others, and come when theirs is free', async () => {
  await using world = await openDomainWorld()
  const [ada, ben] = [await world.project(), await world.project()]
  await createShownRecord(world, await addDomain(world.verbs, ada, { hostname: 'ada.example.test' }))
  await createShownRecord(world, await addDomain(world.verbs, ben, { hostname: 'ben.example.test' }))
  const { questions } = world.verbs.shares
  const places = Array.from({ length: questions.limits.atOnce }, () => questions.enter(ada.projectId, 0))
  await verifyDomain(world.verbs, ada, 'ada.example.test')
  await verifyDomain(world.verbs, ben, 'ben.example.test')
  await world.settle()
  assert.equal((await showDomain(world.verbs, ada, 'ada.example.test')).checkedAt, null)
  assert.equal((await showDomain(world.verbs, ben, 'ben.example.test')).state, 'live')
  for (const place of places) if (place.ok) place[Symbol.dispose]()
  await world.pass(2 * SECOND_MS)
  assert.equal((await showDomain(world.verbs, ada, 'ada.example.test')).state, 'live')
})

test('checks of one owner, over all of their projects, leave the other places to others', async () => {
  await using world = await openDomainWorld()
  await addZone(world.sandbox, { apex: 'mute.test' })
  const ada = await world.project()
  await createShownRecord(world, await addDomain(world.verbs, ada, { hostname: 'ada.example.test' }))
  const shops = [await world.project(), await world.project(), await world.project(), await world.project()]
  await world.storage.write(
    insertOwner,
    shops.map(({ projectId }) => projectId),
  )
  const held = shops.flatMap((shop, at) =>
    [1, 2, 3, 4].map((name) => ({ shop, hostname: `www${at}${name}.mute.test` })),
  )
  for (const { shop, hostname } of held) await addDomain(world.verbs, shop, { hostname })
  await addFault(world.sandbox, { apex: 'mute.test', kind: 'drop' })
  for (const { shop, hostname } of held) await verifyDomain(world.verbs, shop, hostname)
  await verifyDomain(world.verbs, ada, 'ada.example.test')
  const isLooked = async (actor: DomainActor, hostname: string) =>
    (await showDomain(world.verbs, actor, hostname)).checkedAt !== null
  await until('the other has been looked at', () => isLooked(ada, 'ada.example.test'))
  const looked = await Promise.all(held.map(({ shop, hostname }) => isLooked(shop, hostname)))
  assert.deepEqual(looked.filter(Boolean), [], 'nameservers that never answer are still waited for')
})
