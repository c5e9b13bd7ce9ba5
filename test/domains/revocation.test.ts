import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  addDomain,
  type DomainActor,
  removeDomain,
  showDomain,
  verifyDomain,
} from '../../src/features/domains/domains.ts'
import { prepareDomain } from '../../src/features/domains/preparation/prepare.ts'
import { deleteProjectRow, ProjectPurge } from '../../src/platform-api/delete-project.ts'
import { DAY_MS, HOUR_MS } from '../../src/platform/clock.ts'
import { openPostgres, type PostgresDatabases } from '../harness/postgres.ts'
import { addAndVerify, HOST, type IssuerWorld, openWithIssuer, openWithTwoIssuers } from './issuer-world.ts'
import { problemOf } from './scripted-issuer.ts'
import { clearZone, createShownRecord, point } from './world.ts'

let server: PostgresDatabases
before(async () => void (server = await openPostgres()))
after(() => server[Symbol.asyncDispose]())

async function remove(world: IssuerWorld, actor: DomainActor, revoke = false): Promise<void> {
  await removeDomain(world.verbs, actor, { hostname: HOST, revoke })
  await world.settle()
}

/** Another project comes into the hostname, with every record that it is shown. */
async function takeOver(world: IssuerWorld, actor: DomainActor): Promise<void> {
  await clearZone(world, 'example.test')
  await createShownRecord(world, await addDomain(world.verbs, actor, { hostname: HOST }))
  await verifyDomain(world.verbs, actor, HOST)
  await world.settle()
  assert.equal((await showDomain(world.verbs, actor, HOST)).state, 'live')
}

async function prepare(world: IssuerWorld, actor: DomainActor): Promise<void> {
  const { proof, challenge } = (await prepareDomain(world.verbs, actor, { hostname: HOST })).record
  for (const { name, type, value } of [proof!, challenge!]) await point(world, name, type, value)
  await verifyDomain(world.verbs, actor, HOST)
  await world.settle()
  assert.equal((await showDomain(world.verbs, actor, HOST)).state, 'ready')
}

const revokedSerials = async ({ storage }: IssuerWorld) => {
  const rows = storage.read.selectFrom('certificates').select('serial').where('revoked_at', 'is not', null)
  return (await rows.execute()).map(({ serial }) => serial)
}

const serialOf = async (world: IssuerWorld, actor: DomainActor) =>
  (await showDomain(world.verbs, actor, HOST)).certificate?.serial

for (const engine of ['sqlite', 'postgres'] as const) {
  test(`what the owner wants revoked is, whoever else adds and removes the name meanwhile (${engine})`, async () => {
    const databaseUrl = engine === 'postgres' ? await server.createSchema() : undefined
    await using world = await openWithIssuer({ databaseUrl })
    const [owner, stranger] = [await addAndVerify(world), await world.project()]
    const serial = await serialOf(world, owner)
    world.issuer.problem = problemOf('ca_unavailable')
    await remove(world, owner, true)
    for (const revoke of [false, true]) {
      await addDomain(world.verbs, stranger, { hostname: HOST })
      await world.pass(HOUR_MS)
      await remove(world, stranger, revoke)
    }
    world.issuer.problem = undefined
    await world.pass(5 * HOUR_MS, HOUR_MS)
    assert.deepEqual(await revokedSerials(world), [serial])
    const entries = world.storage.read.selectFrom('audit_entries').selectAll().where('verb', '=', 'certificate.revoke')
    const projects = (await entries.execute()).map(({ project_id }) => project_id)
    assert.deepEqual(projects, [owner.projectId])
  })

  test(`whoever has the name next keeps their certificates when the former one’s are revoked (${engine})`, async () => {
    const databaseUrl = engine === 'postgres' ? await server.createSchema() : undefined
    await using world = await openWithIssuer({ databaseUrl })
    const [owner, next] = [await addAndVerify(world), await world.project()]
    const serial = await serialOf(world, owner)
    world.issuer.problem = problemOf('ca_unavailable')
    await remove(world, owner, true)
    await takeOver(world, next)
    world.issuer.problem = undefined
    await world.pass(64 * DAY_MS, 8 * DAY_MS)
    assert.notEqual(await serialOf(world, next), serial)
    await remove(world, next)
    assert.deepEqual(await revokedSerials(world), [serial])
    assert.equal((await world.storage.read.selectFrom('certificates').select('id').execute()).length, 2)
  })
}

test('what one authority has issued is revoked while another cannot be reached, and the rest when it can', async () => {
  await using world = await openWithTwoIssuers()
  const owner = await addAndVerify(world)
  const serials = [await serialOf(world, owner)]
  world.issuer.problem = problemOf('ca_unavailable')
  await world.pass(70 * DAY_MS, 10 * DAY_MS)
  serials.push(await serialOf(world, owner))
  assert.equal(world.second.begun.length, 1, 'the other authority has renewed it')
  await remove(world, owner, true)
  assert.deepEqual(await revokedSerials(world), [serials[1]])
  world.issuer.problem = undefined
  await world.pass(2 * HOUR_MS, HOUR_MS)
  assert.deepEqual(new Set(await revokedSerials(world)), new Set(serials))
})

test('an authority that asks to wait is not asked to revoke before, though another fails, too', async () => {
  await using world = await openWithTwoIssuers()
  const owner = await addAndVerify(world)
  world.issuer.problem = problemOf('ca_unavailable')
  await world.pass(70 * DAY_MS, 10 * DAY_MS)
  world.issuer.problem = problemOf('rate_limited', 20 * HOUR_MS)
  world.second.problem = problemOf('ca_unavailable')
  let asked = 0
  const { revoke } = world.issuer
  world.issuer.revoke = (...about) => {
    asked++
    return revoke(...about)
  }
  await remove(world, owner, true)
  await world.pass(19 * HOUR_MS, HOUR_MS)
  assert.equal(asked, 1)
  world.issuer.problem = world.second.problem = undefined
  await world.pass(6 * HOUR_MS, HOUR_MS)
  assert.equal((await revokedSerials(world)).length, 2)
})

test('what the owner wants revoked is, also when the project is deleted meanwhile', async () => {
  await using world = await openWithIssuer()
  const owner = await addAndVerify(world)
  world.issuer.problem = problemOf('ca_unavailable')
  await remove(world, owner, true)
  await world.storage.write(deleteProjectRow, { id: owner.projectId, accountId: null, now: world.clock.now() })
  await using purge = new ProjectPurge(world.storage, (error) => assert.fail(error as Error))
  await purge.run()
  world.issuer.problem = undefined
  await world.pass(5 * HOUR_MS, HOUR_MS)
  assert.equal(world.issuer.revoked.length, 1)
})

for (const engine of ['sqlite', 'postgres'] as const) {
  test(`a deleted project stays until what its owner wants revoked has been taken on (${engine})`, async () => {
    const databaseUrl = engine === 'postgres' ? await server.createSchema() : undefined
    await using world = await openWithIssuer({ databaseUrl })
    const owner = await addAndVerify(world)
    const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    world.issuer.renewalAdvice = async () => {
      asked.resolve()
      await answered.promise
      return world.issuer.advice
    }
    world.clock.advance(DAY_MS)
    await asked.promise
    // The hostname is being worked on, so that nobody else looks at it.
    await removeDomain(world.verbs, owner, { hostname: HOST, revoke: true })
    await world.storage.write(deleteProjectRow, { id: owner.projectId, accountId: null, now: world.clock.now() })
    await using purge = new ProjectPurge(world.storage, (error) => assert.fail(error as Error))
    await purge.run()
    answered.resolve()
    await world.settle()
    await world.pass(5 * HOUR_MS, HOUR_MS)
    assert.equal(world.issuer.revoked.length, 1)
    await purge.run()
    assert.deepEqual(await world.storage.read.selectFrom('projects').select('id').execute(), [])
  })
}

test('what the owner wants revoked is, also where another project is served with it by then', async () => {
  await using world = await openWithIssuer()
  const [owner, next] = [await addAndVerify(world), await world.project()]
  const serial = await serialOf(world, owner)
  await prepare(world, next)
  const { revoke } = world.issuer
  let refusals = 0
  world.issuer.revoke = async () => {
    refusals += 1
    return { revoked: false, problem: problemOf('ca_unavailable') }
  }
  await remove(world, owner, true)
  await world.pass(DAY_MS, 4 * HOUR_MS)
  assert.equal(world.issuer.begun.length, 2, 'one order, however often revoking fails')
  assert.ok(refusals > 2 && refusals < 12, `${refusals} tries in a day`)
  const successor = await serialOf(world, next)
  assert.notEqual(successor, serial)
  world.issuer.revoke = revoke
  await world.pass(5 * HOUR_MS, HOUR_MS)
  assert.deepEqual(await revokedSerials(world), [serial])
  assert.equal(await serialOf(world, next), successor)
})

test('what the owner wants revoked is, also when the owner has added the name again by then', async () => {
  await using world = await openWithIssuer()
  const owner = await addAndVerify(world)
  const serial = await serialOf(world, owner)
  world.issuer.problem = problemOf('ca_unavailable')
  await remove(world, owner, true)
  await takeOver(world, owner)
  assert.equal(await serialOf(world, owner), serial, 'it is served until there is another')
  world.issuer.problem = undefined
  await world.pass(5 * HOUR_MS, HOUR_MS)
  assert.deepEqual(await revokedSerials(world), [serial])
  assert.equal((await showDomain(world.verbs, owner, HOST)).state, 'live')
})

test('nobody has certificates revoked that are another’s', async () => {
  await using world = await openWithIssuer()
  const [owner, stranger, preparing] = [await addAndVerify(world), await world.project(), await world.project()]
  await addDomain(world.verbs, stranger, { hostname: HOST })
  await remove(world, stranger, true)
  await prepare(world, preparing)
  await remove(world, preparing, true)
  await remove(world, owner)
  await addDomain(world.verbs, stranger, { hostname: HOST })
  await remove(world, stranger, true)
  assert.deepEqual(world.issuer.revoked, [])
})

test('a wish that is done does not concern who has the name next', async () => {
  await using world = await openWithIssuer()
  const [owner, next] = [await addAndVerify(world), await world.project()]
  const serial = await serialOf(world, owner)
  await remove(world, owner, true)
  await takeOver(world, next)
  await clearZone(world, 'example.test')
  await world.pass(17 * DAY_MS, DAY_MS)
  assert.equal((await showDomain(world.verbs, next, HOST)).verifiedAt, null, 'it is served no more')
  assert.deepEqual(await revokedSerials(world), [serial])
})

test('the certificate of a domain that is served no more is revoked with its removal', async () => {
  await using world = await openWithIssuer()
  const owner = await addAndVerify(world)
  await clearZone(world, 'example.test')
  await world.pass(17 * DAY_MS, DAY_MS)
  assert.equal((await showDomain(world.verbs, owner, HOST)).verifiedAt, null)
  await remove(world, owner, true)
  assert.equal(world.issuer.revoked.length, 1)
})
