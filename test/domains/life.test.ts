import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { listAuditEntries } from '../../src/features/audit/audit.ts'
import {
  addDomain,
  domainEvidence,
  listDomains,
  listDomainViews,
  makePrimary,
  redirectDomain,
  removeDomain,
  showDomain,
  verifyDomain,
} from '../../src/features/domains/domains.ts'
import { explainEvidence } from '../../src/features/domains/observation/evidence.ts'
import { deleteOldNotifications, listNotifications } from '../../src/features/domains/notifications/notifications.ts'
import { sweepChecks, sweepDomains } from '../../src/features/domains/sweep.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/platform/clock.ts'
import { defineWrite } from '../../src/platform/storage/storage.ts'
import { openPostgres, type PostgresDatabases } from '../harness/postgres.ts'
import { clearZone, createShownRecord, makeLive, openDomainWorld, point } from './world.ts'

const sweep = defineWrite('test.sweep', async (db, now: number) => {
  for (const step of [sweepChecks, sweepDomains]) while (await step(db, now));
  await deleteOldNotifications(db, now)
})

for (const engine of ['sqlite', 'postgres'] as const) {
  describe(`the life of a domain on ${engine}`, () => {
    let server: PostgresDatabases | undefined
    before(async () => {
      if (engine === 'postgres') server = await openPostgres()
    })
    after(() => server?.[Symbol.asyncDispose]())
    const open = async () => openDomainWorld({ databaseUrl: await server?.createSchema() })

    test('a domain with a certificate from before is told to be live when it is verified, and once', async () => {
      await using world = await open()
      const actor = await world.project()
      const news = async () => (await listNotifications(world.verbs, actor.projectId)).notifications
      const hostname = 'www.example.test'
      const { record } = await makeLive(world, actor, hostname)
      await removeDomain(world.verbs, actor, { hostname })
      await world.settle()
      await addDomain(world.verbs, actor, { hostname })
      await verifyDomain(world.verbs, actor, hostname)
      await world.settle()
      const told = await news()
      assert.deepEqual(
        told.map(({ kind }) => kind),
        ['live', 'live', 'verified'],
      )
      await world.storage.write(sweep, world.clock.now() + 200 * DAY_MS)
      await world.pass(70 * DAY_MS, 5 * DAY_MS)
      assert.deepEqual(await news(), told.slice(0, 1), 'and not again when it is renewed, however long ago that was')

      await clearZone(world, 'example.test')
      await world.pass(20 * DAY_MS, 4 * DAY_MS)
      await point(world, 'www', 'CNAME', `${record.record.value}.`)
      await verifyDomain(world.verbs, actor, hostname)
      await world.settle()
      const [again] = await news()
      assert.deepEqual([again?.kind, /here already/.test(again?.body ?? '')], ['verified', true])
    })

    test('a subdomain goes from Add over Verify to live, and every step is told and in the audit log', async () => {
      await using world = await open()
      const actor = await world.project()
      const added = await addDomain(world.verbs, actor, { hostname: ' HTTPS://WWW.Example.test/shop ' })
      assert.equal(added.hostname, 'www.example.test')
      assert.equal(added.state, 'awaiting dns')
      assert.equal(added.role, 'primary')
      const { record } = added.record
      assert.deepEqual([record.type, record.name, record.ttl], ['CNAME', 'www', 3600])
      assert.match(record.value, /^[0-9a-f]{24}\.localhost$/)

      const verifying = await verifyDomain(world.verbs, actor, 'www.example.test')
      assert.equal(verifying.state, 'verifying')
      await world.settle()
      const failed = await showDomain(world.verbs, actor, 'www.example.test')
      assert.equal(failed.state, 'awaiting dns')
      assert.deepEqual(failed.problems, ['record_missing'])
      assert.match(failed.lastCheck?.problems[0]?.fix ?? '', new RegExp(record.value))
      assert.notEqual(failed.nextCheckAt, null)

      await createShownRecord(world, added)
      await world.pass(HOUR_MS, MINUTE_MS)
      const live = await showDomain(world.verbs, actor, 'www.example.test')
      assert.equal(live.state, 'live', 'the re-check noticed the record by itself')
      assert.deepEqual(await world.domains.source.destinationOf('www.example.test'), {
        kind: 'site',
        projectId: actor.projectId,
        secured: true,
        hstsSeconds: undefined,
      })
      assert.equal(await world.domains.source.livePrimaryOf(actor.projectId), 'www.example.test')
      const served = await world.certificates.certificateFor('www.example.test')
      assert.equal(new X509Certificate(served!.cert).subjectAltName, 'DNS:www.example.test')

      const entries = await listAuditEntries(world.storage.read, actor, { before: undefined, limit: 50 })
      assert.deepEqual(entries.map(({ verb }) => verb).toReversed(), [
        'domain.add',
        'domain.verify',
        'domain.checked',
        'domain.verified',
        'certificate.issue',
      ])
      const { unread, notifications } = await listNotifications(world.verbs, actor.projectId)
      assert.equal(unread, 2)
      assert.deepEqual(
        notifications.map(({ kind }) => kind),
        ['live', 'verified'],
      )
      assert.deepEqual(world.errors, [])
    })

    test('an apex is verified by its addresses', async () => {
      await using world = await open()
      const actor = await world.project()
      const added = await addDomain(world.verbs, actor, { hostname: 'example.test' })
      assert.equal(added.record.record.type, 'ALIAS')
      assert.deepEqual(
        added.record.alternatives.map(({ type, value }) => [type, value]),
        [['A', '127.0.0.1']],
      )
      await point(world, '@', 'A', '127.0.0.1')
      await verifyDomain(world.verbs, actor, 'example.test')
      await world.settle()
      assert.equal((await showDomain(world.verbs, actor, 'example.test')).state, 'live')
    })

    test('later domains redirect to the first, and making another primary swaps them', async () => {
      await using world = await open()
      const actor = await world.project()
      for (const hostname of ['www.example.test', 'example.test', 'shop.example.test']) {
        await makeLive(world, actor, hostname)
        await world.pass(MINUTE_MS)
      }
      assert.deepEqual(await listDomains(world.verbs, actor), {
        primary: 'www.example.test',
        redirects: [
          { from: 'example.test', to: 'www.example.test', status: 301 },
          { from: 'shop.example.test', to: 'www.example.test', status: 301 },
        ],
      })
      const { source } = world.domains
      const toWww = { kind: 'redirect', to: { hostname: 'www.example.test', secured: true }, status: 301 }
      assert.deepEqual(await source.destinationOf('shop.example.test'), toWww)

      assert.deepEqual(await makePrimary(world.verbs, actor, 'shop.example.test'), {
        primary: 'shop.example.test',
        redirects: [
          { from: 'example.test', to: 'shop.example.test', status: 301 },
          { from: 'www.example.test', to: 'shop.example.test', status: 301 },
        ],
      })
      assert.equal(await source.livePrimaryOf(actor.projectId), 'shop.example.test')
      assert.equal((await source.destinationOf('shop.example.test'))?.kind, 'site')

      await redirectDomain(world.verbs, actor, { from: 'example.test', to: 'www.example.test', status: 308 })
      await assert.rejects(
        redirectDomain(world.verbs, actor, { from: 'www.example.test', to: 'example.test' }),
        /in a circle: www\.example\.test → example\.test → www\.example\.test/,
      )
      const astray = redirectDomain(world.verbs, actor, { from: 'example.test', to: 'other.test' })
      await assert.rejects(astray, /not attached/)
      assert.deepEqual(await source.destinationOf('example.test'), { ...toWww, status: 308 })
      assert.equal((await listDomainViews(world.verbs, actor)).length, 3)
    })

    test('a redirect serves the site itself until the domain that it leads to is verified', async () => {
      await using world = await open()
      const actor = await world.project()
      await addDomain(world.verbs, actor, { hostname: 'www.example.test' })
      await makeLive(world, actor, 'shop.example.test')
      assert.equal((await world.domains.source.destinationOf('shop.example.test'))?.kind, 'site')
      assert.equal(await world.domains.source.livePrimaryOf(actor.projectId), undefined)
      await createShownRecord(world, await showDomain(world.verbs, actor, 'www.example.test'))
      await verifyDomain(world.verbs, actor, 'www.example.test')
      await world.settle()
      assert.equal((await world.domains.source.destinationOf('shop.example.test'))?.kind, 'redirect')
    })

    test('removal stops everything at once, and adding again needs no new certificate', async () => {
      await using world = await open()
      const actor = await world.project()
      const { certificate } = await makeLive(world, actor, 'www.example.test')
      const { domains, removed } = await removeDomain(world.verbs, actor, { hostname: 'www.example.test' })
      assert.deepEqual(domains, { primary: null, redirects: [] })
      assert.equal(removed.state, 'removed')
      assert.equal(await world.domains.source.destinationOf('www.example.test'), undefined)
      assert.equal(await world.certificates.certificateFor('www.example.test'), undefined)
      await world.settle()
      await assert.rejects(verifyDomain(world.verbs, actor, 'www.example.test'), { code: 'not_found' })

      await addDomain(world.verbs, actor, { hostname: 'www.example.test' })
      await verifyDomain(world.verbs, actor, 'www.example.test')
      await world.settle()
      const again = await showDomain(world.verbs, actor, 'www.example.test')
      assert.equal(again.state, 'live')
      assert.equal(again.certificate?.serial, certificate?.serial)
    })

    test('drift begins a dated grace with warnings, which a mended record ends', async () => {
      await using world = await open()
      const actor = await world.project()
      const live = await makeLive(world, actor, 'www.example.test')
      const subdomainLeadsTo = async () => world.domains.source.livePrimaryOf(actor.projectId)
      assert.equal(await subdomainLeadsTo(), 'www.example.test')
      await clearZone(world, 'example.test')
      await world.pass(2 * DAY_MS, 6 * HOUR_MS)
      const drifted = await showDomain(world.verbs, actor, 'www.example.test')
      assert.equal(drifted.state, 'attention')
      assert.equal(Date.parse(drifted.servedUntil as string) - Date.parse(drifted.failingSince as string), 14 * DAY_MS)
      assert.equal((await world.domains.source.destinationOf('www.example.test'))?.kind, 'site', 'served meanwhile')
      assert.equal(await subdomainLeadsTo(), undefined, 'the address that works does not lead away')

      await createShownRecord(world, live)
      await world.pass(DAY_MS, 6 * HOUR_MS)
      assert.equal((await showDomain(world.verbs, actor, 'www.example.test')).state, 'live')
      assert.equal(await subdomainLeadsTo(), 'www.example.test')

      await clearZone(world, 'example.test')
      await world.pass(16 * DAY_MS, 12 * HOUR_MS)
      assert.equal((await showDomain(world.verbs, actor, 'www.example.test')).state, 'awaiting dns')
      assert.equal(await world.domains.source.destinationOf('www.example.test'), undefined)
      const { notifications } = await listNotifications(world.verbs, actor.projectId)
      const kinds = notifications.map(({ kind }) => kind).toReversed()
      assert.deepEqual(kinds, [
        'verified',
        'live',
        'attention',
        'recovered',
        'attention',
        'attention',
        'attention',
        'attention',
        'unserved',
      ])
      assert.match(notifications[1]?.body ?? '', /still served, until 2026-12-\d\d/)
    })

    test('the end of a grace is told also where the name leads to a proxy from then on', async () => {
      await using world = await open()
      const actor = await world.project()
      const { challenge } = (await makeLive(world, actor, 'www.example.test')).record
      await clearZone(world, 'example.test')
      await point(world, 'www', 'A', '192.0.2.7')
      await world.pass(2 * DAY_MS, 6 * HOUR_MS)
      await point(world, challenge!.name, challenge!.type, challenge!.value)
      await world.pass(DAY_MS, 6 * HOUR_MS)
      assert.equal((await showDomain(world.verbs, actor, 'www.example.test')).state, 'live')
      const { notifications } = await listNotifications(world.verbs, actor.projectId)
      assert.deepEqual(
        notifications.map(({ kind }) => kind),
        ['recovered', 'attention', 'live', 'verified'],
      )
    })

    test('what a check saw is kept as evidence that explains itself offline', async () => {
      await using world = await open()
      const actor = await world.project()
      await makeLive(world, actor, 'www.example.test')
      await clearZone(world, 'example.test')
      await world.pass(5 * DAY_MS, 12 * HOUR_MS)
      const evidence = await domainEvidence(world.verbs, actor, { hostname: 'www.example.test' })
      const reading = explainEvidence(JSON.stringify(evidence))
      assert.equal(reading.ok && reading.diagnosis.problems[0]?.code, 'record_missing')
      const { checks } = await showDomain(world.verbs, actor, 'www.example.test')
      assert.deepEqual(
        checks.map(({ outcome }) => outcome),
        ['failed', 'passed'],
        'the same result again is one row',
      )
      assert.ok((checks[0]?.times ?? 0) > 5)
    })

    test('a claim that nobody completes ends after seven days', async () => {
      await using world = await open()
      const actor = await world.project()
      const added = await addDomain(world.verbs, actor, { hostname: 'www.example.test' })
      assert.equal(Date.parse(added.claimEndsAt as string) - Date.parse(added.addedAt), 7 * DAY_MS)
      await world.pass(6 * DAY_MS)
      assert.equal((await listDomains(world.verbs, actor)).primary, 'www.example.test')
      await world.pass(2 * DAY_MS)
      assert.equal((await listDomains(world.verbs, actor)).primary, null)
      const { notifications } = await listNotifications(world.verbs, actor.projectId)
      assert.deepEqual(
        notifications.map(({ kind }) => kind),
        ['expired'],
      )
    })
  })
}
