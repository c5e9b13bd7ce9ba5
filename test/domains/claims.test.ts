import assert from 'node:assert/strict'
import { sql } from 'kysely'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import {
  addDomain,
  type DomainActor,
  domainEvidence,
  listDomains,
  makePrimary,
  redirectDomain,
  removeDomain,
  showDomain,
  verifyDomain,
} from '../../src/features/domains/domains.ts'
import { findDangling } from '../../src/features/domains/live/dangling.ts'
import { listNotifications } from '../../src/features/domains/notifications/notifications.ts'
import { provedNamesMigration } from '../../src/features/domains/migration.ts'
import { prepareDomain } from '../../src/features/domains/preparation/prepare.ts'
import { CHECK_QUEUE } from '../../src/features/domains/queries.ts'
import { CERTIFICATE_QUEUE } from '../../src/features/domains/topics.ts'
import { addRecord, addZone } from '../../src/features/sandbox/sandbox.ts'
import { deleteProjectRow } from '../../src/platform-api/delete-project.ts'
import { migrations } from '../../src/migrations.ts'
import { DAY_MS, ManualClock, MINUTE_MS } from '../../src/platform/clock.ts'
import { iso } from '../../src/platform/iso-date.ts'
import { openStorage } from '../../src/platform/storage/open.ts'
import { defineWrite } from '../../src/platform/storage/storage.ts'
import { a, ns, NS1 } from '../harness/dns.ts'
import { openPostgres, type PostgresDatabases } from '../harness/postgres.ts'
import { EDGE, isTooLate, openPacketStage } from './packet-stage.ts'
import { clearZone, createShownRecord, type DomainWorld, makeLive, openDomainWorld, OPENING, point } from './world.ts'

const HOST = 'www.example.test'
const APEX = 'example.test'

for (const engine of ['sqlite', 'postgres'] as const) {
  describe(`claims on ${engine}`, () => {
    let server: PostgresDatabases | undefined
    let world: DomainWorld
    before(async () => {
      if (engine === 'postgres') server = await openPostgres()
      world = await openDomainWorld({ databaseUrl: await server?.createSchema() })
    })
    after(async () => {
      await world?.[Symbol.asyncDispose]()
      await server?.[Symbol.asyncDispose]()
    })
    let zones = 0
    /** Each test has projects and a zone of its own: to open a world takes longer than what most of them do in it. */
    const newZone = async () => {
      const apex = `claims-${++zones}.test`
      await addZone(world.sandbox, { apex })
      return { apex, host: `www.${apex}` }
    }
    const pointIn = (apex: string, name: string, type: string, value: string) =>
      addRecord(world.sandbox, { apex, name, type, value })

    test('a pending claim blocks nobody', async () => {
      const { host } = await newZone()
      const [squatter, owner] = [await world.project(), await world.project()]
      await addDomain(world.verbs, squatter, { hostname: host })
      const live = await makeLive(world, owner, host)
      assert.equal(live.record.proof, null, 'nobody has ever held it')
    })

    test('a hostname that another project holds needs a proof, and the newer proof wins', async () => {
      const { apex, host } = await newZone()
      const [first, second] = [await world.project(), await world.project()]
      await makeLive(world, first, host)
      await clearZone(world, apex)

      const claim = await addDomain(world.verbs, second, { hostname: host })
      assert.match(claim.record.proof?.value ?? '', /^petstore-verify=[0-9a-f]{40}$/)
      assert.equal(claim.record.proof?.fullName, `_petstore.${host}`)
      const { type, value } = claim.record.record
      await pointIn(apex, 'www', type, value)
      await verifyDomain(world.verbs, second, host)
      await world.settle()
      assert.deepEqual((await showDomain(world.verbs, second, host)).problems, ['proof_missing'])
      assert.equal(await holderOf(world, host), first.projectId, 'pointing here alone moves nothing')

      await pointIn(apex, '_petstore.www', 'TXT', claim.record.proof!.value)
      await verifyDomain(world.verbs, second, host)
      await world.settle()
      assert.equal(await holderOf(world, host), second.projectId)
      assert.equal((await showDomain(world.verbs, second, host)).state, 'live')
      const lost = await showDomain(world.verbs, first, host)
      assert.equal(lost.state, 'awaiting dns')
      const { notifications } = await listNotifications(world.verbs, first.projectId)
      assert.deepEqual(
        notifications.map(({ kind }) => kind),
        ['lost', 'live', 'verified'],
      )

      // Both of the first project's old records come back: its proof is no longer good.
      assert.notEqual(lost.record.proof?.value, claim.record.proof?.value)
      await clearZone(world, apex)
      await pointIn(apex, 'www', 'CNAME', lost.record.record.value)
      await verifyDomain(world.verbs, first, host)
      await world.settle()
      assert.equal(await holderOf(world, host), second.projectId)
      await createShownRecord(world, { ...lost, record: { ...lost.record, record: lost.record.proof!, proof: null } })
      await verifyDomain(world.verbs, first, host)
      await world.settle()
      assert.equal(await holderOf(world, host), first.projectId, 'the newest proof wins again')
    })

    test('a hostname that was held before needs a proof, but not from the one who held it', async () => {
      const { host } = await newZone()
      const [first, second, third] = [await world.project(), await world.project(), await world.project()]
      await makeLive(world, first, host)
      await removeDomain(world.verbs, first, { hostname: host })
      assert.notEqual((await addDomain(world.verbs, second, { hostname: host })).record.proof, null)
      assert.equal((await addDomain(world.verbs, first, { hostname: host })).record.proof, null)

      const now = world.clock.now()
      const deleted = await world.storage.write(deleteProjectRow, { id: first.projectId, accountId: null, now })
      assert.equal(deleted.kind, 'deleted')
      assert.notEqual((await addDomain(world.verbs, third, { hostname: host })).record.proof, null)
    })

    test('the record of an apex that another project serves now is not to be deleted', async () => {
      const { apex } = await newZone()
      const [first, second] = [await world.project(), await world.project()]
      await makeLive(world, first, apex)
      const claim = await addDomain(world.verbs, second, { hostname: apex })
      await pointIn(apex, '_petstore', 'TXT', claim.record.proof!.value)
      await verifyDomain(world.verbs, second, apex)
      await world.settle()
      await removeDomain(world.verbs, first, { hostname: apex })
      const moved = await findDangling(world.verbs, first, apex)
      assert.deepEqual([moved.pointsHere, moved.isServed], [true, true])
      assert.match(moved.advice, /served for another project. If that is yours, leave the record/)

      await removeDomain(world.verbs, second, { hostname: apex })
      const left = await findDangling(world.verbs, first, apex)
      assert.deepEqual([left.pointsHere, left.isServed], [true, false])
      assert.match(left.advice, /nothing is served for it any more: delete it/)
    })

    test('nor is that of a name which a wildcard of the project serves', async () => {
      const { apex, host } = await newZone()
      const actor = await world.project()
      await makeLive(world, actor, host)
      await createShownRecord(world, await addDomain(world.verbs, actor, { hostname: `*.${apex}` }))
      await verifyDomain(world.verbs, actor, `*.${apex}`)
      await world.settle()
      await removeDomain(world.verbs, actor, { hostname: host })
      const { pointsHere, advice } = await findDangling(world.verbs, actor, host)
      assert.equal(pointsHere, true)
      assert.ok(advice.includes(`*.${apex} serves it: leave the record`), advice)
      await clearZone(world, apex)
      assert.match((await findDangling(world.verbs, actor, host)).advice, /no longer leads to this project/)
    })

    test('an apex that one project waits for is not given to whoever verifies first', async () => {
      const { apex } = await newZone()
      const [owner, taker] = [await world.project(), await world.project()]
      const own = await addDomain(world.verbs, owner, { hostname: apex })
      assert.equal(own.record.proof, null, 'alone and first: the record is all there is')
      await createShownRecord(world, own)
      await world.pass(MINUTE_MS)
      assert.notEqual((await addDomain(world.verbs, taker, { hostname: apex })).record.proof, null, 'told at once')
      await verifyDomain(world.verbs, taker, apex)
      await world.settle()
      assert.deepEqual((await showDomain(world.verbs, taker, apex)).problems, ['proof_missing'])

      await verifyDomain(world.verbs, owner, apex)
      await world.settle()
      assert.equal((await showDomain(world.verbs, owner, apex)).state, 'live')
    })

    test('an apex that two projects wait for goes to the one that shows its TXT record', async () => {
      const { apex } = await newZone()
      const [squatter, owner] = [await world.project(), await world.project()]
      await addDomain(world.verbs, squatter, { hostname: apex })
      const own = await addDomain(world.verbs, owner, { hostname: apex })
      assert.equal(own.record.proof?.fullName, `_petstore.${apex}`)
      assert.notEqual((await showDomain(world.verbs, squatter, apex)).record.proof, null)
      await pointIn(apex, '@', 'ALIAS', own.record.record.value)
      for (const actor of [squatter, owner]) await verifyDomain(world.verbs, actor, apex)
      await world.settle()
      for (const actor of [squatter, owner]) {
        assert.deepEqual((await showDomain(world.verbs, actor, apex)).problems, ['proof_missing'])
      }
      await pointIn(apex, '_petstore', 'TXT', own.record.proof!.value)
      for (const actor of [squatter, owner]) await verifyDomain(world.verbs, actor, apex)
      await world.settle()
      assert.equal((await showDomain(world.verbs, owner, apex)).state, 'live')
      assert.equal((await showDomain(world.verbs, squatter, apex)).state, 'awaiting dns')
    })

    test('a squatter who leaves leaves no trace', async () => {
      const { apex } = await newZone()
      const [squatter, owner] = [await world.project(), await world.project()]
      await addDomain(world.verbs, squatter, { hostname: apex })
      assert.notEqual((await addDomain(world.verbs, owner, { hostname: apex })).record.proof, null)
      await removeDomain(world.verbs, squatter, { hostname: apex })
      await world.settle()
      const own = await showDomain(world.verbs, owner, apex)
      assert.equal(own.record.proof, null)
      await createShownRecord(world, own)
      await verifyDomain(world.verbs, owner, apex)
      await world.settle()
      assert.equal((await showDomain(world.verbs, owner, apex)).state, 'live')
    })

    test('50 projects race for an apex that leads here already, and the one that was there before has it', async () => {
      await using stage = await openPacketStage(await server?.createSchema())
      const projects = []
      for (let index = 0; index < 50; index++) projects.push(await stage.world.project())
      const [first, ...others] = projects
      const zone = stage.zone(APEX)
      await addDomain(stage.verbs, first!, { hostname: APEX })
      zone.records.push(a(APEX, EDGE))
      await stage.settle()
      const comeAndVerify = async (actor: DomainActor) => {
        await untilTaken(() => addDomain(stage.verbs, actor, { hostname: APEX }))
        await untilTaken(() => verifyDomain(stage.verbs, actor, APEX))
      }
      await Promise.all([...others.map(comeAndVerify), untilTaken(() => verifyDomain(stage.verbs, first!, APEX))])
      await stage.settle()
      const [won, ...lost] = await Promise.all(projects.map((actor) => showDomain(stage.verbs, actor, APEX)))
      assert.notEqual(won?.verifiedAt, null)
      assert.ok(lost.every(({ problems, verifiedAt }) => verifiedAt === null && problems.includes('proof_missing')))
    })

    test('20 projects race for an apex that leads here already, and none has it without the TXT record', async () => {
      await using stage = await openPacketStage(await server?.createSchema())
      stage.zone(APEX).records.push(a(APEX, EDGE))
      const projects = []
      for (let index = 0; index < 20; index++) projects.push(await stage.world.project())
      await Promise.all(projects.map((actor) => untilTaken(() => addDomain(stage.verbs, actor, { hostname: APEX }))))
      await Promise.all(projects.map((actor) => untilTaken(() => verifyDomain(stage.verbs, actor, APEX))))
      await stage.settle()
      const domains = await Promise.all(projects.map((actor) => showDomain(stage.verbs, actor, APEX)))
      assert.ok(domains.every(({ problems, verifiedAt }) => verifiedAt === null && problems.includes('proof_missing')))
    })

    test('who comes while an apex has begun to lead here takes nothing from whoever was alone', async () => {
      await using stage = await openPacketStage(await server?.createSchema())
      const [owner, stranger] = [await stage.world.project(), await stage.world.project()]
      const zone = stage.zone(APEX)
      const old = a(APEX, '203.0.113.9')
      zone.records.push(old)
      await addDomain(stage.verbs, owner, { hostname: APEX })
      zone.records.push(a(APEX, EDGE))
      await stage.settle()
      assert.notEqual((await addDomain(stage.verbs, stranger, { hostname: APEX })).record.proof, null)
      zone.records.splice(zone.records.indexOf(old), 1)
      for (const actor of [stranger, owner]) await verifyDomain(stage.verbs, actor, APEX)
      await stage.settle()
      assert.notEqual((await showDomain(stage.verbs, owner, APEX)).verifiedAt, null)
      assert.deepEqual((await showDomain(stage.verbs, stranger, APEX)).problems, ['proof_missing'])
    })

    test('who comes while nobody can tell where an apex leads makes everybody show the TXT record', async () => {
      await using stage = await openPacketStage(await server?.createSchema())
      const [waiting, newcomer] = [await stage.world.project(), await stage.world.project()]
      const zone = stage.zone(APEX)
      await addDomain(stage.verbs, waiting, { hostname: APEX })
      zone.faults = [{ kind: 'servfail' }]
      await stage.settle()
      await addDomain(stage.verbs, newcomer, { hostname: APEX })
      zone.faults = []
      // It may have begun to lead here before the second came, or after.
      zone.records.push(a(APEX, EDGE))
      for (const actor of [waiting, newcomer]) await verifyDomain(stage.verbs, actor, APEX)
      await stage.settle()
      for (const actor of [waiting, newcomer]) {
        assert.deepEqual((await showDomain(stage.verbs, actor, APEX)).problems, ['proof_missing'])
      }
    })

    test('a project may have 20 domains waiting for their records', async () => {
      const { apex, host } = await newZone()
      const actor = await world.project()
      const add = (hostname: string) => addDomain(world.verbs, actor, { hostname })
      for (let index = 0; index < 20; index++) await add(`n${index}.${apex}`)
      await assert.rejects(add(host), { code: 'conflict', message: /20 domains .* wait/ })
    })
  })
}

test('a subdomain that is a zone of its own is advised the record that its check asks for', async () => {
  await using stage = await openPacketStage(undefined)
  const actor = await stage.world.project()
  stage.zone(APEX).records.push(ns('shop.example.test', NS1))
  stage.zone('shop.example.test')
  const added = await addDomain(stage.verbs, actor, { hostname: 'shop.example.test' })
  assert.deepEqual([added.kind, added.record.record.type, added.record.record.name], ['apex', 'ALIAS', '@'])
  assert.deepEqual(
    added.record.alternatives.map(({ type, name, value }) => [type, name, value]),
    [['A', '@', EDGE]],
  )
  await verifyDomain(stage.verbs, actor, 'shop.example.test')
  await stage.settle()
  const [problem] = (await showDomain(stage.verbs, actor, 'shop.example.test')).lastCheck?.problems ?? []
  assert.match(problem?.fix ?? '', /ALIAS/)

  const { record } = await addDomain(stage.verbs, await stage.world.project(), { hostname: 'shop.example.test' })
  assert.deepEqual([record.proof?.name, record.proof?.fullName], ['_petstore', '_petstore.shop.example.test'])
})

test('a claim ends after 30 days, however often somebody presses Prepare', async () => {
  await using world = await openDomainWorld()
  const actor = await world.project()
  await addDomain(world.verbs, actor, { hostname: HOST })
  for (let day = 0; day < 30; day += 6) {
    const { claimEndsAt } = await prepareDomain(world.verbs, actor, { hostname: HOST })
    assert.equal(claimEndsAt, iso(OPENING + 30 * DAY_MS), `on day ${day}`)
    await world.pass(6 * DAY_MS, 3 * DAY_MS)
  }
  assert.equal((await showDomain(world.verbs, actor, HOST)).state, 'removed')
})

test('a claim ends after 30 days, however often somebody presses Verify', async () => {
  await using world = await openDomainWorld()
  const actor = await world.project()
  await addDomain(world.verbs, actor, { hostname: APEX })
  for (let day = 0; day < 30; day += 6) {
    await verifyDomain(world.verbs, actor, APEX)
    assert.equal((await showDomain(world.verbs, actor, APEX)).state, 'verifying', `on day ${day}`)
    await world.pass(6 * DAY_MS)
  }
  assert.deepEqual(await listDomains(world.verbs, actor), { primary: null, redirects: [] })
})

test('a domain that was live before names were proved stays live', async () => {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'petstore-before-'))
  const clock = new ManualClock(OPENING)
  try {
    const projectId = await withDomainFromBefore(dataDirectory)
    await using world = await openDomainWorld({ dataDirectory, clock })
    await point(world, '@', 'A', '127.0.0.1')
    await world.pass(2 * DAY_MS, DAY_MS)
    const domain = await showDomain(world.verbs, { projectId, role: 'owner' }, APEX)
    assert.deepEqual([domain.state, domain.problems, domain.record.proof], ['live', [], null])
  } finally {
    rmSync(dataDirectory, { recursive: true })
  }
})

test('each missing precondition is refused with its own sentence', async () => {
  let facts = { plan: 'free' as 'free' | 'pro', deployed: false }
  await using world = await openDomainWorld({ facts: async () => facts })
  const actor = await world.project()
  const add = (hostname = HOST, role = actor.role) => addDomain(world.verbs, { ...actor, role }, { hostname })
  await assert.rejects(add(HOST, 'viewer'), { code: 'forbidden', message: /role editor/ })
  await assert.rejects(add(), { code: 'plan_required', message: /plan Pro or above/ })
  facts = { plan: 'pro', deployed: false }
  await assert.rejects(add(), { code: 'conflict', message: /Deploy a site of your own first/ })
  facts = { plan: 'pro', deployed: true }
  await assert.rejects(add('192.0.2.1'), { code: 'invalid_request', message: /IP address/ })
  await assert.rejects(add('shop.localhost'), { code: 'invalid_request', message: /belongs to this platform/ })
  await assert.rejects(add('printer.local'), { code: 'invalid_request', message: /can never be reached/ })
  await assert.rejects(add('www.*.test'), { code: 'invalid_request', message: /A wildcard is a \* in place of/ })
  await add()
  await assert.rejects(add(), { code: 'conflict', message: /attached to this project already/ })
})

test("another project's domain is not found, whatever is asked of it", async () => {
  await using world = await openDomainWorld()
  const [owner, stranger] = [await world.project(), await world.project()]
  await makeLive(world, owner, HOST)
  await world.pass(MINUTE_MS)
  const attempts = [
    showDomain(world.verbs, stranger, HOST),
    verifyDomain(world.verbs, stranger, HOST),
    makePrimary(world.verbs, stranger, HOST),
    redirectDomain(world.verbs, stranger, { from: HOST, to: HOST }),
    removeDomain(world.verbs, stranger, { hostname: HOST }),
    domainEvidence(world.verbs, stranger, { hostname: HOST }),
  ]
  for (const attempt of attempts) await assert.rejects(attempt, { code: 'not_found' })
  assert.deepEqual(await listDomains(world.verbs, stranger), { primary: null, redirects: [] })
  for (const verb of [verifyDomain, makePrimary]) {
    await assert.rejects(verb(world.verbs, { ...owner, role: 'viewer' }, HOST), { code: 'forbidden' })
  }
})

async function holderOf(world: DomainWorld, host: string): Promise<number | undefined> {
  const destination = await world.domains.source.destinationOf(host)
  return destination?.kind === 'site' ? destination.projectId : undefined
}

/** A live apex in a database as it was then. */
async function withDomainFromBefore(dataDirectory: string): Promise<number> {
  const before = migrations.filter(({ name }) => name < provedNamesMigration.name)
  await using storage = await openStorage({
    dataDirectory,
    databaseUrl: undefined,
    migrations: before,
    onError: () => {},
  })
  await storage.write(insertDomainFromBefore, { projectId: 1 })
  return 1
}

const insertDomainFromBefore = defineWrite('test.insertDomain', async (db, { projectId }: { projectId: number }) => {
  await sql`insert into projects (id, slug, name, plan, created_at)
    values (${projectId}, 'kennel', 'Kennel', 'pro', ${OPENING})`.execute(db)
  const row = { project_id: projectId, hostname: APEX, proof: 'petstore-verify=1', problems: '[]', revoke: 0 }
  const times = { added_at: OPENING, verified_at: OPENING, checked_at: OPENING }
  const due = { due_at: OPENING, revision: 1, failures: 0 }
  await db
    .insertInto('domains')
    .values({ id: 'dom_1', ...row, ...times })
    .execute()
  await db.insertInto('project_targets').values({ project_id: projectId, label: 'old', created_at: OPENING }).execute()
  await db
    .insertInto('work')
    .values([
      { queue: CHECK_QUEUE, subject: 'dom_1', ...due },
      { queue: CERTIFICATE_QUEUE, subject: APEX, ...due },
    ])
    .execute()
})

/** In a crowd a turn may come too late, which changes nothing and says so: whoever is told sends it again. */
async function untilTaken(send: () => Promise<unknown>): Promise<void> {
  for (;;) {
    try {
      await send()
      return
    } catch (error) {
      if (!isTooLate(error)) throw error
    }
  }
}
