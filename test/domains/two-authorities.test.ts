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
import {
  addDomain,
  type DomainActor,
  removeDomain,
  showDomain,
  verifyDomain,
} from '../../src/features/domains/domains.ts'
import { prepareDomain } from '../../src/features/domains/preparation/prepare.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/platform/clock.ts'
import { openCertificateAuthority } from '../../src/service/certificate-authority.ts'
import { readConfig } from '../../src/config.ts'
import { type AcmeProxy, type ProxyFault, startAcmeProxy } from '../harness/acme-proxy.ts'
import { startPebble } from '../harness/pebble.ts'
import { openPostgres } from '../harness/postgres.ts'
import { until } from '../harness/until.ts'
import { type ChallengeDoor, openChallengeDoor } from './challenge-door.ts'
import { answerInDns, type ChallengeResolver, openChallengeResolver } from './challenge-resolver.ts'
import { MovableClock, PEBBLE_SPEED } from './movable-clock.ts'
import { problemOf } from './scripted-issuer.ts'
import { createShownRecord, type DomainWorld, openDomainWorld, point, type WorldOptions } from './world.ts'

/** Two real authorities, each behind a proxy that can be told to answer in its place. */
interface Stage {
  /** Of the world that is being tested: the authorities' own is months behind one that has been moved. */
  clock: MovableClock
  door: ChallengeDoor
  resolver: ChallengeResolver
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
  const resolver = resources.use(await openChallengeResolver())
  const clock = { now: () => stage.clock.now() }
  const faults: Stage['faults'] = { first: {}, second: {} }
  const options = {
    httpPort: door.httpPort,
    tlsPort: door.tlsPort,
    dnsServer: resolver.address,
    certificateValidityMs: 40 * DAY_MS,
    // Always, and not one time in a hundred: a name that was authorised once is not validated again.
    environment: { PEBBLE_AUTHZREUSE: '100' },
  }
  const [one, other] = await Promise.all([startPebble(options), startPebble(options)])
  resources.use(one)
  resources.use(other)
  const first = resources.use(await startAcmeProxy({ upstream: one, fault: () => faults.first, clock }))
  const second = resources.use(await startAcmeProxy({ upstream: other, fault: () => faults.second, clock }))
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
  stage = { clock: new MovableClock(PEBBLE_SPEED), door, resolver, first, second, faults, environment }
})
after(() => resources.disposeAsync())

const nameOf = ({ directoryUrl }: AcmeProxy) => new URL(directoryUrl).host

/** The ordinary way: it leads here, and is proved by http-01. */
async function add(world: DomainWorld, hostname: string): Promise<DomainActor> {
  const actor = await world.project()
  await createShownRecord(world, await addDomain(world.verbs, actor, { hostname }))
  await verifyDomain(world.verbs, actor, hostname)
  return actor
}

const AWAY: ProxyFault = { answer: { status: 503, headers: { 'retry-after': '60' } } }
const NO_ACME: ProxyFault = { answer: { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>' } }

test('two real authorities fail in turn, and whichever is there issues', async () => {
  const { clock, first, second, faults } = stage
  await using world = await openDomainWorld({ clock, environment: stage.environment })
  stage.door.lookups = world.certificates
  stage.resolver.upstream = world.names.network.resolvers[0]
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

/** Every point of an order at one authority. The answer stands in our zone from `saved challenged` on. */
const pointsAt = (authority: 'first' | 'second') => [
  `${authority} saved planned`,
  ...STEPS.slice(1).flatMap((step) => [`${authority} made ${step}`, `${authority} saved ${step}`]),
  `${authority} made issued`,
]

/**
 * Every point at which an instance can die between the records of a preparation, the failure of the first authority and
 * the second's certificate. Those of which the first has begun an order come last, and are not renewed: of one that it
 * has authorised meanwhile, the renewal would skip steps at which somebody should die.
 */
const DEATHS: Death[] = [
  { givesUpAt: 'planned', diesWhen: 'records seen' },
  { givesUpAt: 'planned', diesWhen: 'records kept' },
  { givesUpAt: 'planned', diesWhen: 'first refused' },
  ...pointsAt('second').map((diesWhen): Death => ({ givesUpAt: 'planned', diesWhen })),
  ...STEPS.map((givesUpAt) => ({ givesUpAt, diesWhen: 'given up' })),
]

/** And of a renewal at the first, when that is back. */
const RENEWAL_DEATHS = [...pointsAt('first'), 'stored']

for (const engine of ['sqlite', 'postgres'] as const) {
  test(`whoever dies at any step of an order that is proved in DNS, it goes on (${engine})`, async () => {
    await using building = new AsyncDisposableStack()
    const clock = (stage.clock = new MovableClock(PEBBLE_SPEED))
    const { first, second } = stage
    const databaseUrl = engine === 'postgres' ? await building.use(await openPostgres()).createSchema() : undefined
    // What differs between the engines is how things are stored; there, two instances share the list.
    const isHere = (when: string) => engine === 'sqlite' || /saved|kept|stored|given up/.test(when)
    const deaths = DEATHS.filter(({ diesWhen }) => isHere(diesWhen))
    const hostOf = (index: number) => `${engine}-${index}.example.test`
    const fate: Fate = {
      givesUpAt: new Map(deaths.map(({ givesUpAt }, index) => [hostOf(index), givesUpAt])),
      diesWhen: new Map(deaths.map(({ diesWhen }, index) => [hostOf(index), diesWhen])),
    }
    let hosts = [...fate.diesWhen.keys()]
    const options = { clock, databaseUrl, environment: stage.environment, authority: dying(fate) }
    const world = building.use(await openDomainWorld(options))
    if (engine === 'postgres') building.use(await openDomainWorld(options))
    building.use(await answerInDns(stage.resolver, world))

    const actors: DomainActor[] = []
    for (const host of hosts) actors.push(await prepare(world, host))
    const allHave = async (certificates: number) => {
      let fewer = hosts
      const wanted = `every host has had ${certificates}, and everybody died where they should`
      const seen = () => `${wanted}; fewer: ${fewer.join(', ')}; alive: ${[...fate.diesWhen].join('; ')}`
      await until(seen, async () => {
        const all = world.storage.read.selectFrom('certificates').select('hostname')
        const rows = await all.where('hostname', 'in', hosts).execute()
        fewer = hosts.filter((host) => rows.filter(({ hostname }) => hostname === host).length < certificates)
        // A certificate is there for others a moment before whoever stored it hears of it, and dies.
        if (fewer.length === 0 && fate.diesWhen.size === 0) return true
        // The pauses of the runner after a death, and of polling.
        clock.advance(500)
        return false
      })
      const left = await world.storage.read.selectFrom('challenge_answers').selectAll().execute()
      assert.deepEqual(left, [], 'nothing is left in the zone')
    }
    const areReadyBy = async (authority: AcmeProxy) => {
      for (const [index, host] of hosts.entries()) {
        const { state, certificate } = await showDomain(world.verbs, actors[index]!, host)
        assert.deepEqual([state, certificate?.authority], ['ready', nameOf(authority)], host)
      }
    }
    await allHave(1)
    await areReadyBy(second)
    for (const [index, { givesUpAt, diesWhen }] of deaths.entries()) {
      const where = `${givesUpAt}, ${diesWhen}`
      assert.equal(first.ordersFor(hostOf(index)), givesUpAt === 'planned' ? 0 : 1, where)
      assert.equal(second.ordersFor(hostOf(index)), diesWhen === 'second made ordered' ? 2 : 1, where)
    }

    const renewals = RENEWAL_DEATHS.filter(isHere)
    for (const [index, hostname] of hosts.entries()) {
      if (index >= renewals.length) await removeDomain(world.verbs, actors[index]!, { hostname })
    }
    hosts = hosts.slice(0, renewals.length)
    for (const host of hosts) assert.equal(first.ordersFor(host), 0, `${host} is new to the first`)
    fate.givesUpAt.clear()
    for (const [index, diesWhen] of renewals.entries()) fate.diesWhen.set(hostOf(index), diesWhen)
    clock.advance(29 * DAY_MS)
    await allHave(2)
    await areReadyBy(first)
    for (const [index, diesWhen] of renewals.entries()) {
      assert.equal(first.ordersFor(hostOf(index)), diesWhen === 'first made ordered' ? 2 : 1, diesWhen)
    }
  })
}

/** It leads nowhere yet, so that it can be proved in DNS only. */
async function prepare(world: DomainWorld, hostname: string): Promise<DomainActor> {
  const actor = await world.project()
  const { proof, challenge } = (await prepareDomain(world.verbs, actor, { hostname })).record
  for (const { name, type, value } of [proof!, challenge!]) await point(world, name, type, value)
  await verifyDomain(world.verbs, actor, hostname)
  return actor
}

/** By hostname; who has died is taken out. */
interface Fate {
  readonly givesUpAt: Map<string, IssuanceStep>
  readonly diesWhen: Map<string, string>
}

/** Both authorities, with deaths: what is under way is interrupted, and goes on from what is stored. */
function dying({ givesUpAt, diesWhen }: Fate): NonNullable<WorldOptions['authority']> {
  const dieIf = (when: string, hostname: string | undefined) => {
    if (hostname === undefined || diesWhen.get(hostname) !== when) return
    diesWhen.delete(hostname)
    throw new Error(`dead when ${when}`)
  }
  return async ({ storage, clock, vault }) => {
    const config = readConfig(stage.environment)
    const ca = openInstallationCa({ storage, clock, vault, crlUrl: undefined })
    const authority = await openCertificateAuthority({ config, storage, clock, vault, ca, random: Math.random })
    const fallback = authority.fallback!
    const write = storage.write.bind(storage)
    storage.write = async (what, input) => {
      const {
        order,
        takesOver,
        lease,
        certificate,
        hostname,
        outcome: seen,
      } = input as {
        order?: IssuanceOrder
        takesOver?: boolean
        lease?: { subject: string }
        certificate?: { hostname: string }
        hostname?: string
        outcome?: string
      }
      if (seen === 'prepared') dieIf('records seen', hostname)
      const outcome = await write(what, input)
      if (seen === 'prepared') dieIf('records kept', hostname)
      const whose = order?.issuer === fallback.issuer.id ? 'second' : 'first'
      if (order) dieIf(`${whose} saved ${order.step}`, order.names[0])
      if (takesOver) dieIf('given up', lease?.subject)
      dieIf('stored', certificate?.hostname)
      return outcome
    }
    const mortal = (whose: 'first' | 'second', issuer: Issuer): Issuer => ({
      ...issuer,
      async advance(order, signal) {
        const [hostname = ''] = order.names
        if (whose === 'first' && givesUpAt.get(hostname) === order.step) {
          dieIf('first refused', hostname)
          return { result: 'stalled', order, problem: problemOf('rate_limited', HOUR_MS) }
        }
        const outcome = await issuer.advance(order, signal)
        dieIf(`${whose} made ${outcome.order.step}`, hostname)
        return outcome
      },
    })
    return {
      ...authority,
      issuer: mortal('first', authority.issuer),
      fallback: { ...fallback, issuer: mortal('second', fallback.issuer) },
    }
  }
}
