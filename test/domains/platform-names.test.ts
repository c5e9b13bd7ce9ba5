import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { connect } from 'node:tls'
import { readConfig } from '../../src/config.ts'
import { createAccount } from '../../src/features/accounts/accounts.ts'
import { createOwnProject } from '../../src/platform-api/create-project.ts'
import { deleteProjectRow } from '../../src/platform-api/delete-project.ts'
import { createInternalCa, createRoot } from '../../src/features/certificates/authority/internal-ca.ts'
import { INTERNAL_CA_ID } from '../../src/features/certificates/issuer.ts'
import { previewLabel } from '../../src/features/deploys/preview.ts'
import { createProject } from '../../src/features/projects/projects.ts'
import { type Clock, DAY_MS, HOUR_MS, systemClock } from '../../src/platform/clock.ts'
import { startDnsServer } from '../../src/platform/dns/server.ts'
import { defineWrite } from '../../src/platform/storage/storage.ts'
import { type Zone, type ZoneRecord, zonesFrom } from '../../src/platform/dns/zone.ts'
import { startPebble } from '../harness/pebble.ts'
import { freePorts } from '../harness/free-ports.ts'
import { startTestPetstore } from '../harness/petstore.ts'
import { until } from '../harness/until.ts'
import { MovableClock, PEBBLE_SPEED } from './movable-clock.ts'

const NS = 'ns1.lab.test'
const PRODUCTION = 'api.pets.test'
const STAGING = 'staging.pets.test'

test('one file without the other ends the start with a sentence', () => {
  const sentence = /PETSTORE_PLATFORM_CERT_FILE and PETSTORE_PLATFORM_KEY_FILE go together/
  assert.throws(() => readConfig({ PETSTORE_PLATFORM_CERT_FILE: 'cert.pem' }), sentence)
  assert.throws(() => readConfig({ PETSTORE_PLATFORM_KEY_FILE: 'key.pem' }), sentence)
})

const useUp = defineWrite(
  'test.useUp',
  async (db, { issuer, meter, spent_until }: { issuer: string; meter: string; spent_until: number }) => {
    await db
      .updateTable('ca_meters')
      .set({ spent_until })
      .where('issuer', '=', issuer)
      .where('meter', '=', meter)
      .execute()
  },
)

/** The whole service with a platform host of the test's own DNS, its plain and its TLS port. */
async function openPlatform(options: { environment?: Record<string, string>; acme?: boolean; clock?: Clock } = {}) {
  await using building = new AsyncDisposableStack()
  const [http = 0, https = 0] = await freePorts(2)
  const directory = mkdtempSync(join(tmpdir(), 'petstore-platform-'))
  building.defer(() => rmSync(directory, { recursive: true, force: true }))
  const zones: Zone[] = [
    zone('lab.test', [{ name: NS, type: 'A', ttl: 60, data: '127.0.0.1' }]),
    zone('pets.test', [{ name: '*.pets.test', type: 'A', ttl: 60, data: '127.0.0.1' }]),
  ]
  const listener = { nameserver: NS, address: '127.0.0.1', port: 0, zones: zonesFrom(() => zones) }
  const dns = building.use(await startDnsServer({ clock: systemClock, listeners: [listener] }))
  const resolver = `127.0.0.1:${dns.listeners[0]?.port}`
  const pebble = building.use(
    await startPebble({ httpPort: http, tlsPort: https, certificateValidityMs: 12 * HOUR_MS }),
  )
  writeFileSync(join(directory, 'ca.pem'), pebble.caPem)
  const acme = { PETSTORE_ACME_DIRECTORY: pebble.directoryUrl, PETSTORE_ACME_CA_FILE: join(directory, 'ca.pem') }
  const shop = building.use(
    await startTestPetstore({
      clock: options.clock ?? new MovableClock(PEBBLE_SPEED),
      environment: {
        PETSTORE_BASE_URL: `https://${PRODUCTION}:${https}/v1`,
        PETSTORE_STAGING_URL: `https://${STAGING}:${https}/v1`,
        PETSTORE_HTTP_PORT: String(http),
        PETSTORE_HTTPS_PORT: String(https),
        PETSTORE_PLATFORM_HOST: 'pets.test',
        PETSTORE_DNS: resolver,
        // It would ask for a project before anybody else does.
        PETSTORE_WATCH: 'off',
        ...(options.acme === false ? {} : acme),
        ...options.environment,
      },
    }),
  )
  const { storage } = shop.petstore
  const ca = await pebble.issuingRootPem()
  const running = building.move()
  const served = (hostname: string) => servedCertificate({ port: https, servername: hostname, ca })
  return {
    storage,
    http,
    https,
    served,
    project: (slug: string) => createProject({ storage, clock: systemClock }, { slug }),
    /** The id of somebody who owns these projects. */
    async owner(name: string, slugs: readonly string[]): Promise<string> {
      const needs = { storage, clock: systemClock }
      const { id } = await createAccount(
        { ...needs, dashboardUrl: 'http://localhost' },
        { email: `${name}@example.com` },
      )
      for (const slug of slugs) await createOwnProject(needs, id, { slug })
      return id
    },
    /** What is served once pebble has issued it. */
    async issued(hostname: string, former?: Served): Promise<Served> {
      let now: Served | undefined
      await until(`${hostname} has a certificate of the authority`, async () => {
        now = await served(hostname)
        return now?.trusted === true && now.serial !== former?.serial
      })
      return now as Served
    },
    /** Of the starter site. */
    async deployId(): Promise<string> {
      const find = () => storage.read.selectFrom('deploys').select('id').executeTakeFirst()
      await until('the starter site is published', async () => (await find()) !== undefined)
      return (await find())!.id
    },
    queued: async () => {
      const rows = await storage.read.selectFrom('work').select('subject').where('queue', '=', 'certificates').execute()
      return rows.map(({ subject }) => subject).sort()
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

test("with an authority the platform's own names get its certificates", async () => {
  const clock = new MovableClock(PEBBLE_SPEED)
  await using platform = await openPlatform({ clock })
  await platform.project('kennel')
  await until('both addresses have what was ordered at the start, before anybody came', async () => {
    const certificates = platform.storage.read.selectFrom('certificates').select('hostname')
    return (await certificates.where('issuer', '<>', INTERNAL_CA_ID).execute()).length === 2
  })
  for (const hostname of [PRODUCTION, STAGING]) await platform.issued(hostname)
  assert.deepEqual(await platform.queued(), [PRODUCTION, STAGING], 'nobody has asked for a project yet')

  const stopgap = await platform.served('kennel.pets.test')
  assert.match(stopgap?.issuer ?? '', /Petstore internal CA/, 'the first handshake works, and causes the order')
  const first = await platform.issued('kennel.pets.test')

  assert.equal(await platform.served('nobody.pets.test'), undefined)
  const preview = await platform.served(`${previewLabel(await platform.deployId())}.pets.test`)
  assert.match(preview?.issuer ?? '', /Petstore internal CA/, 'the name of a preview is told to nobody')
  assert.deepEqual(await platform.queued(), [PRODUCTION, 'kennel.pets.test', STAGING])

  clock.advance(7 * HOUR_MS)
  await platform.issued('kennel.pets.test', first)
})

test('the order of a project that is deleted ends, and nothing is left of it', async () => {
  await using platform = await openPlatform()
  const { id } = await platform.project('kennel')
  await platform.served('kennel.pets.test')
  await platform.issued('kennel.pets.test')
  await platform.storage.write(deleteProjectRow, { id, accountId: null, now: systemClock.now() })
  await until('its order ends', async () => (await platform.queued()).length === 2)
  assert.deepEqual(await platform.queued(), [PRODUCTION, STAGING])
  assert.equal(await platform.served('kennel.pets.test'), undefined)
})

test('whoever has spent their share of the authority on names of the platform waits, and others do not', async () => {
  await using platform = await openPlatform()
  const eve = await platform.owner('eve', ['eves', 'eves-next'])
  await platform.owner('ada', ['adas'])
  await platform.served('eves.pets.test')
  await platform.issued('eves.pets.test')
  const spent = await platform.storage.read
    .selectFrom('ca_meters')
    .select(['issuer', 'meter', 'spent_until'])
    .where('meter', 'like', 'platformNamesPerAccount:%')
    .execute()
  assert.deepEqual(
    spent.map(({ meter }) => meter),
    [`platformNamesPerAccount:${eve}`],
    'counted for the owner, and not for the two addresses',
  )
  const { issuer, spent_until } = spent[0]!
  await platform.storage.write(useUp, { issuer, meter: spent[0]!.meter, spent_until: spent_until + 7 * DAY_MS })

  await platform.served('eves-next.pets.test')
  await platform.served('adas.pets.test')
  await platform.issued('adas.pets.test')
  const waiting = () =>
    platform.storage.read
      .selectFrom('issuances')
      .select('problem')
      .where('hostname', '=', 'eves-next.pets.test')
      .executeTakeFirst()
  await until('the order waits', async () => /platformNamesPerAccount/.test(String((await waiting())?.problem)))
  assert.equal((await platform.served('eves-next.pets.test'))?.trusted, false, 'served by the internal CA meanwhile')
})

test("the operator's wildcard certificate serves every name that it covers, and nothing is ordered", async () => {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-wildcard-'))
  const [certFile, keyFile] = [join(directory, 'cert.pem'), join(directory, 'key.pem')]
  const ca = createInternalCa({ clock: systemClock }, { root: await createRoot({ clock: systemClock }) })
  const { chainPem, privateKeyPem } = await ca.issue(['*.pets.test'])
  writeFileSync(certFile, chainPem)
  writeFileSync(keyFile, privateKeyPem)
  const clock = new MovableClock()
  const files = { PETSTORE_PLATFORM_CERT_FILE: certFile, PETSTORE_PLATFORM_KEY_FILE: keyFile }
  await using platform = await openPlatform({ clock, environment: files })
  await platform.project('kennel')
  const own = new X509Certificate(chainPem).serialNumber
  for (const hostname of [PRODUCTION, STAGING, 'kennel.pets.test']) {
    assert.equal((await platform.served(hostname))?.serial, own, hostname)
  }
  assert.equal(await platform.served('nobody.pets.test'), undefined, 'a name that nobody has is refused all the same')
  assert.deepEqual(await platform.queued(), [])

  const next = await ca.issue(['*.pets.test'])
  writeFileSync(keyFile, next.privateKeyPem)
  writeFileSync(certFile, next.chainPem)
  clock.advance(61_000)
  const renewed = new X509Certificate(next.chainPem).serialNumber
  await until('the new one is served', async () => (await platform.served(PRODUCTION))?.serial === renewed)
  for (const hostname of [PRODUCTION, 'kennel.pets.test']) {
    assert.equal((await platform.served(hostname))?.serial, renewed, hostname)
  }
  rmSync(directory, { recursive: true, force: true })
})

test('without an authority the internal CA certifies them, and says where its list is', async () => {
  await using platform = await openPlatform({ acme: false })
  const certificate = await platform.served(PRODUCTION)
  assert.match(certificate?.issuer ?? '', /Petstore internal CA/)
  assert.deepEqual(await platform.queued(), [])
  const url = `http://${PRODUCTION}:${platform.http}/ca.crl`
  assert.ok(certificate!.raw.includes(url), 'the address of the list is in the certificate')
  const answer = await fetchPlain(platform.http, `${PRODUCTION}:${platform.http}`, '/ca.crl')
  assert.equal(answer.statusCode, 200)
  assert.equal(answer.headers['content-type'], 'application/pkix-crl')
  assert.equal((await fetchPlain(platform.http, 'kennel.pets.test', '/ca.crl')).statusCode, 404)
})

interface Served {
  issuer: string
  serial: string
  /** Whether a client that trusts the authority's root alone accepts it for the name. */
  trusted: boolean
  raw: Buffer
}

/** The certificate of a real handshake; undefined when there is none for the name. */
function servedCertificate(options: { port: number; servername: string; ca: string }): Promise<Served | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', rejectUnauthorized: false, ...options })
    socket.once('secureConnect', () => {
      const { issuer, serialNumber: serial, raw } = socket.getPeerX509Certificate()!
      resolve({ issuer, serial, raw, trusted: socket.authorized })
      socket.destroy()
    })
    socket.once('error', () => resolve(undefined))
  })
}

async function fetchPlain(port: number, host: string, path: string) {
  const sent = request({ host: '127.0.0.1', port, path, headers: { Host: host } }).end()
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  answer.resume()
  return answer
}

function zone(apex: string, records: ZoneRecord[]): Zone {
  return { apex, serial: 1, records: [{ name: apex, type: 'NS', ttl: 60, data: NS }, ...records] }
}
