import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { openInstallationCa } from '../../src/features/certificates/authority/installation-ca.ts'
import {
  ISSUANCE_STEPS,
  type IssuanceOrder,
  type IssuanceStep,
  type Issuer,
} from '../../src/features/certificates/issuer.ts'
import { addDomain, type DomainActor, showDomain, verifyDomain } from '../../src/features/domains/domains.ts'
import { HOUR_MS, MINUTE_MS } from '../../src/platform/clock.ts'
import { openCertificateAuthority } from '../../src/service/certificate-authority.ts'
import { readConfig } from '../../src/config.ts'
import { type AcmeProxy, type ProxyFault, startAcmeProxy } from '../harness/acme-proxy.ts'
import { startPebble } from '../harness/pebble.ts'
import { openPostgres } from '../harness/postgres.ts'
import { until } from '../harness/until.ts'
import { type ChallengeDoor, openChallengeDoor } from './challenge-door.ts'
import { MovableClock, PEBBLE_SPEED } from './movable-clock.ts'
import { problemOf } from './scripted-issuer.ts'
import { createShownRecord, type DomainWorld, openDomainWorld, type WorldOptions } from './world.ts'

/** Two real authorities, each behind a proxy that can be told to answer in its place. */
interface Stage {
  door: ChallengeDoor
  first: AcmeProxy
  second: AcmeProxy
  /** What the proxy of each does now. */
  faults: { first: ProxyFault; second: ProxyFault }
  environment: Record<string, string>
}

const resources = new AsyncDisposableStack()
let stage: Stage
before(async () => {
  const door = resources.use(await openChallengeDoor())
  const faults: Stage['faults'] = { first: {}, second: {} }
  const ports = { httpPort: door.httpPort, tlsPort: door.tlsPort }
  const [one, other] = await Promise.all([startPebble(ports), startPebble(ports)])
  resources.use(one)
  resources.use(other)
  const first = resources.use(await startAcmeProxy({ upstream: one, fault: () => faults.first }))
  const second = resources.use(await startAcmeProxy({ upstream: other, fault: () => faults.second }))
  const directory = mkdtempSync(join(tmpdir(), 'petstore-two-authorities-'))
  resources.defer(() => rmSync(directory, { recursive: true, force: true }))
  writeFileSync(join(directory, 'first.pem'), first.caPem)
  writeFileSync(join(directory, 'second.pem'), second.caPem)
  const environment = {
    PETSTORE_ACME_DIRECTORY: first.directoryUrl,
    PETSTORE_ACME_CA_FILE: join(directory, 'first.pem'),
    PETSTORE_ACME_FALLBACK_DIRECTORY: second.directoryUrl,
    PETSTORE_ACME_FALLBACK_CA_FILE: join(directory, 'second.pem'),
  }
  stage = { door, first, second, faults, environment }
})
after(() => resources.disposeAsync())

const nameOf = ({ directoryUrl }: AcmeProxy) => new URL(directoryUrl).host

const ordersAt = ({ requests }: AcmeProxy, hostname: string) =>
  requests.filter(
    ({ path, status, payload }) =>
      path.startsWith('/order-plz') && status === 201 && JSON.stringify(payload).includes(`"${hostname}"`),
  ).length

async function add(world: DomainWorld, hostname: string): Promise<DomainActor> {
  const actor = await world.project()
  await createShownRecord(world, await addDomain(world.verbs, actor, { hostname }))
  await verifyDomain(world.verbs, actor, hostname)
  return actor
}

const AWAY: ProxyFault = { answer: { status: 503, headers: { 'retry-after': '60' } } }
const NO_ACME: ProxyFault = { answer: { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>' } }

test('two real authorities fail in turn, and whichever is there issues', async () => {
  const clock = new MovableClock(PEBBLE_SPEED)
  await using world = await openDomainWorld({ clock, environment: stage.environment })
  stage.door.lookups = world.certificates
  const { first, second, faults } = stage
  const issues = async (hostname: string) => {
    const actor = await add(world, hostname)
    await world.settle()
    const { certificate, issuance } = await showDomain(world.verbs, actor, hostname)
    return certificate?.authority ?? issuance?.problem?.code
  }
  faults.first = AWAY
  assert.equal(await issues('a.example.test'), nameOf(second))
  clock.advance(11 * MINUTE_MS)
  Object.assign(faults, { first: {}, second: AWAY })
  assert.equal(await issues('b.example.test'), nameOf(first))
  faults.first = NO_ACME
  clock.advance(HOUR_MS)
  assert.equal(await issues('c.example.test'), 'ca_unavailable', 'the one that was asked last')
  clock.advance(HOUR_MS)
  Object.assign(faults, { first: NO_ACME, second: {} })
  assert.equal(await issues('d.example.test'), nameOf(second))
  faults.first = {}
  const accounts = await world.storage.read.selectFrom('acme_accounts').select('directory_url').execute()
  assert.deepEqual(
    new Set(accounts.map((row) => row.directory_url)),
    new Set([first.directoryUrl, second.directoryUrl]),
  )
})

interface Death {
  /** At which step the first authority asks to be left alone. */
  givesUpAt: IssuanceStep
  /** When whoever works on the order dies. */
  diesWhen: string
}

const STEPS = ISSUANCE_STEPS.slice(0, -1)

/** Every point at which an instance can die between the failure of the first authority and the second's certificate. */
const DEATHS: Death[] = [
  { givesUpAt: 'planned', diesWhen: 'first refused' },
  ...STEPS.map((givesUpAt) => ({ givesUpAt, diesWhen: 'given up' })),
  { givesUpAt: 'planned', diesWhen: 'second saved planned' },
  ...STEPS.slice(1).flatMap((step): Death[] => [
    { givesUpAt: 'planned', diesWhen: `second made ${step}` },
    { givesUpAt: 'planned', diesWhen: `second saved ${step}` },
  ]),
  { givesUpAt: 'planned', diesWhen: 'second made issued' },
]

for (const engine of ['sqlite', 'postgres'] as const) {
  test(`whoever dies at any step of an order that changes authorities, it goes on (${engine})`, async () => {
    await using building = new AsyncDisposableStack()
    const databaseUrl = engine === 'postgres' ? await building.use(await openPostgres()).createSchema() : undefined
    const clock = new MovableClock(PEBBLE_SPEED)
    // What differs between the engines is how things are stored: there, two instances share the whole list.
    const deathsHere = engine === 'postgres' ? DEATHS : DEATHS.filter(({ diesWhen }) => /given|saved/.test(diesWhen))
    const left = new Map(deathsHere.map((death, index) => [`${engine}-${index}.example.test`, death]))
    const hosts = [...left.keys()]
    const deaths = new Map(left)
    const options = { clock, databaseUrl, environment: stage.environment, authority: dying(left, deaths) }
    const world = building.use(await openDomainWorld(options))
    stage.door.lookups = world.certificates
    if (engine === 'postgres') building.use(await openDomainWorld(options))

    const actors: DomainActor[] = []
    for (const host of hosts) actors.push(await add(world, host))
    const certificates = world.storage.read.selectFrom('certificates').select('hostname')
    await until('every host has a certificate', async () => {
      if ((await certificates.execute()).length === hosts.length) return true
      // The pauses of the runner after a death, and of polling.
      clock.advance(500)
      return false
    })
    for (const [index, host] of hosts.entries()) {
      const { state, certificate } = await showDomain(world.verbs, actors[index]!, host)
      assert.deepEqual([state, certificate?.authority], ['live', nameOf(stage.second)])
    }
    assert.deepEqual([...left.values()], [], 'everybody died where they should')
    for (const [host, { givesUpAt, diesWhen }] of deaths) {
      const where = `${givesUpAt}, ${diesWhen}`
      assert.equal(ordersAt(stage.first, host), givesUpAt === 'planned' ? 0 : 1, where)
      assert.equal(ordersAt(stage.second, host), diesWhen === 'second made ordered' ? 2 : 1, where)
    }
  })
}

/** Both authorities, with deaths: what is under way is interrupted, and goes on from what is stored. */
function dying(left: Map<string, Death>, all: ReadonlyMap<string, Death>): NonNullable<WorldOptions['authority']> {
  const dieIf = (when: string, hostname: string | undefined) => {
    if (hostname === undefined || left.get(hostname)?.diesWhen !== when) return
    left.delete(hostname)
    throw new Error(`dead when ${when}`)
  }
  return async ({ storage, clock, vault }) => {
    const config = readConfig(stage.environment)
    const ca = openInstallationCa({ storage, clock, vault, crlUrl: undefined })
    const authority = await openCertificateAuthority({ config, storage, clock, vault, ca, random: Math.random })
    const { issuer, fallback } = authority
    const write = storage.write.bind(storage)
    storage.write = async (what, input) => {
      const outcome = await write(what, input)
      const { order, takesOver, lease } = input as {
        order?: IssuanceOrder
        takesOver?: boolean
        lease?: { subject: string }
      }
      if (order?.issuer === fallback?.issuer.id) dieIf(`second saved ${order?.step}`, order?.names[0])
      if (takesOver) dieIf('given up', lease?.subject)
      return outcome
    }
    const refusing: Issuer = {
      ...issuer,
      async advance(order, signal) {
        const [hostname = ''] = order.names
        if (all.get(hostname)?.givesUpAt !== order.step) return issuer.advance(order, signal)
        dieIf('first refused', hostname)
        return { result: 'stalled', order, problem: problemOf('rate_limited', HOUR_MS) }
      },
    }
    const second = fallback!.issuer
    const mortal: Issuer = {
      ...second,
      async advance(order, signal) {
        const outcome = await second.advance(order, signal)
        dieIf(`second made ${outcome.order.step}`, order.names[0])
        return outcome
      },
    }
    return { ...authority, issuer: refusing, fallback: { ...fallback!, issuer: mortal } }
  }
}
