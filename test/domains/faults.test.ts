import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  addDomain,
  type DomainActor,
  removeDomain,
  showDomain,
  verifyDomain,
} from '../../src/features/domains/domains.ts'
import { findDangling } from '../../src/features/domains/live/dangling.ts'
import { troubleshoot } from '../../src/features/domains/live/troubleshoot.ts'
import { prepareDomain } from '../../src/features/domains/preparation/prepare.ts'
import {
  addFault,
  addRecord,
  addZone,
  listSandbox,
  removeFault,
  removeRecord,
  removeZone,
} from '../../src/features/sandbox/sandbox.ts'
import { FAULT_KINDS } from '../../src/platform/dns/zone.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/platform/clock.ts'
import { clearZone, createShownRecord, makeLive, openDomainWorld, point } from './world.ts'

const HOST = 'www.example.test'

test('no failure of nameservers costs a live domain anything, and each is named', async () => {
  await using world = await openDomainWorld()
  const kinds = FAULT_KINDS.filter((kind) => kind !== 'nxdomain')
  const domains = []
  for (const kind of kinds) {
    const apex = `${kind}.test`
    await addZone(world.sandbox, { apex })
    const actor = await world.project()
    await makeLive(world, actor, `www.${apex}`)
    await addFault(world.sandbox, { apex, kind })
    domains.push({ kind, actor, hostname: `www.${apex}` })
  }
  await world.pass(DAY_MS + HOUR_MS)
  const expected: Partial<Record<(typeof FAULT_KINDS)[number], RegExp>> = {
    servfail: /servfail/,
    refused: /refused/,
    drop: /timeout/,
    delay: /timeout/,
    truncate: /truncated/,
    lame: /lame/,
    'wrong-id': /unusable/,
    garbage: /unusable/,
    dnssec: /dnssec/,
  }
  for (const { kind, actor, hostname } of domains) {
    const view = await showDomain(world.verbs, actor, hostname)
    assert.equal(view.state, 'live', kind)
    assert.equal(view.failingSince, null, kind)
    assert.notEqual(view.unclearSince, null, kind)
    const codes = view.lastCheck?.problems.map(({ code }) => code).join(' ') ?? ''
    assert.match(codes, expected[kind] as RegExp, kind)
    assert.equal((await world.domains.source.destinationOf(hostname))?.kind, 'site', kind)
  }
  for (const { apex, faults } of await listSandbox(world.sandbox)) {
    for (const { id } of faults) await removeFault(world.sandbox, { apex, id })
  }
  await world.pass(DAY_MS, 8 * HOUR_MS)
  for (const { kind, actor, hostname } of domains) {
    assert.equal((await showDomain(world.verbs, actor, hostname)).unclearSince, null, kind)
  }
})

test('the rules of the troubleshooting list are answered with what is true at this moment', async () => {
  await using world = await openDomainWorld()
  const actor = await world.project()
  const added = await addDomain(world.verbs, actor, { hostname: 'www.example.test' })
  const conflicting = await point(world, 'www', 'A', '192.0.2.1')
  await verifyDomain(world.verbs, actor, 'www.example.test')
  await world.settle()
  assert.deepEqual((await showDomain(world.verbs, actor, 'www.example.test')).problems, ['conflicting_address'])

  await removeRecord(world.sandbox, { apex: 'example.test', id: conflicting.id })
  const wrong = await point(world, 'www', 'CNAME', 'elsewhere.test')
  await verifyDomain(world.verbs, actor, 'www.example.test')
  await world.settle()
  assert.deepEqual((await showDomain(world.verbs, actor, 'www.example.test')).problems, ['cname_value_differs'])

  await removeRecord(world.sandbox, { apex: 'example.test', id: wrong.id })
  await point(world, '@', 'CAA', '0 issue "other.example"')
  await createShownRecord(world, added)
  await verifyDomain(world.verbs, actor, 'www.example.test')
  await world.settle()
  await world.pass(40 * MINUTE_MS, 20 * MINUTE_MS)
  const help = await troubleshoot(world.verbs, actor, 'www.example.test')
  assert.equal(help.late, true)
  assert.deepEqual(
    help.steps.map(({ step, ok }) => [step, ok]),
    [
      ['verifies', true],
      ['caa', false],
      ['attempt', true],
      ['served', false],
    ],
  )
  assert.match(help.steps[1]?.fix ?? '', /tag issue, value ca\.localhost/)
  assert.match(help.steps[2]?.fix ?? '', /Re-verify/)
  assert.equal(help.live.findings[0]?.code, 'certificate_missing')
})

test('a prepared domain is not told to switch, and a claim is told of the proof that it lacks', async () => {
  await using world = await openDomainWorld()
  const [first, second] = [await world.project(), await world.project()]
  const walk = async (actor: DomainActor) => {
    const { steps } = await troubleshoot(world.verbs, actor, HOST)
    return Object.fromEntries(steps.map((step) => [step.step, step]))
  }
  await point(world, 'www', 'A', '192.0.2.7')
  const { record } = await prepareDomain(world.verbs, first, { hostname: HOST })
  const missing = await walk(first)
  assert.deepEqual([missing.verifies?.ok, missing.served?.ok], [false, false])
  assert.match(missing.verifies?.fix ?? '', /_petstore\.www/)
  assert.match(missing.served?.fix ?? '', /leave its own record as it is/)

  await point(world, '_acme-challenge.www', 'CNAME', `${record.challenge?.value}.`)
  await point(world, '_petstore.www', 'TXT', record.proof?.value as string)
  await verifyDomain(world.verbs, first, HOST)
  await world.settle()
  const ready = await walk(first)
  assert.deepEqual([ready.verifies?.ok, ready.verifies?.finding, ready.verifies?.fix], [true, 'Both are there.', null])
  assert.deepEqual([ready.served?.ok, ready.served?.fix?.includes('when you like')], [true, true])

  await clearZone(world, 'example.test')
  await point(world, 'www', 'CNAME', `${record.record.value}.`)
  await verifyDomain(world.verbs, first, HOST)
  await world.settle()
  assert.equal((await walk(first)).verifies?.ok, true)

  await clearZone(world, 'example.test')
  const claim = await addDomain(world.verbs, second, { hostname: HOST })
  await point(world, 'www', 'CNAME', `${claim.record.record.value}.`)
  const unproved = await walk(second)
  assert.equal(unproved.verifies?.ok, false)
  assert.match(unproved.verifies?.fix ?? '', /_petstore\.www/)
})

test('after removal it says whether DNS still leads here', async () => {
  await using world = await openDomainWorld()
  const actor = await world.project()
  const {
    record: { record },
  } = await makeLive(world, actor, 'www.example.test')
  await removeDomain(world.verbs, actor, { hostname: 'www.example.test' })
  const left = await findDangling(world.verbs, actor, 'www.example.test')
  assert.equal(left.pointsHere, true)
  assert.match(left.advice, /delete it/)
  assert.equal(left.answers.length, 2)
  await clearZone(world, 'example.test')
  assert.equal((await findDangling(world.verbs, actor, 'www.example.test')).pointsHere, false)
  const { type, value } = record
  await addRecord(world.sandbox, { apex: 'example.test', name: 'www', type, value, onlyOn: 'ns1.registrar.test' })
  assert.equal((await findDangling(world.verbs, actor, 'www.example.test')).pointsHere, true)
})

test('the registrar of the sandbox refuses what no registrar would take', async () => {
  await using world = await openDomainWorld()
  assert.deepEqual(
    (await listSandbox(world.sandbox)).map(({ apex }) => apex),
    ['example.test', 'my-shop.test'],
  )
  await assert.rejects(addZone(world.sandbox, { apex: 'test' }), { code: 'invalid_request' })
  await assert.rejects(addZone(world.sandbox, { apex: 'shop.localhost' }), { code: 'conflict' })
  await assert.rejects(addZone(world.sandbox, { apex: 'registrar.test' }), { code: 'conflict' })
  await assert.rejects(addZone(world.sandbox, { apex: 'example.test' }), { code: 'conflict' })
  const record = { apex: 'example.test', name: 'www', type: 'A', value: '192.0.2.1' }
  await assert.rejects(addRecord(world.sandbox, { ...record, value: 'nonsense' }), /looks like this: 192\.0\.2\.1/)
  await assert.rejects(addRecord(world.sandbox, { ...record, apex: 'other.test' }), { code: 'not_found' })
  await assert.rejects(addRecord(world.sandbox, { ...record, onlyOn: 'ns9' }), { code: 'invalid_request' })
  await assert.rejects(addFault(world.sandbox, { apex: 'example.test', kind: 'earthquake' }), /is no fault/)
  await addRecord(world.sandbox, { ...record, onlyOn: 'ns2.registrar.test' })
  await addFault(world.sandbox, { apex: 'example.test', kind: 'servfail', name: 'www', type: 'aaaa' })
  const zone = (await listSandbox(world.sandbox))[0]
  assert.equal(zone?.serial, 3)
  assert.partialDeepStrictEqual(zone?.faults, [{ kind: 'servfail', name: 'www.example.test', type: 'AAAA' }])
  await removeZone(world.sandbox, 'example.test')
  assert.equal((await listSandbox(world.sandbox)).length, 1)
})
