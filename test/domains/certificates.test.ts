import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { BudgetRequest } from '../../src/features/certificates/budget/budget.ts'
import type { CaLimits } from '../../src/features/certificates/budget/limits.ts'
import { chargeBudget } from '../../src/features/certificates/budget/meters.ts'
import { lookAtPlatformName } from '../../src/features/certificates/platform-certificates.ts'
import { addDomain, removeDomain, showDomain, verifyDomain } from '../../src/features/domains/domains.ts'
import { listNotifications } from '../../src/features/domains/notifications/notifications.ts'
import { listSandbox, removeRecord } from '../../src/features/sandbox/sandbox.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/platform/clock.ts'
import { unavailable } from '../../src/platform/errors.ts'
import { defineWrite } from '../../src/platform/storage/storage.ts'
import { createShownRecord, makeLive, openDomainWorld, OPENING, PLATFORM_OWNER, point } from './world.ts'
import { addAndVerify, HOST, openWithIssuer } from './issuer-world.ts'
import { problemOf } from './scripted-issuer.ts'

const UNLIMITED: CaLimits = {}

test('a CAA record that forbids the authority stops the order before it is spent, until it is mended', async () => {
  await using world = await openWithIssuer()
  await point(world, '@', 'CAA', '0 issue "other.example"')
  const actor = await addAndVerify(world)
  const blocked = await showDomain(world.verbs, actor, HOST)
  assert.equal(blocked.state, 'issuing', 'the hostname is verified all the same')
  assert.equal(blocked.issuance?.problem?.code, 'caa_forbids')
  assert.match(
    blocked.issuance?.problem?.message ?? '',
    /In the zone example\.test, create this record: type CAA, name @, .* value ca\.example/,
  )
  assert.deepEqual(world.issuer.attempts, [])
  assert.equal((await world.domains.source.destinationOf(HOST))?.kind, 'site')

  await point(world, '@', 'CAA', '0 issue "ca.example"')
  await verifyDomain(world.verbs, actor, HOST)
  await world.settle()
  assert.equal((await showDomain(world.verbs, actor, HOST)).state, 'live')
  assert.equal(world.issuer.attempts.length, 1)
})

test('failed attempts come again after 1, 10, 100 minutes, then every 4 h, and people hear of a late one', async () => {
  await using world = await openWithIssuer()
  world.issuer.problem = problemOf('unreachable')
  const actor = await addAndVerify(world)
  await world.pass(24 * HOUR_MS, 30 * MINUTE_MS)
  const pauses = world.issuer.attempts.map((at, index, all) => at - (all[index - 1] ?? OPENING)).slice(1)
  // The clock moves in steps of half an hour.
  const roughly = [30, 30, 120].map((minutes) => minutes * MINUTE_MS)
  assert.deepEqual(pauses.slice(0, 3), roughly)
  assert.equal(pauses.length, 8)
  assert.ok(
    pauses.slice(3).every((pause) => pause === 4 * HOUR_MS),
    String(pauses),
  )
  const { notifications } = await listNotifications(world.verbs, actor.projectId)
  assert.deepEqual(
    notifications.map(({ kind }) => kind),
    ['certificate_late', 'verified'],
  )
  const domain = await showDomain(world.verbs, actor, HOST)
  assert.equal(domain.issuance?.failures, 9)
  assert.equal(domain.issuance?.problem?.code, 'unreachable')

  world.issuer.problem = undefined
  await verifyDomain(world.verbs, actor, HOST)
  await world.settle()
  assert.equal((await showDomain(world.verbs, actor, HOST)).state, 'live', 'Re-verify starts an attempt at once')
})

test('what the authority asks for by Retry-After is kept, and a stalled order goes on as the same order', async () => {
  await using world = await openWithIssuer()
  Object.assign(world.issuer, { problem: problemOf('rate_limited', 3 * HOUR_MS), ends: 'stalled' })
  const actor = await addAndVerify(world)
  const before = await orderOf(world)
  await world.pass(2.9 * HOUR_MS, 30 * MINUTE_MS)
  assert.equal(world.issuer.attempts.length, 1)
  world.issuer.problem = undefined
  await world.pass(HOUR_MS, 10 * MINUTE_MS)
  assert.equal(world.issuer.attempts.length, 2)
  assert.ok(before)
  assert.equal((await showDomain(world.verbs, actor, HOST)).state, 'live')
})

test('a certificate is renewed when a third of its life is left, and the new one is served', async () => {
  await using world = await openWithIssuer()
  const actor = await addAndVerify(world)
  const first = await showDomain(world.verbs, actor, HOST)
  await world.pass(55 * DAY_MS, 5 * DAY_MS)
  assert.equal((await showDomain(world.verbs, actor, HOST)).certificate?.serial, first.certificate?.serial)
  await world.pass(10 * DAY_MS, DAY_MS)
  const second = await showDomain(world.verbs, actor, HOST)
  assert.notEqual(second.certificate?.serial, first.certificate?.serial)
  assert.equal(second.state, 'live')
  const served = await world.certificates.certificateFor(HOST)
  const rows = await world.storage.read.selectFrom('certificates').select('id').orderBy('issued_at').execute()
  assert.equal(rows.at(-1)?.id, served?.id)
  await world.pass(140 * DAY_MS, 10 * DAY_MS)
  const kept = await world.storage.read.selectFrom('certificates').select('id').execute()
  assert.equal(kept.length, 2, 'only the one before is kept')
})

test('a window that the authority advises decides, and a new one counts', async () => {
  await using world = await openWithIssuer()
  const window = { startAt: OPENING + 20 * DAY_MS, endAt: OPENING + 20 * DAY_MS + HOUR_MS }
  const actor = await addAndVerify(world)
  const { certificate } = await showDomain(world.verbs, actor, HOST)
  world.issuer.advice = { ...world.issuer.advice, window }
  await world.pass(2 * DAY_MS, 6 * HOUR_MS)
  const planned = await showDomain(world.verbs, actor, HOST)
  assert.equal(Date.parse(planned.certificate?.renewAt as string), OPENING + 20 * DAY_MS + HOUR_MS / 2)
  const soon = { startAt: OPENING + 2 * DAY_MS, endAt: OPENING + 3 * DAY_MS }
  world.issuer.advice = { ...world.issuer.advice, window: soon }
  await world.pass(2 * DAY_MS, 6 * HOUR_MS)
  assert.notEqual((await showDomain(world.verbs, actor, HOST)).certificate?.serial, certificate?.serial)
})

test('while renewal fails the old certificate is served until it expires, and people are warned in time', async () => {
  await using world = await openWithIssuer()
  const actor = await addAndVerify(world)
  world.issuer.problem = problemOf('ca_unavailable')
  await world.pass(60 * DAY_MS, 10 * DAY_MS)
  await world.pass(20 * DAY_MS, 2 * DAY_MS)
  assert.equal((await showDomain(world.verbs, actor, HOST)).state, 'attention')
  assert.ok(await world.certificates.certificateFor(HOST))
  const { notifications } = await listNotifications(world.verbs, actor.projectId)
  assert.deepEqual(
    notifications.map(({ kind }) => kind),
    ['renewal_at_risk', 'renewal_at_risk', 'live', 'verified'],
    'when less than 30 and less than 15 percent are left',
  )
  await world.pass(12 * DAY_MS, DAY_MS)
  assert.equal(await world.certificates.certificateFor(HOST), undefined)
  const ended = await showDomain(world.verbs, actor, HOST)
  assert.deepEqual([ended.state, ended.certificate], ['attention', null], 'a site that lost it waits for no first one')
  assert.ok(Date.parse(ended.certificateEndedAt as string) <= world.clock.now())
  const [last] = (await listNotifications(world.verbs, actor.projectId)).notifications
  assert.equal(last?.kind, 'certificate_ended')
  world.issuer.problem = undefined
  await world.pass(2 * DAY_MS, DAY_MS)
  assert.equal((await showDomain(world.verbs, actor, HOST)).state, 'live')
})

test('orders keep to the budget of the account, and what does not fit comes when it does', async () => {
  const orders = { burst: 2, windowMs: 10 * HOUR_MS }
  await using world = await openWithIssuer({ limits: { orders } })
  const actors: (readonly [Awaited<ReturnType<typeof addAndVerify>>, string])[] = []
  for (const name of ['a', 'b', 'c', 'd']) {
    actors.push([await addAndVerify(world, `${name}.example.test`), `${name}.example.test`])
  }
  const states = async () => {
    const views = await Promise.all(actors.map(([actor, host]) => showDomain(world.verbs, actor, host)))
    return views.map(({ state }) => state)
  }
  assert.deepEqual(await states(), ['live', 'live', 'issuing', 'issuing'])
  const waiting = await showDomain(world.verbs, ...actors[2]!)
  assert.equal(waiting.issuance?.problem?.code, 'held_back')
  const wait = Date.parse(waiting.issuance?.nextAttemptAt as string) - OPENING
  assert.ok(wait >= 5 * HOUR_MS && wait < 10 * HOUR_MS, `${wait} ms: when there is room for one, or a share later`)
  await world.pass(10 * HOUR_MS, HOUR_MS)
  assert.ok((await states()).filter((state) => state === 'live').length >= 3)
  await world.pass(10 * HOUR_MS, HOUR_MS)
  assert.deepEqual(await states(), ['live', 'live', 'live', 'live'])
})

const spend = defineWrite('test.spend', async (db, input: { issuer: string; request: BudgetRequest }, engine) => {
  const account = { issuer: input.issuer, limits: UNLIMITED, now: OPENING }
  for (let order = 0; order < 60; order++) {
    await chargeBudget(db, engine, account, { kind: 'ordered', ...input.request })
  }
})

test('a project that has ordered its share waits, and others order all the same', async () => {
  await using world = await openWithIssuer({ limits: UNLIMITED })
  const eve = await world.project()
  const holder = { share: 'ordersPerProject' as const, id: String(eve.projectId) }
  const request = { names: ['spent.example.test'], replacing: false, holder }
  await world.storage.write(spend, { issuer: world.issuer.id, request })
  await createShownRecord(world, await addDomain(world.verbs, eve, { hostname: HOST }))
  await verifyDomain(world.verbs, eve, HOST)
  await world.settle()
  const { state, issuance } = await showDomain(world.verbs, eve, HOST)
  assert.deepEqual([state, issuance?.problem?.detail], ['issuing', 'ordersPerProject'])
  assert.match(issuance?.problem?.message ?? '', /This service has not ordered .* the project’s share/)
  assert.deepEqual(world.issuer.attempts, [])
  const ada = await addAndVerify(world, 'ada.example.test')
  assert.equal((await showDomain(world.verbs, ada, 'ada.example.test')).state, 'live')
  await world.pass(20 * MINUTE_MS, MINUTE_MS)
  assert.equal((await showDomain(world.verbs, eve, HOST)).state, 'live')
})

test('the names of one owner’s projects have a share of what the authority allows the platform', async () => {
  await using world = await openWithIssuer({ limits: UNLIMITED, isPlatformName: async () => true })
  const holder = { share: 'platformNamesPerAccount' as const, id: PLATFORM_OWNER }
  const request = { names: ['spent.localhost'], replacing: false, holder }
  await world.storage.write(spend, { issuer: world.issuer.id, request })
  await world.storage.write(lookAtPlatformName, { hostname: 'shop.localhost', now: OPENING })
  await world.settle()
  assert.deepEqual(world.issuer.attempts, [])
  const { problem } = await world.storage.read.selectFrom('issuances').select('problem').executeTakeFirstOrThrow()
  assert.match(String(problem), /"platformNamesPerAccount"/)
})

test('five failed validations of a hostname within an hour are the most', async () => {
  const failedValidationsPerHostname = { burst: 5, windowMs: HOUR_MS }
  await using world = await openWithIssuer({ limits: { failedValidationsPerHostname } })
  world.issuer.problem = problemOf('challenge_wrong')
  const actor = await addAndVerify(world)
  for (let press = 0; press < 8; press++) {
    await verifyDomain(world.verbs, actor, HOST)
    await world.settle()
  }
  assert.equal(world.issuer.attempts.length, 4, 'Re-verify spends no more than the budget')
  await world.pass(2 * MINUTE_MS, MINUTE_MS)
  assert.equal(world.issuer.attempts.length, 5, 'and leaves room for the attempt that comes by itself')
})

test('removal revokes the certificate where that is asked for', async () => {
  await using world = await openWithIssuer()
  const kept = await addAndVerify(world, 'a.example.test')
  await removeDomain(world.verbs, kept, { hostname: 'a.example.test' })
  await world.settle()
  assert.equal(world.issuer.revoked.length, 0)
  const gone = await addAndVerify(world, 'b.example.test')
  await removeDomain(world.verbs, gone, { hostname: 'b.example.test', revoke: true })
  await world.settle()
  assert.equal(world.issuer.revoked.length, 1)
  const due = await world.storage.read.selectFrom('work').select('queue').where('queue', '=', 'certificates').execute()
  assert.deepEqual(due, [], 'nothing is left to do')
})

test('nothing is attempted while the storage cannot be written', async () => {
  await using world = await openWithIssuer()
  const actor = await world.project()
  await createShownRecord(world, await addDomain(world.verbs, actor, { hostname: HOST }))
  world.issuer.problem = problemOf('unreachable')
  await verifyDomain(world.verbs, actor, HOST)
  await world.settle()
  assert.equal(world.issuer.attempts.length, 1)

  const write = world.storage.write.bind(world.storage)
  world.storage.write = async () => {
    throw unavailable('The database cannot be written right now.')
  }
  world.clock.advance(2 * MINUTE_MS)
  for (let second = 0; second < 20; second++) {
    world.clock.advance(1000)
    await wait(5)
  }
  assert.equal(world.issuer.attempts.length, 1)
  world.storage.write = write
  world.issuer.problem = undefined
  await world.pass(3 * MINUTE_MS, MINUTE_MS)
  assert.equal((await showDomain(world.verbs, actor, HOST)).state, 'live')
})

test('another issuer takes over at once, and its order replaces the one of the former', async () => {
  await using world = await openWithIssuer()
  world.issuer.problem = problemOf('ca_unavailable')
  world.issuer.ends = 'stalled'
  const actor = await addAndVerify(world)
  assert.ok(await orderOf(world))
  Object.assign(world.issuer, { id: 'https://other.example/dir', problem: undefined })
  const begin = world.issuer.begin
  world.issuer.begin = (request) => ({ ...begin(request), issuer: 'https://other.example/dir' })
  await verifyDomain(world.verbs, actor, HOST)
  await world.settle()
  const [row] = await world.storage.read.selectFrom('certificates').select('issuer').execute()
  assert.equal(row?.issuer, 'https://other.example/dir')
})

test('in the sandbox the internal CA issues, and a CAA record of the rehearsal blocks it', async () => {
  await using world = await openDomainWorld()
  const actor = await world.project()
  const blocking = await point(world, '@', 'CAA', '0 issue ";"')
  await createShownRecord(world, await addDomain(world.verbs, actor, { hostname: HOST }))
  await verifyDomain(world.verbs, actor, HOST)
  await world.settle()
  assert.match(
    (await showDomain(world.verbs, actor, HOST)).issuance?.problem?.message ?? '',
    /tag issue, value ca\.localhost.* Then choose Re-verify\.$/,
  )
  await removeRecord(world.sandbox, { apex: 'example.test', id: blocking.id })
  await verifyDomain(world.verbs, actor, HOST)
  await world.settle()
  const live = await showDomain(world.verbs, actor, HOST)
  assert.equal(live.state, 'live')
  assert.match(live.certificate?.issuer ?? '', /Petstore internal CA/)
  assert.equal((await listSandbox(world.sandbox)).length, 2)
  await makeLive(world, actor, 'shop.example.test')
})

async function orderOf(world: { storage: Awaited<ReturnType<typeof openDomainWorld>>['storage'] }) {
  const [row] = await world.storage.read.selectFrom('issuances').select('issuance_order').execute()
  return row?.issuance_order
}
