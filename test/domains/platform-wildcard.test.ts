import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { connect } from 'node:tls'
import { isDeepStrictEqual, promisify } from 'node:util'
import type { PlatformName } from '../../client/src/platform/platform.ts'
import { openChallengeZone } from '../../src/features/domains/preparation/challenge-zone.ts'
import { createProject } from '../../src/features/projects/projects.ts'
import { ensureDashboard } from '../../src/pages/dashboard-build.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, systemClock } from '../../src/platform/clock.ts'
import { startDnsServer } from '../../src/platform/dns/server.ts'
import { type Zone, zonesFrom } from '../../src/platform/dns/zone.ts'
import { startAcmeProxy } from '../harness/acme-proxy.ts'
import { freePorts } from '../harness/free-ports.ts'
import { startPebble } from '../harness/pebble.ts'
import { startTestPetstore, type TestPetstore } from '../harness/petstore.ts'
import { until } from '../harness/until.ts'
import { openChallengeResolver } from './challenge-resolver.ts'
import { MovableClock, PEBBLE_SPEED } from './movable-clock.ts'

const NS = 'ns1.lab.test'
const ZONE = 'acme.lab.test'
const HOST = 'kennel.pets.test'
/** The route asks nothing of whoever calls. */
const NOBODY = {} as never
const run = promisify(execFile)

describe('a platform with a zone of challenges', () => {
  const clock = new MovableClock(PEBBLE_SPEED)
  let cleanup: AsyncDisposableStack
  let shop: TestPetstore
  let ports: { https: number; dns: number }
  let rootPem: string
  const zones: Zone[] = []

  before(async () => {
    cleanup = new AsyncDisposableStack()
    // What the production address shows without it is a failure of the service, and is noted as one.
    await ensureDashboard({ status: () => {} })
    const directory = mkdtempSync(join(tmpdir(), 'petstore-wildcard-'))
    cleanup.defer(() => rmSync(directory, { recursive: true, force: true }))
    const [http = 0, https = 0, dns = 0] = await freePorts(3)
    ports = { https, dns }
    const at = (name: string, type: 'A' | 'NS', data: string) => ({ name, type, ttl: 60, data }) as const
    zones.push(
      { apex: 'lab.test', serial: 1, records: [at('lab.test', 'NS', NS), at(NS, 'A', '127.0.0.1')] },
      { apex: 'pets.test', serial: 1, records: [at('pets.test', 'NS', NS), at('*.pets.test', 'A', '127.0.0.1')] },
    )
    const listener = { nameserver: NS, address: '127.0.0.1', port: 0, zones: zonesFrom(() => zones) }
    const world = cleanup.use(await startDnsServer({ clock: systemClock, listeners: [listener] }))
    const upstream = { address: '127.0.0.1', port: world.listeners[0]?.port as number }
    const resolver = cleanup.use(await openChallengeResolver())
    resolver.upstream = upstream
    resolver.listener = { address: '127.0.0.1', port: dns, zone: ZONE }
    const options = { httpPort: http, tlsPort: https, dnsServer: resolver.address }
    const pebble = cleanup.use(await startPebble({ ...options, certificateValidityMs: 40 * DAY_MS }))
    rootPem = await pebble.issuingRootPem()
    const proxy = cleanup.use(await startAcmeProxy({ upstream: pebble, clock }))
    writeFileSync(join(directory, 'ca.pem'), proxy.caPem)
    shop = cleanup.use(
      await startTestPetstore({
        clock,
        environment: {
          PETSTORE_BASE_URL: `https://api.pets.test:${https}/v1`,
          PETSTORE_STAGING_URL: `https://staging.pets.test:${https}/v1`,
          PETSTORE_HTTP_PORT: String(http),
          PETSTORE_HTTPS_PORT: String(https),
          PETSTORE_PLATFORM_HOST: 'pets.test',
          PETSTORE_DNS: `127.0.0.1:${upstream.port}`,
          PETSTORE_DNS_ZONE: ZONE,
          PETSTORE_DNS_LISTEN: `127.0.0.1:${dns}`,
          PETSTORE_DNS_NAMESERVERS: NS,
          PETSTORE_WATCH: '1h',
          PETSTORE_ACME_DIRECTORY: proxy.directoryUrl,
          PETSTORE_ACME_CA_FILE: join(directory, 'ca.pem'),
        },
      }),
    )
    await createProject({ storage: shop.petstore.storage, clock: systemClock }, { slug: 'kennel' })
  })
  after(() => cleanup.disposeAsync())

  test('has one certificate for all of its names, once its challenges are delegated, and renews it', async () => {
    const { storage } = shop.petstore
    const issuance = () =>
      storage.read.selectFrom('issuances').selectAll().where('hostname', '=', '*.pets.test').executeTakeFirst()
    await until('it is known what is missing', async () => (await issuance())?.problem != null)
    assert.match((await issuance())?.problem ?? '', /CNAME with the name _acme-challenge\.pets\.test/)

    const setting = storage.read.selectFrom('settings').select('value').where('name', '=', 'challenge_secret')
    const { value: secret } = await setting.executeTakeFirstOrThrow()
    const target = openChallengeZone(ZONE, secret).nameFor({ hostname: '*.pets.test', projectId: undefined })
    zones[1]?.records.push({ name: '_acme-challenge.pets.test', type: 'CNAME', ttl: 60, data: target })
    clock.advance(2 * MINUTE_MS)
    let served = await certificateAt()
    await until('the wildcard is served', async () => (served = await certificateAt()).names === 'DNS:*.pets.test')
    assert.equal(served.trusted, true)
    await createProject({ storage, clock: systemClock }, { slug: 'cattery' })
    assert.equal((await certificateAt('cattery.pets.test')).serial, served.serial)
    const orders = storage.read.selectFrom('work').select('subject').where('subject', '=', 'cattery.pets.test')
    assert.deepEqual(await orders.execute(), [], 'the name itself is not ordered')

    const { serial } = served
    clock.advance(29 * DAY_MS)
    await until('its successor is served', async () => (served = await certificateAt()).serial !== serial)
    assert.equal(served.names, 'DNS:*.pets.test')
  })

  test('looks at what it serves for its own names, and shows it to the operator', async () => {
    const { serial } = await certificateAt()
    clock.advance(HOUR_MS)
    const shown = async () => {
      const { value } = await shop.petstore.dashboardRoutes
        .find(({ id }) => id === 'listPlatformNames')!
        .handle(NOBODY, NOBODY)
      return (value as PlatformName[]).map(({ hostname, visitName, instances }) => {
        const [seen] = instances
        return [hostname, visitName, seen?.problem, seen?.serial === serial]
      })
    }
    const wanted = [
      ['api.pets.test', 'api.pets.test', null, true],
      ['staging.pets.test', 'staging.pets.test', null, true],
      ['*.pets.test', HOST, null, true],
    ]
    let last: unknown
    await until(
      () => `it has looked at the successor, ${serial}: ${JSON.stringify(last)}`,
      async () => isDeepStrictEqual((last = await shown()), wanted),
    )
  })

  test('answers dig and kdig as an authoritative server does, and nobody about other names', async () => {
    const dig = async (...args: string[]) =>
      (await run('dig', ['@127.0.0.1', '-p', String(ports.dns), '+norec', ...args])).stdout
    const kdig = async (...args: string[]) => (await run('kdig', [`@127.0.0.1#${ports.dns}`, ...args])).stdout
    assert.match(await dig(ZONE, 'SOA'), /status: NOERROR.*flags: qr aa;.*udp: 1232.*ns1\.lab\.test\. hostmaster/s)
    assert.match(await dig(ZONE, 'NS', '+tcp', '+short'), /^ns1\.lab\.test\.\n$/)
    assert.match(await dig(ZONE, 'CAA', '+short'), /^0 issue ";"\n$/)
    assert.match(await dig(`stranger.${ZONE}`, 'TXT'), /status: NXDOMAIN.*AUTHORITY: 1.*IN\s+SOA/s)
    assert.match(
      await dig('www.example.com', 'A', '+rec'),
      /status: REFUSED.*flags: qr rd;.*recursion requested but not/s,
    )
    assert.match(await dig(ZONE, 'SOA', '+edns=1', '+noednsneg'), /status: BADVERS/)
    assert.match(await dig(ZONE, 'AXFR', '+tcp'), /Transfer failed/)
    assert.match(await kdig(ZONE, 'ANY', '+notcp'), /status: NOERROR.*HINFO\s+"RFC8482" ""/s)
    assert.match(await kdig(ZONE, 'SOA', '+tcp', '+bufsize=4096'), /Flags: qr aa rd; QUERY: 1; ANSWER: 1; AUTHORITY: 0/)
    assert.match(await dig('AcMe.LAB.test', 'SOA'), /AcMe\.LAB\.test\.\s+3600\s+IN\s+SOA/)
    assert.match(await dig(ZONE, 'SOA', '+opcode=NOTIFY'), /status: NOTIMP/)
  })

  async function certificateAt(servername = HOST) {
    const socket = connect({
      host: '127.0.0.1',
      port: ports.https,
      servername,
      ca: rootPem,
      rejectUnauthorized: false,
    })
    await once(socket, 'secureConnect')
    const { subjectaltname: names = '', serialNumber: serial } = socket.getPeerCertificate()
    const trusted = socket.authorized
    socket.destroy()
    return { names, serial, trusted }
  }
})
