import assert from 'node:assert/strict'
import { test } from 'node:test'
import { showDomain, verifyDomain, type DomainActor } from '../../src/features/domains/domains.ts'
import { troubleshoot } from '../../src/features/domains/live/troubleshoot.ts'
import { HOUR_MS, MINUTE_MS } from '../../src/platform/clock.ts'
import { addAndVerify, HOST, type IssuerWorld, openWithIssuer } from './issuer-world.ts'
import { problemOf } from './scripted-issuer.ts'
import { OPENING, point } from './world.ts'

async function press(world: IssuerWorld, actor: DomainActor, times = 1): Promise<void> {
  for (let time = 0; time < times; time++) {
    await verifyDomain(world.verbs, actor, HOST)
    await world.settle()
  }
}

const issuanceOf = async (world: IssuerWorld, actor: DomainActor) =>
  (await showDomain(world.verbs, actor, HOST)).issuance

test('Re-verify waits as long as the authority asked for, sends nothing meanwhile, and says so', async () => {
  await using world = await openWithIssuer({ limits: {} })
  Object.assign(world.issuer, { problem: problemOf('rate_limited', 3 * HOUR_MS), ends: 'stalled' })
  const actor = await addAndVerify(world)
  const before = await issuanceOf(world, actor)
  assert.equal(before?.retryAfter, new Date(OPENING + 3 * HOUR_MS).toISOString())
  await press(world, actor, 4)
  assert.equal(world.issuer.attempts.length, 1)
  assert.deepEqual(await issuanceOf(world, actor), before, 'nothing has changed, the next attempt neither')
  const attempt = (await troubleshoot(world.verbs, actor, HOST)).steps.find(({ step }) => step === 'attempt')
  assert.equal(attempt?.ok, false)
  assert.match(attempt?.fix ?? '', /asked to be left alone until 2026-11-15 12:30 UTC/)
  world.issuer.problem = undefined
  await world.pass(3.5 * HOUR_MS, 30 * MINUTE_MS)
  assert.equal((await showDomain(world.verbs, actor, HOST)).state, 'live')
})

test('Re-verify asks at once where asking may help, counts as no failure and moves no attempt', async () => {
  await using world = await openWithIssuer({ limits: {} })
  world.issuer.problem = problemOf('unreachable')
  const actor = await addAndVerify(world)
  const before = await issuanceOf(world, actor)
  assert.equal(before?.failures, 1)
  await press(world, actor, 3)
  assert.equal(world.issuer.attempts.length, 4, 'each press asks')
  const after = await issuanceOf(world, actor)
  assert.deepEqual([after?.failures, after?.nextAttemptAt], [1, before?.nextAttemptAt])
  await world.pass(2 * MINUTE_MS, MINUTE_MS)
  assert.equal(world.issuer.attempts.length, 5, 'the attempt by itself comes when it was to come')
  assert.equal((await issuanceOf(world, actor))?.failures, 2)
  world.issuer.problem = undefined
  await press(world, actor)
  assert.equal((await showDomain(world.verbs, actor, HOST)).state, 'live')
})

test('while CAA forbids the authority Re-verify looks at once, orders nothing and makes no pause longer', async () => {
  await using world = await openWithIssuer({ limits: {} })
  await point(world, '@', 'CAA', '0 issue "other.example"')
  const actor = await addAndVerify(world)
  const before = await issuanceOf(world, actor)
  await press(world, actor, 4)
  assert.deepEqual(await issuanceOf(world, actor), before)
  assert.deepEqual(world.issuer.attempts, [])
  const attempt = (await troubleshoot(world.verbs, actor, HOST)).steps.find(({ step }) => step === 'attempt')
  assert.match(attempt?.fix ?? '', /Mend what stands above, then choose Re-verify/)
  await point(world, '@', 'CAA', '0 issue "ca.example"')
  await press(world, actor)
  assert.equal((await showDomain(world.verbs, actor, HOST)).state, 'live')
})
