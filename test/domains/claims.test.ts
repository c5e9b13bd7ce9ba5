import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import {
  addDomain,
  domainEvidence,
  listDomains,
  makePrimary,
  redirectDomain,
  removeDomain,
  showDomain,
  verifyDomain,
} from '../../src/features/domains/domains.ts'
import { listNotifications } from '../../src/features/domains/notifications/notifications.ts'
import { addRecord } from '../../src/features/sandbox/sandbox.ts'
import { deleteProjectRow } from '../../src/platform-api/delete-project.ts'
import { MINUTE_MS } from '../../src/platform/clock.ts'
import { type PostgresServer, startPostgres } from '../harness/postgres.ts'
import { clearZone, createShownRecord, makeLive, openDomainWorld, point } from './world.ts'

const HOST = 'www.example.test'

for (const engine of ['sqlite', 'postgres'] as const) {
  describe(`claims on ${engine}`, () => {
    let server: PostgresServer | undefined
    before(async () => {
      if (engine === 'postgres') server = await startPostgres({ settings: { fsync: 'off' } })
    })
    after(() => server?.[Symbol.asyncDispose]())
    const open = async () => openDomainWorld({ databaseUrl: await server?.createDatabase() })

    test('a pending claim blocks nobody', async () => {
      await using world = await open()
      const [squatter, owner] = [await world.project(), await world.project()]
      await addDomain(world.verbs, squatter, { hostname: HOST })
      const live = await makeLive(world, owner, HOST)
      assert.equal(live.record.proof, null, 'nobody has ever held it')
    })

    test('a hostname that another project holds needs a proof, and the newer proof wins', async () => {
      await using world = await open()
      const [first, second] = [await world.project(), await world.project()]
      await makeLive(world, first, HOST)
      await clearZone(world, 'example.test')

      const claim = await addDomain(world.verbs, second, { hostname: HOST })
      assert.match(claim.record.proof?.value ?? '', /^petstore-verify=[0-9a-f]{40}$/)
      assert.equal(claim.record.proof?.fullName, `_petstore.${HOST}`)
      const { type, value } = claim.record.record
      await addRecord(world.sandbox, { apex: 'example.test', name: 'www', type, value })
      await verifyDomain(world.verbs, second, HOST)
      await world.settle()
      assert.deepEqual((await showDomain(world.verbs, second, HOST)).problems, ['proof_missing'])
      assert.equal(await holderOf(world), first.projectId, 'pointing here alone moves nothing')

      await point(world, '_petstore.www', 'TXT', claim.record.proof!.value)
      await verifyDomain(world.verbs, second, HOST)
      await world.settle()
      assert.equal(await holderOf(world), second.projectId)
      assert.equal((await showDomain(world.verbs, second, HOST)).state, 'live')
      const lost = await showDomain(world.verbs, first, HOST)
      assert.equal(lost.state, 'awaiting dns')
      const { notifications } = await listNotifications(world.verbs, first.projectId)
      assert.deepEqual(
        notifications.map(({ kind }) => kind),
        ['lost', 'live', 'verified'],
      )

      // Both of the first project's old records come back: its proof is no longer good.
      assert.notEqual(lost.record.proof?.value, claim.record.proof?.value)
      await clearZone(world, 'example.test')
      await point(world, 'www', 'CNAME', lost.record.record.value)
      await verifyDomain(world.verbs, first, HOST)
      await world.settle()
      assert.equal(await holderOf(world), second.projectId)
      await createShownRecord(world, { ...lost, record: { ...lost.record, record: lost.record.proof!, proof: null } })
      await verifyDomain(world.verbs, first, HOST)
      await world.settle()
      assert.equal(await holderOf(world), first.projectId, 'the newest proof wins again')
    })

    test('a hostname that was held before needs a proof, but not from the one who held it', async () => {
      await using world = await open()
      const [first, second, third] = [await world.project(), await world.project(), await world.project()]
      await makeLive(world, first, HOST)
      await removeDomain(world.verbs, first, { hostname: HOST })
      assert.notEqual((await addDomain(world.verbs, second, { hostname: HOST })).record.proof, null)
      assert.equal((await addDomain(world.verbs, first, { hostname: HOST })).record.proof, null)

      const now = world.clock.now()
      const deleted = await world.storage.write(deleteProjectRow, { id: first.projectId, accountId: null, now })
      assert.equal(deleted.kind, 'deleted')
      assert.notEqual((await addDomain(world.verbs, third, { hostname: HOST })).record.proof, null)
    })

    test('50 projects race for one hostname, and one wins', async () => {
      await using world = await open()
      await point(world, '@', 'A', '127.0.0.1')
      const projects = []
      for (let index = 0; index < 50; index++) {
        const actor = await world.project()
        projects.push(actor)
        await addDomain(world.verbs, actor, { hostname: 'example.test' })
      }
      await Promise.all(projects.map((actor) => verifyDomain(world.verbs, actor, 'example.test')))
      await world.settle()
      const domains = await Promise.all(projects.map((actor) => showDomain(world.verbs, actor, 'example.test')))
      const winners = domains.filter(({ verifiedAt }) => verifiedAt !== null)
      assert.equal(winners.length, 1)
      assert.equal(winners[0]?.state, 'live')
      assert.ok(domains.filter(({ problems }) => problems.includes('proof_missing')).length === 49)
      assert.deepEqual(world.errors, [])
    })

    test('a project may have 20 domains waiting for their records', async () => {
      await using world = await open()
      const actor = await world.project()
      const add = (hostname: string) => addDomain(world.verbs, actor, { hostname })
      for (let index = 0; index < 20; index++) await add(`n${index}.example.test`)
      await assert.rejects(add(HOST), { code: 'conflict', message: /20 domains .* wait/ })
    })
  })
}

test('each missing precondition is refused with its own sentence', async () => {
  let facts = { plan: 'free' as 'free' | 'pro', deployed: false }
  await using world = await openDomainWorld({ facts: async () => facts })
  const actor = await world.project()
  const add = (hostname = HOST, role = actor.role) => addDomain(world.verbs, { ...actor, role }, { hostname })
  await assert.rejects(add(HOST, 'viewer'), { code: 'forbidden', message: /role editor/ })
  await assert.rejects(add(), { code: 'plan_required', message: /plan Pro or above/ })
  facts = { plan: 'pro', deployed: false }
  await assert.rejects(add(), { code: 'conflict', message: /deploy it successfully/ })
  facts = { plan: 'pro', deployed: true }
  await assert.rejects(add('192.0.2.1'), { code: 'invalid_request', message: /IP address/ })
  await assert.rejects(add('shop.localhost'), { code: 'invalid_request', message: /belongs to this platform/ })
  await assert.rejects(add('*.example.test'), { code: 'invalid_request', message: /wildcard/ })
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

async function holderOf(world: Awaited<ReturnType<typeof openDomainWorld>>): Promise<number | undefined> {
  const destination = await world.domains.source.destinationOf(HOST)
  return destination?.kind === 'site' ? destination.projectId : undefined
}
