import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CaLimits, LETS_ENCRYPT_LIMITS, limitsOf } from '../../src/features/certificates/budget/limits.ts'
import { showDomain } from '../../src/features/domains/domains.ts'
import { listNotifications } from '../../src/features/domains/notifications/notifications.ts'
import { DAY_MS, HOUR_MS } from '../../src/platform/clock.ts'
import { addAndVerify, HOST, type IssuerWorld, openWithIssuer } from './issuer-world.ts'
import { problemOf } from './scripted-issuer.ts'

/** Looks at every step whether there is a certificate to serve. */
async function passServed(world: IssuerWorld, ms: number, stepMs: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += stepMs) {
    await world.pass(stepMs)
    assert.ok(await world.certificates.certificateFor(HOST), `no certificate after ${passed / HOUR_MS} hours`)
  }
}

const kindsOf = async (world: IssuerWorld, projectId: number) =>
  (await listNotifications(world.verbs, projectId)).notifications.map(({ kind }) => kind)

interface ShortLife {
  lifeMs: number
  limits: CaLimits
  stepMs: number
  days: number
  renewals: number
}

const FEW: CaLimits = {
  orders: { burst: 2, windowMs: 7 * DAY_MS },
  certificatesPerExactSet: { burst: 5, windowMs: 7 * DAY_MS },
}

const SHORT_LIVES: Record<string, ShortLife> = {
  'certificates of 24 hours, at an authority that is not known': {
    lifeMs: DAY_MS,
    limits: limitsOf('https://ca.example/directory'),
    stepMs: 6 * HOUR_MS,
    days: 30,
    renewals: 39,
  },
  'certificates of 24 hours, with limits of ours that are too small for them': {
    lifeMs: DAY_MS,
    limits: FEW,
    stepMs: 5 * HOUR_MS,
    days: 9,
    renewals: 8,
  },
  'certificates of 6 days at Let’s Encrypt': {
    lifeMs: 6 * DAY_MS,
    limits: LETS_ENCRYPT_LIMITS,
    stepMs: DAY_MS,
    days: 30,
    renewals: 7,
  },
}

for (const [name, { lifeMs, limits, stepMs, days, renewals }] of Object.entries(SHORT_LIVES)) {
  test(`${name} are renewed for ${days} days, and the site always has one`, async () => {
    await using world = await openWithIssuer({ lifeMs, limits })
    const { projectId, ...actor } = await addAndVerify(world)
    await passServed(world, days * DAY_MS, stepMs)
    assert.ok(world.issuer.attempts.length > renewals, `${world.issuer.attempts.length} orders`)
    assert.equal((await showDomain(world.verbs, { projectId, ...actor }, HOST)).state, 'live')
    assert.deepEqual(await kindsOf(world, projectId), ['live', 'verified'])
  })
}

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
