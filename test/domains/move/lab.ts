import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { storageOf } from '../../../src/features/audit/audited.ts'
import { createInternalCa, createRoot } from '../../../src/features/certificates/authority/internal-ca.ts'
import type { DomainActor, DomainsNeeds } from '../../../src/features/domains/domains.ts'
import { createProject } from '../../../src/features/projects/projects.ts'
import { DAY_MS, HOUR_MS, ManualClock, systemClock } from '../../../src/platform/clock.ts'
import { startDnsServer } from '../../../src/platform/dns/server.ts'
import { type Zone, type ZoneRecord, zonesFrom } from '../../../src/platform/dns/zone.ts'
import type { CustomDomains } from '../../../src/service/custom-domains.ts'
import { startAcmeProxy } from '../../harness/acme-proxy.ts'
import { a, aaaa, ns } from '../../harness/dns.ts'
import { freePorts } from '../../harness/free-ports.ts'
import { publishOwnSite } from '../../harness/own-site.ts'
import { startPebble } from '../../harness/pebble.ts'
import { startTestPetstore } from '../../harness/petstore.ts'
import { until } from '../../harness/until.ts'
import { openChallengeResolver } from '../challenge-resolver.ts'
import { ADA } from '../world.ts'
import { type CachingResolver, openCachingResolver } from './caching-resolver.ts'
import type { WorldHost } from './visitors.ts'

export const NS1 = 'ns1.lab.test'
export const NS2 = 'ns2.lab.test'
const CHALLENGES = 'acme.lab.test'

/** Addresses of the world, which lead to ports on loopback. */
export const EDGE = { v4: '203.0.113.10', v6: '2001:db8:1::10' }

/** A platform at pets.test with everything that a name needs to move there. */
export interface MoveLab extends AsyncDisposable {
  /** Of the service, of every cache and of every visitor. */
  readonly clock: ManualClock
  readonly verbs: DomainsNeeds & CustomDomains['verbNeeds']
  /** Half of them stay with the first nameserver, half with the second. */
  readonly resolvers: readonly CachingResolver[]
  readonly edge: WorldHost
  /** Of the authority that certifies names here. */
  readonly rootPem: string
  project(): Promise<DomainActor>
  /** A zone on both nameservers, live: changes of its records count at once. */
  addZone(apex: string): Zone
  /** Everything that is due by now is done. */
  settle(): Promise<void>
}

export async function openMoveLab({ databaseUrl }: { databaseUrl: string | undefined }): Promise<MoveLab> {
  await using building = new AsyncDisposableStack()
  // Certificates begin by the machine's clock, and must have begun by this one.
  const clock = new ManualClock(systemClock.now() + HOUR_MS)
  const zones: Zone[] = [
    zone('lab.test', [a(NS1, '127.0.0.1'), a(NS2, '127.0.0.2')]),
    zone('pets.test', [a('*.pets.test', EDGE.v4, 300), aaaa('*.pets.test', EDGE.v6, 300)]),
  ]
  const held = zonesFrom(() => zones)
  const dns = building.use(
    await startDnsServer({
      clock: systemClock,
      listeners: [
        { nameserver: NS1, address: '127.0.0.1', port: 0, zones: held },
        { nameserver: NS2, address: '127.0.0.2', port: 0, zones: held },
      ],
    }),
  )
  const resolvers: CachingResolver[] = []
  for (const nameserver of [...dns.listeners, ...dns.listeners]) {
    resolvers.push(building.use(await openCachingResolver({ clock, nameserver })))
  }

  const [http = 0, https = 0, challenges = 0] = await freePorts(3)
  const authoritys = building.use(await openChallengeResolver())
  authoritys.upstream = dns.listeners[0]
  authoritys.listener = { address: '127.0.0.1', port: challenges, zone: CHALLENGES }
  const pebble = building.use(
    await startPebble({
      httpPort: http,
      tlsPort: https,
      dnsServer: authoritys.address,
      certificateValidityMs: 40 * DAY_MS,
    }),
  )
  const proxy = building.use(await startAcmeProxy({ upstream: pebble, clock }))
  const directory = mkdtempSync(join(tmpdir(), 'petstore-move-'))
  building.defer(() => rmSync(directory, { recursive: true, force: true }))
  writeFileSync(join(directory, 'ca.pem'), proxy.caPem)
  // Its own names have their certificate already: nobody is ordered to come to the addresses of the world.
  const ca = createInternalCa({ clock: systemClock }, { root: await createRoot({ clock: systemClock }) })
  const { chainPem, privateKeyPem } = await ca.issue(['*.pets.test'])
  writeFileSync(join(directory, 'platform.pem'), chainPem)
  writeFileSync(join(directory, 'platform.key'), privateKeyPem)
  const { petstore } = building.use(
    await startTestPetstore({
      clock,
      environment: {
        ...(databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl }),
        PETSTORE_BASE_URL: `https://api.pets.test:${https}/v1`,
        PETSTORE_STAGING_URL: `https://staging.pets.test:${https}/v1`,
        PETSTORE_HTTP_PORT: String(http),
        PETSTORE_HTTPS_PORT: String(https),
        PETSTORE_PLATFORM_HOST: 'pets.test',
        PETSTORE_PLATFORM_CERT_FILE: join(directory, 'platform.pem'),
        PETSTORE_PLATFORM_KEY_FILE: join(directory, 'platform.key'),
        PETSTORE_DNS: dns.listeners.map(({ address, port }) => `${address}:${port}`).join(),
        PETSTORE_RESOLVERS: resolvers.map(({ address, port }, index) => `R${index}=${address}:${port}`).join(),
        PETSTORE_DNS_ZONE: CHALLENGES,
        PETSTORE_DNS_LISTEN: `127.0.0.1:${challenges}`,
        PETSTORE_DNS_NAMESERVERS: NS1,
        PETSTORE_ACME_DIRECTORY: proxy.directoryUrl,
        PETSTORE_ACME_CA_FILE: join(directory, 'ca.pem'),
      },
    }),
  )
  const { storage, changes, domains } = petstore
  const verbs = { ...domains.verbNeeds, storage: storageOf(storage, ADA, clock) }
  const rootPem = await pebble.issuingRootPem()
  let projects = 0
  const running = building.move()
  return {
    clock,
    verbs,
    resolvers,
    rootPem,
    edge: { ports: { http, https }, body: 'Our own site' },
    async project() {
      const slug = `shop-${++projects}`
      const { id } = await createProject({ storage, clock }, { slug, plan: 'pro' })
      await publishOwnSite(petstore, slug)
      return { projectId: id, role: 'owner' }
    },
    addZone(apex) {
      const added = zone(apex, [])
      zones.push(added)
      return added
    },
    async settle() {
      await until('nothing is due any more', async () => {
        await changes.catchUp()
        const due = storage.read.selectFrom('work').select('subject').where('due_at', '<=', clock.now())
        return (await due.execute()).length === 0
      })
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

const zone = (apex: string, records: ZoneRecord[]): Zone => ({
  apex,
  serial: 1,
  serialOn: { [NS1]: 1, [NS2]: 1 },
  records: [ns(apex, NS1), ns(apex, NS2), ...records],
})
