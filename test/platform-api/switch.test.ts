import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { storageOf } from '../../src/features/audit/audited.ts'
import {
  addDomain,
  type DomainActor,
  removeDomain,
  showDomain,
  verifyDomain,
} from '../../src/features/domains/domains.ts'
import { fetchPage } from '../../src/features/domains/live/fetch.ts'
import type { ResolverAnswer } from '../../src/features/domains/switch/ask-resolvers.ts'
import { compareSites, showSwitch } from '../../src/features/domains/switch/comparison.ts'
import { showSpread } from '../../src/features/domains/switch/spread.ts'
import { createProject } from '../../src/features/projects/projects.ts'
import { findProjectBySlug } from '../../src/features/projects/queries.ts'
import { addRecord, removeRecord } from '../../src/features/sandbox/sandbox.ts'
import { MINUTE_MS, systemClock } from '../../src/platform/clock.ts'
import { ADA, openDomainWorld } from '../domains/world.ts'
import { startTestPetstore } from '../harness/petstore.ts'
import { publishOwnSite } from '../harness/own-site.ts'
import { openPostgres, type PostgresDatabases } from '../harness/postgres.ts'
import { until } from '../harness/until.ts'

const HOST = 'www.example.test'
const APEX = 'example.test'

const STALE_RESOLVER: ResolverAnswer = {
  name: 'Stale resolver',
  address: '192.0.2.53',
  records: [{ name: HOST, type: 'A', ttl: 1800, data: '203.0.113.9' }],
  ttlSeconds: 1800,
  rcode: 'NOERROR',
  failure: null,
}

for (const engine of ['sqlite', 'postgres'] as const) {
  describe(`a move on ${engine}`, () => {
    let server: PostgresDatabases | undefined
    before(async () => {
      if (engine === 'postgres') server = await openPostgres()
    })
    after(() => server?.[Symbol.asyncDispose]())

    test('from the old host here: every reload knows how far it is, and when the old host may go', async () => {
      await using world = await openDomainWorld({ databaseUrl: await server?.createSchema() })
      const { verbs, sandbox, clock } = world
      const actor = await world.project()
      const record = (type: string, value: string, ttl: number, onlyOn?: string) =>
        addRecord(sandbox, { apex: APEX, name: 'www', type, value, ttl, onlyOn })
      const moveOf = async () => (await showSwitch(verbs, actor, HOST)).move
      const old = await record('A', '203.0.113.9', 600)
      const { record: advice } = await addDomain(verbs, actor, { hostname: HOST })
      const before = await moveOf()
      assert.deepEqual([before?.phase, before?.from, before?.oldTtlSeconds], ['before', ['A 203.0.113.9'], 600])

      // One nameserver lags.
      await removeRecord(sandbox, { apex: APEX, id: old.id })
      const lagging = await record('A', '203.0.113.9', 600, 'ns2.registrar.test')
      const first = await record('CNAME', advice.record.value, 60, 'ns1.registrar.test')
      await verifyDomain(verbs, actor, HOST)
      await world.settle()
      assert.deepEqual([(await moveOf())?.phase, (await moveOf())?.oldHostUntil], ['moving', null])
      const { rows } = await showSpread(verbs, actor, HOST)
      assert.deepEqual(rows.map(({ kind, name, has }) => `${kind} ${name} ${has}`).toSorted(), [
        'nameserver ns1.registrar.test new',
        'nameserver ns2.registrar.test old',
        'resolver Sandbox resolver new',
      ])
      const lag = rows.find(({ has }) => has === 'old')
      assert.equal(lag?.until, new Date(clock.now() + 10 * MINUTE_MS).toISOString())

      for (const { id } of [lagging, first]) await removeRecord(sandbox, { apex: APEX, id })
      await record('CNAME', advice.record.value, 60)
      await verifyDomain(verbs, actor, HOST)
      await world.settle()
      const changed = await showDomain(verbs, actor, HOST)
      assert.equal(changed.state, 'live')
      const moving = await moveOf()
      assert.equal(moving?.phase, 'moving')
      assert.equal(moving.oldHostUntil, new Date(clock.now() + 12 * MINUTE_MS).toISOString())

      // A resolver that keeps the old answer for longer is stored, and waited for by whoever looks later.
      await showSpread({ ...verbs, askResolvers: async () => [STALE_RESOLVER] }, actor, HOST)
      assert.equal((await moveOf())?.oldHostUntil, new Date(clock.now() + 32 * MINUTE_MS).toISOString())
      await world.pass(31 * MINUTE_MS)
      assert.equal((await moveOf())?.phase, 'moving')
      await world.pass(MINUTE_MS)
      assert.equal((await moveOf())?.phase, 'moved')
      assert.match((await moveOf())?.sentence ?? '', /the old host may be switched off/)
      assert.match(
        (await showSwitch(verbs, actor, HOST)).curl ?? '',
        /^curl --resolve www\.example\.test:4443:127\.0\.0\.1 https:\/\/www\.example\.test:4443\/$/,
      )
      assert.deepEqual(world.errors, [])
    })
  })
}

test('before the switch the site is seen as its name will show it, and compared with today’s', async () => {
  await using shop = await startTestPetstore()
  const { petstore, config } = shop
  const storage = storageOf(petstore.storage, ADA, systemClock)
  const verbs = { ...petstore.domains.verbNeeds, storage }
  const sandbox = { storage, clock: systemClock, changes: petstore.changes }
  const { id } = await createProject(
    { storage: petstore.storage, clock: systemClock },
    { slug: 'old-host', plan: 'pro' },
  )
  const there: DomainActor = { projectId: id, role: 'owner' }
  const here: DomainActor = {
    projectId: (await findProjectBySlug(petstore.storage.read, 'petstore'))!.id,
    role: 'owner',
  }
  await publishOwnSite(petstore, 'old-host')
  await publishOwnSite(petstore)

  const { record } = (await addDomain(verbs, there, { hostname: HOST })).record
  await addRecord(sandbox, { apex: APEX, name: 'www', type: 'CNAME', value: record.value, ttl: 3600 })
  await verifyDomain(verbs, there, HOST)
  await until('it is live elsewhere', async () => (await showDomain(verbs, there, HOST)).state === 'live')
  await addDomain(verbs, here, { hostname: HOST })
  await addDomain(verbs, here, { hostname: 'shop.example.test' })
  await petstore.changes.catchUp()

  const compared = await compareSites(verbs, here, HOST)
  assert.equal(compared.there?.status, 200)
  assert.deepEqual(
    compared.there.redirects.map(({ status }) => status),
    [308],
  )
  assert.match(compared.there.certificate?.issuer ?? '', /Petstore internal CA/)
  assert.match(compared.there.records.join(), /^CNAME [0-9a-f]+\.localhost \(TTL 3600\)$/)
  assert.equal(compared.there.ttlSeconds, 3600)
  assert.deepEqual([compared.here.status, compared.here.title, compared.here.certificateHere], [200, 'Our own', null])
  assert.deepEqual(
    compared.advice.map(({ code }) => code),
    ['certificate', 'ttl'],
  )
  assert.equal(compared.move?.phase, 'before')

  const open = async (url: string) => {
    const { status, headers, body } = await fetchPage(verbs.served, new URL(url), 10_000)
    return { status, text: body, header: (name: string) => headers.find(([each]) => each.toLowerCase() === name)?.[1] }
  }
  const { preview, curl } = await showSwitch(verbs, here, HOST)
  assert.equal(curl, null, 'it is not served here yet')
  const shown = await open(preview.url)
  assert.deepEqual([shown.status, /Our own site/.test(shown.text)], [200, true])
  assert.equal(shown.header('x-petstore-shown-for'), `https://${HOST}/`)
  const altered = preview.url.replace(/.(?=\.localhost)/, (digit) => (digit === '0' ? '1' : '0'))
  assert.equal((await open(altered)).status, 404)

  // A redirect goes on to what its target will show.
  const redirect = await open((await showSwitch(verbs, here, 'shop.example.test')).preview.url)
  assert.equal(redirect.status, 301)
  const onward = redirect.header('location') as string
  assert.match(onward, new RegExp(`^http://try-[0-9a-f]{59}\\.localhost:${config.baseUrl.port}/$`))
  assert.equal((await open(onward)).status, 200)

  await removeDomain(verbs, here, { hostname: HOST })
  assert.equal((await open(preview.url)).status, 404, 'it ends with the domain')
})
