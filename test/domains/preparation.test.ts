import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { addDomain, makePrimary, removeDomain, showDomain, verifyDomain } from '../../src/features/domains/domains.ts'
import { prepareDomain } from '../../src/features/domains/preparation/prepare.ts'
import { showSwitch } from '../../src/features/domains/switch/comparison.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/platform/clock.ts'
import { listSandbox, removeRecord } from '../../src/features/sandbox/sandbox.ts'
import { type Pebble, startPebble } from '../harness/pebble.ts'
import { startAcmeProxy } from '../harness/acme-proxy.ts'
import { openPostgres, type PostgresDatabases } from '../harness/postgres.ts'
import { type ChallengeDoor, openChallengeDoor } from './challenge-door.ts'
import { answerInDns, type ChallengeResolver, openChallengeResolver } from './challenge-resolver.ts'
import { MovableClock, PEBBLE_SPEED } from './movable-clock.ts'
import { clearZone, createShownRecord, type DomainWorld, openDomainWorld, point } from './world.ts'

const HOST = 'www.example.test'

for (const engine of ['sqlite', 'postgres'] as const) {
  describe(`certificates that are proved in DNS, on ${engine}`, () => {
    let cleanup: AsyncDisposableStack
    let server: PostgresDatabases | undefined
    let door: ChallengeDoor
    let resolver: ChallengeResolver
    let pebble: Pebble
    before(async () => {
      cleanup = new AsyncDisposableStack()
      if (engine === 'postgres') server = cleanup.use(await openPostgres())
      door = cleanup.use(await openChallengeDoor())
      resolver = cleanup.use(await openChallengeResolver())
      const ports = { httpPort: door.httpPort, tlsPort: door.tlsPort }
      pebble = cleanup.use(
        await startPebble({ ...ports, dnsServer: resolver.address, certificateValidityMs: 40 * DAY_MS }),
      )
    })
    after(() => cleanup.disposeAsync())

    async function openWorld(): Promise<DomainWorld & { clock: MovableClock }> {
      await using building = new AsyncDisposableStack()
      const directory = mkdtempSync(join(tmpdir(), 'petstore-prepare-'))
      building.defer(() => rmSync(directory, { recursive: true, force: true }))
      const clock = new MovableClock(PEBBLE_SPEED)
      const proxy = building.use(await startAcmeProxy({ upstream: pebble, clock }))
      writeFileSync(join(directory, 'ca.pem'), proxy.caPem)
      const world = building.use(
        await openDomainWorld({
          clock,
          dataDirectory: directory,
          databaseUrl: await server?.createSchema(),
          environment: {
            PETSTORE_ACME_DIRECTORY: proxy.directoryUrl,
            PETSTORE_ACME_CA_FILE: join(directory, 'ca.pem'),
          },
        }),
      )
      building.use(await answerInDns(resolver, world))
      door.lookups = world.certificates
      door.seen.length = 0
      const running = building.move()
      return Object.assign(world, { clock, [Symbol.asyncDispose]: () => running.disposeAsync() })
    }

    const later = async (world: DomainWorld & { clock: MovableClock }, ms: number) => {
      world.clock.advance(ms)
      await world.settle()
    }

    test('a name in use elsewhere has its certificate first, renews, and goes live without a gap', async () => {
      await using world = await openWorld()
      const actor = await world.project()
      const view = () => showDomain(world.verbs, actor, HOST)
      await point(world, 'www', 'A', '192.0.2.7')
      const begun = await prepareDomain(world.verbs, actor, { hostname: HOST })
      assert.equal(begun.state, 'preparing')
      const { proof, challenge } = begun.record
      assert.deepEqual([proof?.name, challenge?.name], ['_petstore.www', '_acme-challenge.www'])
      assert.match(challenge?.value ?? '', /^[0-9a-f]{32}\.acme\.localhost$/)
      await later(world, MINUTE_MS)
      assert.deepEqual((await view()).problems, ['proof_missing', 'challenge_missing'])
      assert.equal(await world.domains.source.destinationOf(HOST), undefined, 'nobody is served before it is proved')

      await point(world, '_acme-challenge.www', 'CNAME', `${challenge?.value}.`)
      await later(world, 5 * MINUTE_MS)
      assert.deepEqual((await view()).problems, ['proof_missing'], 'the CNAME alone is not enough')
      await point(world, '_petstore.www', 'TXT', proof?.value as string)
      await later(world, HOUR_MS)
      const ready = await view()
      assert.equal(ready.state, 'ready', JSON.stringify(ready.issuance?.problem))
      const { curl } = await showSwitch(world.verbs, actor, HOST)
      assert.match(curl ?? '', /^curl --resolve www\.example\.test:4443:127\.0\.0\.1 https:/, 'it can be tried')
      assert.deepEqual([ready.lastCheck?.outcome, ready.problems], ['prepared', []])
      assert.deepEqual([door.seen, new Set(resolver.seen)], [[], new Set([`TXT ${challenge?.value}`])])
      const left = await world.storage.read.selectFrom('challenge_answers').selectAll().execute()
      assert.deepEqual(left, [], 'nothing is left of the challenge')
      assert.equal((await world.domains.source.destinationOf(HOST))?.kind, 'site', 'whoever comes is served already')
      assert.ok(await world.certificates.certificateFor(HOST))

      await later(world, 29 * DAY_MS)
      const renewed = await view()
      assert.equal(renewed.state, 'ready')
      assert.notEqual(renewed.certificate?.serial, ready.certificate?.serial, JSON.stringify(renewed.issuance))

      await clearHost(world)
      await point(world, 'www', 'CNAME', `${begun.record.record.value}.`)
      await later(world, 16 * MINUTE_MS)
      const live = await view()
      assert.deepEqual([live.state, live.certificate?.serial], ['live', renewed.certificate?.serial])

      // A proxy comes before it: it goes on being served, and is renewed.
      await clearHost(world)
      await point(world, 'www', 'A', '192.0.2.9')
      await later(world, DAY_MS)
      await later(world, 2 * DAY_MS)
      const proxied = await view()
      assert.deepEqual([proxied.state, proxied.problems], ['live', ['leads_elsewhere']])
      assert.notEqual(proxied.certificate?.serial, live.certificate?.serial, JSON.stringify(proxied.issuance))
      assert.deepEqual(door.seen, [], 'nobody ever came to the site itself')

      await clearZone(world, 'example.test')
      await point(world, 'www', 'A', '192.0.2.9')
      await later(world, DAY_MS)
      assert.equal((await view()).state, 'attention', 'without the delegation it leads elsewhere')
      await removeDomain(world.verbs, actor, { hostname: HOST })
      await world.settle()
      assert.equal(await world.domains.source.destinationOf(HOST), undefined)
      assert.deepEqual(world.errors, [])
    })

    test('the challenge record decides whose preparation it is, and a live name needs none', async () => {
      await using world = await openWorld()
      const [first, second] = [await world.project(), await world.project()]
      const prepared = await Promise.all(
        [first, second].map((actor) => prepareDomain(world.verbs, actor, { hostname: HOST })),
      )
      for (const { record } of prepared) await point(world, '_petstore.www', 'TXT', record.proof?.value as string)
      const targets = prepared.map(({ record }) => record.challenge?.value as string)
      assert.notEqual(targets[0], targets[1])
      await point(world, '_acme-challenge.www', 'CNAME', `${targets[1]}.`)
      await later(world, HOUR_MS)
      const states = async () =>
        Promise.all([first, second].map(async (actor) => (await showDomain(world.verbs, actor, HOST)).state))
      assert.deepEqual(await states(), ['preparing', 'ready'])
      const served = await world.domains.source.destinationOf(HOST)
      assert.equal(served?.kind === 'site' && served.projectId, second.projectId)

      await removeRecordsOf(world, '_acme-challenge.www.example.test')
      await point(world, '_acme-challenge.www', 'CNAME', `${targets[0]}.`)
      await later(world, 2 * HOUR_MS)
      assert.deepEqual(await states(), ['ready', 'preparing'])
      const now = await world.domains.source.destinationOf(HOST)
      assert.equal(now?.kind === 'site' && now.projectId, first.projectId)
      await point(world, 'www', 'CNAME', `${prepared[0]?.record.record.value}.`)
      await later(world, 16 * MINUTE_MS)
      assert.equal((await showDomain(world.verbs, first, HOST)).state, 'live')
      await assert.rejects(prepareDomain(world.verbs, first, { hostname: HOST }), /leads here already/)
    })

    test('a wildcard shows the site at every label, and a name of its own wins', async () => {
      await using world = await openWorld()
      const [actor, other] = [await world.project(), await world.project()]
      const wildcard = await addDomain(world.verbs, actor, { hostname: '*.example.test' })
      assert.deepEqual([wildcard.kind, wildcard.role, wildcard.record.record.name], ['wildcard', 'wildcard', '*'])
      await createShownRecord(world, wildcard)
      await verifyDomain(world.verbs, actor, '*.example.test')
      await world.settle()
      const waiting = await showDomain(world.verbs, actor, '*.example.test')
      assert.match(
        waiting.issuance?.problem?.message ?? '',
        /Create a CNAME with the name _acme-challenge\.example\.test/,
      )
      await point(world, '_acme-challenge', 'CNAME', `${wildcard.record.challenge?.value}.`)
      await verifyDomain(world.verbs, actor, '*.example.test')
      await world.settle()
      const live = await showDomain(world.verbs, actor, '*.example.test')
      assert.equal(live.state, 'live', JSON.stringify(live.issuance?.problem))

      const namesAt = async (hostname: string) => {
        const certificate = await world.certificates.certificateFor(hostname)
        return certificate && new X509Certificate(certificate.cert).subjectAltName
      }
      assert.equal(await namesAt('cats.example.test'), 'DNS:*.example.test')
      assert.equal(await namesAt('example.test'), undefined, 'it does not stand for the name that it is below')
      assert.equal(await namesAt('big.cats.example.test'), undefined, 'nor for two labels')
      const at = async (hostname: string) => {
        const found = await world.domains.source.destinationOf(hostname)
        return found?.kind === 'site' ? found.projectId : found?.kind
      }
      assert.deepEqual([await at('cats.example.test'), await at('example.test')], [actor.projectId, undefined])

      await createShownRecord(world, await addDomain(world.verbs, other, { hostname: 'dogs.example.test' }))
      await verifyDomain(world.verbs, other, 'dogs.example.test')
      await world.settle()
      assert.equal(await namesAt('dogs.example.test'), 'DNS:dogs.example.test')
      assert.deepEqual(
        [await at('dogs.example.test'), await at('cats.example.test')],
        [other.projectId, actor.projectId],
      )

      await assert.rejects(makePrimary(world.verbs, actor, '*.example.test'), /no primary and no redirect/)
      await removeDomain(world.verbs, actor, { hostname: '*.example.test' })
      await world.settle()
      assert.deepEqual([await at('cats.example.test'), await namesAt('cats.example.test')], [undefined, undefined])
      assert.equal(await at('dogs.example.test'), other.projectId)
    })
  })
}

test('without a zone nothing can be prepared, and a wildcard is refused with the reason', async () => {
  const names = { PETSTORE_SANDBOX: 'off', PETSTORE_DNS: '127.0.0.1:9' }
  await using world = await openDomainWorld({ environment: names, idle: true })
  const actor = await world.project()
  await assert.rejects(prepareDomain(world.verbs, actor, { hostname: HOST }), /PETSTORE_DNS_ZONE/)
  await assert.rejects(
    addDomain(world.verbs, actor, { hostname: '*.example.test' }),
    /no zone of its own to prove one in/,
  )
})

const clearHost = (world: DomainWorld) => removeRecordsOf(world, HOST)

async function removeRecordsOf(world: DomainWorld, name: string): Promise<void> {
  const zone = (await listSandbox(world.sandbox)).find(({ apex }) => apex === 'example.test')
  for (const record of zone?.records ?? []) {
    if (record.name === name) await removeRecord(world.sandbox, { apex: 'example.test', id: record.id })
  }
}
