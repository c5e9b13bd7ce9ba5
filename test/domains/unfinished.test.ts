import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { addDomain, type DomainActor, showDomain, verifyDomain } from '../../src/features/domains/domains.ts'
import { listNotifications } from '../../src/features/domains/notifications/notifications.ts'
import type { Issuer } from '../../src/features/certificates/issuer.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/platform/clock.ts'
import { openPostgres, type PostgresDatabases } from '../harness/postgres.ts'
import { until } from '../harness/until.ts'
import { addAndVerify, HOST, type IssuerWorld, openWithIssuer, openWithTwoIssuers } from './issuer-world.ts'
import { insertOwner } from './insert-owner.ts'
import { problemOf } from './scripted-issuer.ts'
import { createShownRecord } from './world.ts'

let server: PostgresDatabases
before(async () => void (server = await openPostgres()))
after(() => server[Symbol.asyncDispose]())

const show = (world: IssuerWorld, actor: DomainActor) => showDomain(world.verbs, actor, HOST)

async function press(world: IssuerWorld, actor: DomainActor, times = 1): Promise<void> {
  for (let time = 0; time < times; time++) {
    await verifyDomain(world.verbs, actor, HOST)
    await world.settle()
  }
}

const lateNewsOf = async (world: IssuerWorld, { projectId }: DomainActor) =>
  (await listNotifications(world.verbs, projectId)).notifications.filter(({ kind }) => kind === 'certificate_late')

/** What the authority does with each order, instead of what it is told to do with all of them. */
function script(world: IssuerWorld, advance: Issuer['advance']): void {
  Object.assign(world.issuer, { advance })
}

for (const engine of ['sqlite', 'postgres'] as const) {
  test(`an order that the only authority does not finish is given up, told and ordered anew (${engine})`, async () => {
    const databaseUrl = engine === 'postgres' ? await server.createSchema() : undefined
    const certificatesPerExactSet = { burst: 2, windowMs: 7 * DAY_MS }
    await using world = await openWithIssuer({ databaseUrl, limits: { certificatesPerExactSet } })
    world.issuer.isStuck = true
    const actor = await addAndVerify(world)
    await world.pass(12 * MINUTE_MS, 3 * MINUTE_MS)
    assert.equal((await show(world, actor)).issuance?.problem, null)
    await world.pass(3 * MINUTE_MS)
    const { issuance } = await show(world, actor)
    assert.deepEqual([issuance?.problem?.code, issuance?.failures], ['order_stuck', 1])
    assert.match(issuance?.problem?.message ?? '', /begins a new one\. It starts by itself; choose Re-verify/)
    assert.equal(world.issuer.begun.length, 1)
    await world.pass(2 * MINUTE_MS)
    assert.equal(world.issuer.begun.length, 2)
    await world.pass(18 * MINUTE_MS, 3 * MINUTE_MS)
    const [late, another] = await lateNewsOf(world, actor)
    assert.match(late?.body ?? '', /has not finished the order in time/)
    assert.equal(another, undefined)

    await world.pass(DAY_MS, 20 * MINUTE_MS)
    const { length: begun } = world.issuer.begun
    // 1, 10, 100 minutes, then every 4 hours. What was not issued is given back, so that the limit leaves room.
    assert.ok(begun >= 6 && begun <= 9, `${begun} orders`)
    world.issuer.isStuck = false
    await world.pass(4.5 * HOUR_MS, 90 * MINUTE_MS)
    assert.equal((await show(world, actor)).state, 'live')
  })
}

test('Re-verify begins a new order in the place of one that took too long, and moves no attempt', async () => {
  await using world = await openWithIssuer({ limits: {} })
  world.issuer.isStuck = true
  const actor = await addAndVerify(world)
  await press(world, actor, 3)
  await world.pass(15 * MINUTE_MS, 3 * MINUTE_MS)
  assert.equal(world.issuer.begun.length, 1, 'while it may be finished it is waited for')
  const before = (await show(world, actor)).issuance
  assert.equal(before?.problem?.code, 'order_stuck')
  await press(world, actor, 3)
  assert.equal(world.issuer.begun.length, 2, 'the new one is waited for too')
  const { issuance } = await show(world, actor)
  assert.deepEqual([issuance?.failures, issuance?.nextAttemptAt], [before?.failures, before?.nextAttemptAt])
  world.issuer.isStuck = false
  await press(world, actor)
  assert.deepEqual([(await show(world, actor)).state, world.issuer.begun.length], ['live', 2])
})

test('an authority that takes longer than that for every order issues all the same', async () => {
  await using world = await openWithIssuer({ limits: {} })
  const { advance } = world.issuer
  script(world, async (order, signal) => {
    const isDone = world.clock.now() - (order.beganAt ?? 0) >= 20 * MINUTE_MS
    return isDone ? advance(order, signal) : { result: 'waiting', order, waitMs: 3 * MINUTE_MS }
  })
  const actor = await addAndVerify(world)
  await world.pass(HOUR_MS, MINUTE_MS)
  assert.deepEqual([(await show(world, actor)).state, world.issuer.begun.length], ['live', 2])
})

test('an order that may have been issued is paid for, and stands until there is room for another', async () => {
  await using world = await openWithIssuer({ limits: { certificatesPerExactSet: { burst: 2, windowMs: 2 * DAY_MS } } })
  const { advance } = world.issuer
  let isFinished = false
  script(world, async (order, signal) => {
    if (order.step !== 'finalizing') return { result: 'moved', order: { ...order, step: 'finalizing' } }
    return isFinished ? advance(order, signal) : { result: 'waiting', order, waitMs: 3 * MINUTE_MS }
  })
  const actor = await addAndVerify(world)
  await world.pass(12 * HOUR_MS, 5 * MINUTE_MS)
  const { issuance } = await show(world, actor)
  assert.deepEqual([world.issuer.begun.length, issuance?.problem?.code], [2, 'held_back'])
  isFinished = true
  await press(world, actor)
  assert.deepEqual([(await show(world, actor)).state, world.issuer.begun.length], ['live', 2])
})

test('Re-verify leaves an order behind that only brings errors; attempts by themselves stay with it', async () => {
  await using world = await openWithIssuer({ limits: {} })
  const { advance } = world.issuer
  script(world, async (order, signal) => {
    if (order.beganAt !== world.issuer.begun[0]) return advance(order, signal)
    if (order.step !== 'finalizing') return { result: 'moved', order: { ...order, step: 'finalizing' } }
    return { result: 'stalled', order, problem: problemOf('ca_unavailable') }
  })
  const actor = await addAndVerify(world)
  await world.pass(HOUR_MS, 5 * MINUTE_MS)
  assert.equal(world.issuer.begun.length, 1)
  await press(world, actor)
  assert.deepEqual([(await show(world, actor)).state, world.issuer.begun.length], ['live', 2])
})

test('of two authorities that finish nothing neither is asked more often than the schedule says', async () => {
  await using world = await openWithTwoIssuers({ limits: {}, secondLimits: {} })
  world.issuer.isStuck = world.second.isStuck = true
  const actor = await addAndVerify(world)
  await world.pass(DAY_MS, 5 * MINUTE_MS)
  const [first, second] = [world.issuer.begun.length, world.second.begun.length]
  assert.ok(first <= 9 && second <= 9 && first + second >= 7, `${first} and ${second} orders`)
  assert.equal((await lateNewsOf(world, actor)).length, 1)
  world.second.isStuck = false
  await world.pass(9 * HOUR_MS, 5 * MINUTE_MS)
  assert.equal((await show(world, actor)).certificate?.authority, 'second.example.test')
})

test('orders of one owner that take their time leave the other places to others', async () => {
  await using world = await openWithIssuer()
  const { advance } = world.issuer
  const released = Promise.withResolvers<void>()
  let held = 0
  script(world, async (order, signal) => {
    if (order.names[0]?.startsWith('slow')) {
      held++
      await released.promise
    }
    return advance(order, signal)
  })
  const shops = [await world.project(), await world.project()]
  await world.storage.write(
    insertOwner,
    shops.map(({ projectId }) => projectId),
  )
  for (const [at, shop] of shops.entries()) {
    for (const name of [1, 2, 3, 4, 5, 6, 7, 8, 9]) {
      const hostname = `slow${at}${name}.example.test`
      await createShownRecord(world, await addDomain(world.verbs, shop, { hostname }))
      await verifyDomain(world.verbs, shop, hostname)
    }
  }
  await until('the authority is at work', async () => held >= 8)
  const ada = await world.project()
  await createShownRecord(world, await addDomain(world.verbs, ada, { hostname: HOST }))
  await verifyDomain(world.verbs, ada, HOST)
  await until('the other is live', async () => (await show(world, ada)).state === 'live')
  released.resolve()
  await world.settle()
  assert.equal((await showDomain(world.verbs, shops[1]!, 'slow15.example.test')).state, 'live')
})
