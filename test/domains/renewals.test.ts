import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CaLimits, LETS_ENCRYPT_LIMITS } from '../../src/features/certificates/budget/limits.ts'
import { sweepCertificates } from '../../src/features/certificates/sweep.ts'
import { showDomain } from '../../src/features/domains/domains.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/platform/clock.ts'
import { defineWrite } from '../../src/platform/storage/storage.ts'
import { answerInDns, openChallengeResolver } from './challenge-resolver.ts'
import { addAndVerify, HOST, type IssuerWorld, openWithIssuer } from './issuer-world.ts'
import { askingInDns, IN_DNS, kindsOf, walkRenewals } from './renewal-walk.ts'
import { problemOf } from './scripted-issuer.ts'

/** Looks at every step whether there is a certificate to serve. */
async function passServed(world: IssuerWorld, ms: number, stepMs: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += stepMs) {
    await world.pass(stepMs)
    assert.ok(await world.certificates.certificateFor(HOST), `no certificate after ${passed / HOUR_MS} hours`)
  }
}

interface ShortLife {
  lifeMs: number
  limits: CaLimits
  stepMs: number
  days: number
  renewals: number
  inDns: boolean
}

const FEW: CaLimits = {
  orders: { burst: 2, windowMs: 7 * DAY_MS },
  certificatesPerExactSet: { burst: 5, windowMs: 7 * DAY_MS },
}

const SHORT_LIVES: Record<string, ShortLife> = {
  'certificates of 24 hours, with limits of ours that are too small for them': {
    lifeMs: DAY_MS,
    limits: FEW,
    stepMs: 5 * HOUR_MS,
    days: 9,
    renewals: 8,
    inDns: false,
  },
  'certificates of 6 days at Let’s Encrypt, proved in DNS,': {
    lifeMs: 6 * DAY_MS,
    limits: LETS_ENCRYPT_LIMITS,
    stepMs: DAY_MS,
    days: 30,
    renewals: 7,
    inDns: true,
  },
}

for (const [name, { lifeMs, limits, stepMs, days, renewals, inDns }] of Object.entries(SHORT_LIVES)) {
  test(`${name} are renewed for ${days} days, and the site always has one`, async () => {
    await using world = await openWithIssuer({ lifeMs, limits })
    await using resolver = await openChallengeResolver()
    await using _ = await answerInDns(resolver, world)
    const [askInDns, issue] = [askingInDns(resolver), world.issuer.advance]
    if (inDns) world.issuer.advance = async (order, signal) => (await askInDns(order)) ?? issue(order, signal)
    const { projectId, ...actor } = await addAndVerify(world, HOST, { inDns })
    await passServed(world, days * DAY_MS, stepMs)
    assert.ok(world.issuer.attempts.length > renewals, `${world.issuer.attempts.length} orders`)
    assert.equal(resolver.seen.length > renewals, inDns, 'where they were proved')
    assert.equal((await showDomain(world.verbs, { projectId, ...actor }, HOST)).state, 'live')
    assert.deepEqual(await kindsOf(world, projectId), ['live', 'verified'])
  })
}

/** An hour of the shortest is enough here: `npm run campaign:renewals` walks thirty days with all three. */
const WALKS = [
  { lives: { 'a.example.test': 6 * DAY_MS, 'b.example.test': DAY_MS }, stepMs: 8 * HOUR_MS, walkMs: 30 * DAY_MS },
  { lives: { 'c.example.test': 10 * MINUTE_MS }, stepMs: 3 * MINUTE_MS, walkMs: HOUR_MS },
]

test('no visitor fails while certificates of 6 days, 24 hours and 10 minutes are renewed', async () => {
  const { failures, renewals, askedInDns } = await walkRenewals(WALKS)
  assert.deepEqual(failures, [])
  // Renewed at half of the life, which begins five minutes before the issue.
  assert.ok(renewals['a.example.test']! >= 8, JSON.stringify(renewals))
  assert.ok(renewals['b.example.test']! >= 39, JSON.stringify(renewals))
  assert.ok(renewals['c.example.test']! >= 19, JSON.stringify(renewals))
  assert.ok(askedInDns > renewals[IN_DNS]!, 'each was asked for in the zone of challenges')
})

test('an authority that refuses a renewal is left alone as it asks, and people are told in time', async () => {
  await using world = await openWithIssuer({ lifeMs: 6 * DAY_MS, limits: {} })
  const actor = await addAndVerify(world)
  const state = async () => (await showDomain(world.verbs, actor, HOST)).state
  world.issuer.problem = problemOf('rate_limited', 8 * DAY_MS)
  await world.pass(4 * DAY_MS, 6 * HOUR_MS)
  assert.equal(world.issuer.attempts.length, 2)
  assert.equal(await state(), 'live')
  await world.pass(DAY_MS, 6 * HOUR_MS)
  assert.equal(await state(), 'attention')
  assert.deepEqual(await kindsOf(world, actor.projectId), ['renewal_at_risk', 'live', 'verified'])
  await world.pass(DAY_MS, 6 * HOUR_MS)
  assert.equal(await state(), 'attention')
  assert.deepEqual((await kindsOf(world, actor.projectId))[0], 'certificate_ended')
  assert.equal(world.issuer.attempts.length, 2, 'nobody asks before the authority may be asked')
  world.issuer.problem = undefined
  await world.pass(6 * DAY_MS, 6 * HOUR_MS)
  assert.equal(await state(), 'live')
})

const sweep = defineWrite('test.sweep', async (db, now: number) => {
  while (await sweepCertificates(db, now));
})

test('a certificate that could not be renewed has ended for as long as that lasts, and then is renewed', async () => {
  await using world = await openWithIssuer({ lifeMs: 6 * DAY_MS })
  const actor = await addAndVerify(world)
  const { notAfter } = (await showDomain(world.verbs, actor, HOST)).certificate!
  world.issuer.problem = problemOf('caa_forbids')
  await world.pass(38 * DAY_MS, 19 * DAY_MS)
  await world.storage.write(sweep, world.clock.now())
  const { state, certificateEndedAt } = await showDomain(world.verbs, actor, HOST)
  assert.deepEqual([state, certificateEndedAt], ['attention', notAfter])
  world.issuer.problem = undefined
  await world.pass(5 * HOUR_MS)
  assert.equal((await kindsOf(world, actor.projectId))[0], 'renewed')
  await world.storage.write(sweep, world.clock.now())
  const left = await world.storage.read.selectFrom('certificates').select('not_after').execute()
  assert.equal(left.length, 1, 'it is of no use to anybody now')
})
