import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { ensureIssuance } from '../../src/features/certificates/order/order-writes.ts'
import { findNewestCertificate } from '../../src/features/certificates/queries.ts'
import { showDomain, verifyDomain } from '../../src/features/domains/domains.ts'
import type { IssuanceProblemCode } from '../../src/features/certificates/issuer.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/platform/clock.ts'
import { defineWrite } from '../../src/platform/storage/storage.ts'
import { openPostgres, type PostgresDatabases } from '../harness/postgres.ts'
import { layOutSchema } from '../harness/schema.ts'
import { until } from '../harness/until.ts'
import { addAndVerify, HOST, openWithIssuer, openWithTwoIssuers, type TwoIssuersWorld } from './issuer-world.ts'
import { problemOf } from './scripted-issuer.ts'
import { makeLive, openDomainWorld, point } from './world.ts'

let server: PostgresDatabases
before(async () => void (server = await openPostgres()))
after(() => server[Symbol.asyncDispose]())

const askedOf = ({ issuer, second }: TwoIssuersWorld) => [issuer.attempts.length, second.attempts.length]

/** Adds a name, and says who certified it. */
async function certifiedBy(world: TwoIssuersWorld, hostname: string): Promise<string | null | undefined> {
  const actor = await addAndVerify(world, hostname)
  return (await showDomain(world.verbs, actor, hostname)).certificate?.authority
}

for (const engine of ['sqlite', 'postgres'] as const) {
  test(`an authority that fails gives way at once, rests ten minutes, and comes first again (${engine})`, async () => {
    const databaseUrl = engine === 'postgres' ? await server.createSchema() : undefined
    await using world = await openWithTwoIssuers({ databaseUrl, limits: {}, secondLimits: {} })
    Object.assign(world.issuer, { problem: problemOf('ca_unavailable'), ends: 'stalled' })
    const actor = await addAndVerify(world)
    const { state, certificate } = await showDomain(world.verbs, actor, HOST)
    assert.deepEqual([state, certificate?.authority, certificate?.isFallback], ['live', 'second.example.test', true])
    assert.deepEqual(askedOf(world), [1, 1])

    assert.equal(await certifiedBy(world, 'b.example.test'), 'second.example.test')
    assert.deepEqual(askedOf(world), [1, 2], 'the first one rests')
    world.issuer.problem = undefined
    await world.pass(10 * MINUTE_MS)
    assert.equal(await certifiedBy(world, 'c.example.test'), 'acme.example.test')

    await world.pass(64 * DAY_MS, 8 * DAY_MS)
    const renewed = (await showDomain(world.verbs, actor, HOST)).certificate
    assert.deepEqual([renewed?.authority, renewed?.isFallback], ['acme.example.test', false], 'a renewal goes back')
    assert.equal(world.second.attempts.length, 2)
  })
}

const OWNERS: readonly IssuanceProblemCode[] = [
  'caa_forbids',
  'dns_failed',
  'unreachable',
  'tls_failed',
  'challenge_wrong',
]

const AUTHORITYS: readonly IssuanceProblemCode[] = [
  'rate_limited',
  'ca_misbehaves',
  'operator_needed',
  'name_refused',
  'rejected',
  'order_expired',
  'order_lost',
  'certificate_refused',
]

test('what the owner has to mend is asked of no second authority, what is the authority’s own is', async () => {
  await using world = await openWithTwoIssuers({ limits: {}, secondLimits: {} })
  for (const code of OWNERS) {
    world.issuer.problem = problemOf(code)
    assert.equal(await certifiedBy(world, `${code.replaceAll('_', '-')}.example.test`), undefined, code)
  }
  assert.deepEqual(askedOf(world), [OWNERS.length, 0])
  for (const code of AUTHORITYS) {
    await world.pass(11 * MINUTE_MS)
    world.issuer.problem = problemOf(code)
    assert.equal(await certifiedBy(world, `${code.replaceAll('_', '-')}.example.test`), 'second.example.test', code)
  }
})

test('CAA records that allow one of two authorities choose it, and advice names both', async () => {
  await using world = await openWithTwoIssuers({ limits: {}, secondLimits: {} })
  await point(world, '@', 'CAA', '0 issue "other.example"')
  const actor = await addAndVerify(world)
  const { message } = (await showDomain(world.verbs, actor, HOST)).issuance?.problem ?? {}
  assert.match(
    message ?? '',
    /type CAA, name @, .* value ca\.example, .* a second one like it with value second\.example/,
  )
  const { problems = [] } = (await showDomain(world.verbs, actor, HOST)).lastCheck ?? {}
  assert.deepEqual(
    problems.flatMap(({ change }) => change?.add.map(({ value }) => value) ?? []),
    ['0 issue "ca.example"', '0 issue "second.example"'],
  )
  assert.deepEqual(askedOf(world), [0, 0])

  await point(world, '@', 'CAA', '0 issue "second.example"')
  await verifyDomain(world.verbs, actor, HOST)
  await world.settle()
  const { certificate, lastCheck } = await showDomain(world.verbs, actor, HOST)
  assert.equal(certificate?.authority, 'second.example.test')
  assert.deepEqual(lastCheck?.problems, [], 'nothing is in the way')
  assert.deepEqual(askedOf(world), [0, 1])

  world.second.problem = problemOf('ca_unavailable')
  assert.equal(await certifiedBy(world, 'b.example.test'), undefined)
  assert.deepEqual(askedOf(world), [0, 2], 'the first may not issue, and is not asked')
})

test('each authority hears of as many orders as it allows, and what fits nowhere waits', async () => {
  const orders = { burst: 1, windowMs: DAY_MS }
  await using world = await openWithTwoIssuers({ limits: { orders }, secondLimits: { orders } })
  assert.equal(await certifiedBy(world, 'a.example.test'), 'acme.example.test')
  assert.equal(await certifiedBy(world, 'b.example.test'), 'second.example.test')
  const actor = await addAndVerify(world, 'c.example.test')
  const { issuance } = await showDomain(world.verbs, actor, 'c.example.test')
  assert.equal(issuance?.problem?.code, 'held_back')
  assert.deepEqual(askedOf(world), [1, 1])
  await world.pass(3 * DAY_MS, 6 * HOUR_MS)
  assert.deepEqual(askedOf(world), [2, 1])
})

test('an authority that asks to be left alone is, while the other is asked', async () => {
  await using world = await openWithTwoIssuers({ limits: {}, secondLimits: {} })
  Object.assign(world.issuer, { problem: problemOf('rate_limited', 3 * HOUR_MS), ends: 'stalled' })
  world.second.problem = problemOf('ca_unavailable')
  const actor = await addAndVerify(world)
  assert.deepEqual(askedOf(world), [1, 1])
  assert.equal((await showDomain(world.verbs, actor, HOST)).issuance?.retryAfter, null, 'one of them may be asked')
  await world.pass(2.9 * HOUR_MS, 10 * MINUTE_MS)
  assert.equal(world.issuer.attempts.length, 1)
  assert.ok(world.second.attempts.length > 2)
  world.second.problem = undefined
  await world.pass(20 * MINUTE_MS, 10 * MINUTE_MS)
  assert.deepEqual([world.issuer.attempts.length, (await showDomain(world.verbs, actor, HOST)).state], [2, 'live'])
})

test('while both fail each is asked once in a round, and whoever recovers first issues', async () => {
  await using world = await openWithTwoIssuers({ limits: {}, secondLimits: {} })
  world.issuer.problem = world.second.problem = problemOf('ca_unavailable')
  const actor = await addAndVerify(world)
  await world.pass(24 * HOUR_MS, 30 * MINUTE_MS)
  const [first = 0, second = 0] = askedOf(world)
  // 1, 10, 100 minutes, then every 4 hours: nine rounds in a day, as with one authority.
  assert.ok(first <= 9 && second <= 9 && first + second >= 9, `${first} and ${second} orders`)
  world.second.problem = undefined
  await world.pass(4.5 * HOUR_MS, 90 * MINUTE_MS)
  assert.equal((await showDomain(world.verbs, actor, HOST)).certificate?.authority, 'second.example.test')
})

test('an order that its authority does not finish is given up for the other after a quarter of an hour', async () => {
  await using world = await openWithTwoIssuers({ limits: {}, secondLimits: {} })
  world.issuer.isStuck = true
  const actor = await addAndVerify(world)
  await world.pass(12 * MINUTE_MS, 3 * MINUTE_MS)
  assert.equal((await showDomain(world.verbs, actor, HOST)).issuance?.authority, 'acme.example.test')
  await world.pass(6 * MINUTE_MS, 3 * MINUTE_MS)
  assert.equal((await showDomain(world.verbs, actor, HOST)).certificate?.authority, 'second.example.test')
})

test('another authority than before is asked from the next start on, and not when its certificates end', async () => {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'petstore-authority-'))
  using _directory = { [Symbol.dispose]: () => rmSync(dataDirectory, { recursive: true }) }
  layOutSchema(dataDirectory)
  const before = await openDomainWorld({ dataDirectory })
  await makeLive(before, await before.project(), HOST)
  await before[Symbol.asyncDispose]()
  await using world = await openWithIssuer({ dataDirectory })
  await world.settle()
  const issuers = await world.storage.read.selectFrom('certificates').select('issuer').orderBy('issued_at').execute()
  assert.equal(issuers.at(-1)?.issuer, world.issuer.id)
})

test('what another authority has issued since the start is replaced within an hour, unless it waits', async () => {
  await using world = await openWithIssuer()
  const waiting = 'waiting.example.test'
  for (const hostname of [HOST, waiting]) await addAndVerify(world, hostname)
  // As an instance does that has the settings from before; a budget has put one of them off, and it keeps its turn.
  const issueByFormer = defineWrite('test.issueByFormer', async (db) => {
    await db.updateTable('certificates').set({ issuer: 'https://former.example.test/dir' }).execute()
    await ensureIssuance(db, waiting, world.clock.now())
    await db
      .updateTable('work')
      .set({ due_at: world.clock.now() + DAY_MS })
      .execute()
  })
  await world.storage.write(issueByFormer, undefined)
  world.clock.advance(HOUR_MS)
  await until('one is replaced', async () => {
    await world.settle()
    return world.issuer.begun.length > 2
  })
  assert.equal(world.issuer.begun.length, 3)
  assert.equal((await findNewestCertificate(world.storage.read, HOST))?.issuer, world.issuer.id)
})

test('who leads does its work also where the certificates of other authorities cannot be looked for', async () => {
  await using world = await openWithIssuer({ idle: true })
  const away = defineWrite('test.away', (db) => db.schema.alterTable('certificates').renameTo('elsewhere').execute())
  await world.storage.write(away, undefined)
  await world.domains.start()
  assert.match(String(world.errors), /certificates/)
})
