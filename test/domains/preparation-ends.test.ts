import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import {
  addDomain,
  type DomainActor,
  removeDomain,
  showDomain,
  verifyDomain,
} from '../../src/features/domains/domains.ts'
import { listNotifications } from '../../src/features/domains/notifications/notifications.ts'
import { prepareDomain } from '../../src/features/domains/preparation/prepare.ts'
import type { DomainDetails } from '../../src/features/domains/view.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/platform/clock.ts'
import { openPostgres, type PostgresDatabases } from '../harness/postgres.ts'
import { clearZone, type DomainWorld, makeLive, openDomainWorld, point } from './world.ts'

const HOST = 'www.example.test'

for (const engine of ['sqlite', 'postgres'] as const) {
  describe(`the end of a preparation, on ${engine}`, () => {
    let server: PostgresDatabases | undefined
    before(async () => {
      if (engine === 'postgres') server = await openPostgres()
    })
    after(() => server?.[Symbol.asyncDispose]())
    const open = async () => openDomainWorld({ databaseUrl: await server?.createSchema() })

    test('a preparation whose records have gone does not come back when the next holder removes the name', async () => {
      await using world = await open()
      const [old, owner] = [await world.project(), await world.project()]
      await makeReady(world, old)
      await clearZone(world, 'example.test')
      await world.pass(3 * DAY_MS, 6 * HOUR_MS)
      assert.equal(await servedFor(world), old.projectId, 'it may still be switched')
      const ends = (await showDomain(world.verbs, old, HOST)).claimEndsAt

      await makeLive(world, owner, HOST)
      assert.equal(await servedFor(world), owner.projectId)
      await removeDomain(world.verbs, owner, { hostname: HOST })
      await world.settle()
      assert.equal(await servedFor(world), undefined)
      assert.equal(await world.certificates.certificateFor(HOST), undefined)
      const left = await showDomain(world.verbs, old, HOST)
      assert.deepEqual([left.state, left.provedAt, left.claimEndsAt], ['preparing', null, ends])
    })

    test('nor does one that was made beside a live name and given up', async () => {
      await using world = await open()
      const [owner, other] = [await world.project(), await world.project()]
      await makeLive(world, owner, HOST)
      const { record } = await makeReady(world, other)
      await clearZone(world, 'example.test')
      await point(world, 'www', 'A', '192.0.2.7')
      await world.pass(2 * HOUR_MS, HOUR_MS)
      assert.equal((await showDomain(world.verbs, other, HOST)).provedAt, null)
      await addRecords(world, record)
      await world.pass(2 * HOUR_MS, HOUR_MS)
      assert.notEqual((await showDomain(world.verbs, other, HOST)).provedAt, null, 'its records prove it anew')
      await clearZone(world, 'example.test')
      await world.pass(2 * HOUR_MS, HOUR_MS)
      await removeDomain(world.verbs, owner, { hostname: HOST })
      await world.settle()
      assert.equal(await servedFor(world), undefined)
    })

    test('a domain that was prepared and switched is served for its grace and no longer', async () => {
      await using world = await open()
      const actor = await world.project()
      const { record } = await makeReady(world, actor)
      await clearZone(world, 'example.test')
      await point(world, 'www', 'CNAME', `${record.record.value}.`)
      await world.pass(HOUR_MS, 15 * MINUTE_MS)
      assert.equal((await showDomain(world.verbs, actor, HOST)).state, 'live')
      assert.deepEqual(await newsOf(world, actor), ['live', 'ready'], 'its certificate is not said to be on its way')
      await clearZone(world, 'example.test')
      await point(world, 'www', 'A', '192.0.2.9')
      await world.pass(2 * DAY_MS, 12 * HOUR_MS)
      assert.deepEqual(
        [(await showDomain(world.verbs, actor, HOST)).state, await servedFor(world)],
        ['attention', actor.projectId],
      )
      await world.pass(14 * DAY_MS, DAY_MS)
      const ended = await showDomain(world.verbs, actor, HOST)
      assert.deepEqual([ended.state, await servedFor(world)], ['awaiting dns', undefined])
      assert.equal(await world.certificates.certificateFor(HOST), undefined)
      await world.pass(8 * DAY_MS, DAY_MS)
      assert.match(await lastNews(world, actor), /not verified within 7 days/)
      assert.deepEqual((await newsOf(world, actor)).slice(0, 2), ['expired', 'unserved'])
    })

    test('the end of a claim is told with the days that it has waited', async () => {
      await using world = await open()
      const [added, prepared] = [await world.project(), await world.project()]
      await addDomain(world.verbs, added, { hostname: HOST })
      await prepareDomain(world.verbs, prepared, { hostname: HOST })
      await world.pass(6 * DAY_MS, 3 * DAY_MS)
      await verifyDomain(world.verbs, added, HOST)
      await world.pass(26 * DAY_MS, 2 * DAY_MS)
      assert.match(await lastNews(world, added), /not verified within 13 days/)
      assert.match(await lastNews(world, prepared), /not verified within 30 days/)
    })
  })
}

async function makeReady(world: DomainWorld, actor: DomainActor): Promise<DomainDetails> {
  await clearZone(world, 'example.test')
  await point(world, 'www', 'A', '192.0.2.7')
  const begun = await prepareDomain(world.verbs, actor, { hostname: HOST })
  await addRecords(world, begun.record)
  await verifyDomain(world.verbs, actor, HOST)
  await world.settle()
  assert.notEqual((await showDomain(world.verbs, actor, HOST)).provedAt, null)
  assert.ok(await world.certificates.certificateFor(HOST))
  return begun
}

async function addRecords(world: DomainWorld, { challenge, proof }: DomainDetails['record']): Promise<void> {
  await point(world, '_acme-challenge.www', 'CNAME', `${challenge?.value}.`)
  await point(world, '_petstore.www', 'TXT', proof?.value as string)
}

async function servedFor(world: DomainWorld): Promise<number | undefined> {
  const found = await world.domains.source.destinationOf(HOST)
  return found?.kind === 'site' ? found.projectId : undefined
}

/** Newest first. */
async function newsOf(world: DomainWorld, { projectId }: DomainActor): Promise<string[]> {
  return (await listNotifications(world.verbs, projectId)).notifications.map(({ kind }) => kind)
}

async function lastNews(world: DomainWorld, { projectId }: DomainActor): Promise<string> {
  return (await listNotifications(world.verbs, projectId)).notifications[0]?.body ?? ''
}
