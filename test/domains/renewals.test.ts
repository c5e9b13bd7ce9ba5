import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { type CaLimits, LETS_ENCRYPT_LIMITS } from '../../src/features/certificates/budget/limits.ts'
import { dnsChallengeText } from '../../src/features/certificates/acme/dns-challenge.ts'
import { createInternalCa, createRoot } from '../../src/features/certificates/authority/internal-ca.ts'
import type { Advance, IssuanceOrder } from '../../src/features/certificates/issuer.ts'
import { type DomainActor, removeDomain, showDomain } from '../../src/features/domains/domains.ts'
import { listNotifications } from '../../src/features/domains/notifications/notifications.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, systemClock } from '../../src/platform/clock.ts'
import { parseServerAddress, type ServerAddress } from '../../src/platform/dns/address.ts'
import { createDnsClient } from '../../src/platform/dns/client.ts'
import { recordsOf } from '../../src/platform/dns/record.ts'
import { HUNG_AFTER_MS, until } from '../harness/until.ts'
import { answerInDns, type ChallengeResolver, openChallengeResolver } from './challenge-resolver.ts'
import { addAndVerify, HOST, type IssuerWorld, openWithIssuer } from './issuer-world.ts'
import { problemOf } from './scripted-issuer.ts'
import { keepAsking, openWorldEdge } from './world-edge.ts'

/** Looks at every step whether there is a certificate to serve. */
async function passServed(world: IssuerWorld, ms: number, stepMs: number): Promise<void> {
  for (let passed = 0; passed < ms; passed += stepMs) {
    await world.pass(stepMs)
    assert.ok(await world.certificates.certificateFor(HOST), `no certificate after ${passed / HOUR_MS} hours`)
  }
}

const kindsOf = async (world: IssuerWorld, projectId: number) =>
  (await listNotifications(world.verbs, projectId)).notifications.map(({ kind }) => kind)

interface ShortLife {
  lifeMs: number
  limits: CaLimits
  stepMs: number
  days: number
  renewals: number
  inDns: boolean
}

const FEW: CaLimits = {
  orders: { burst: 2, windowMs: 7 * DAY_MS },
  certificatesPerExactSet: { burst: 5, windowMs: 7 * DAY_MS },
}

const SHORT_LIVES: Record<string, ShortLife> = {
  'certificates of 24 hours, with limits of ours that are too small for them': {
    lifeMs: DAY_MS,
    limits: FEW,
    stepMs: 5 * HOUR_MS,
    days: 9,
    renewals: 8,
    inDns: false,
  },
  'certificates of 6 days at Let’s Encrypt, proved in DNS,': {
    lifeMs: 6 * DAY_MS,
    limits: LETS_ENCRYPT_LIMITS,
    stepMs: DAY_MS,
    days: 30,
    renewals: 7,
    inDns: true,
  },
}

for (const [name, { lifeMs, limits, stepMs, days, renewals, inDns }] of Object.entries(SHORT_LIVES)) {
  test(`${name} are renewed for ${days} days, and the site always has one`, async () => {
    await using world = await openWithIssuer({ lifeMs, limits })
    await using resolver = await openChallengeResolver()
    await using _ = await answerInDns(resolver, world)
    const [askInDns, issue] = [askingInDns(resolver), world.issuer.advance]
    if (inDns) world.issuer.advance = async (order, signal) => (await askInDns(order)) ?? issue(order, signal)
    const { projectId, ...actor } = await addAndVerify(world, HOST, { inDns })
    await passServed(world, days * DAY_MS, stepMs)
    assert.ok(world.issuer.attempts.length > renewals, `${world.issuer.attempts.length} orders`)
    assert.equal(resolver.seen.length > renewals, inDns, 'where they were proved')
    assert.equal((await showDomain(world.verbs, { projectId, ...actor }, HOST)).state, 'live')
    assert.deepEqual(await kindsOf(world, projectId), ['live', 'verified'])
  })
}

/** How long each is good, how far the clock goes at a step, and for how long it is walked. */
const WALKS = [
  { lives: { 'a.example.test': 6 * DAY_MS, 'b.example.test': DAY_MS }, stepMs: 8 * HOUR_MS, walkMs: 30 * DAY_MS },
  { lives: { 'c.example.test': 10 * MINUTE_MS }, stepMs: 3 * MINUTE_MS, walkMs: HOUR_MS },
]

/** Its certificates are proved in DNS; those of the others by a visit. */
const IN_DNS = 'a.example.test'

/** An authority that asks for the answer in DNS, over the wire and behind the CNAME, before it has a name signed. */
function askingInDns(resolver: ChallengeResolver): (order: IssuanceOrder) => Promise<Advance | undefined> {
  const dns = createDnsClient({ clock: systemClock, timeoutMs: HUNG_AFTER_MS })
  return async (order) => {
    const [hostname = ''] = order.names
    const [answer] = order.answers
    if (answer === undefined) {
      assert.equal(order.challengeTypes[0], 'dns-01')
      const token = randomBytes(16).toString('base64url')
      const challenge = {
        hostname,
        type: 'dns-01' as const,
        token,
        challengeUrl: 'https://acme.example.test/challenge',
      }
      const answers = [{ ...challenge, keyAuthorization: `${token}.thumbprint` }]
      return { result: 'moved', order: { ...order, step: 'challenged', answers } }
    }
    const at = parseServerAddress(resolver.address) as ServerAddress
    const { answers } = await dns.ask(at, `_acme-challenge.${hostname}`, 'TXT', { recursion: true })
    const texts = recordsOf(answers, 'TXT').map(({ data }) => data)
    if (texts.includes(dnsChallengeText(answer.keyAuthorization))) return undefined
    return { result: 'failed', order, problem: problemOf('challenge_wrong') }
  }
}

test('no visitor fails while certificates of 6 days, 24 hours and 10 minutes are renewed', async () => {
  await using world = await openWithIssuer({ limits: {} })
  await using resolver = await openChallengeResolver()
  await using _ = await answerInDns(resolver, world)
  const askInDns = askingInDns(resolver)
  await using edge = await openWorldEdge(world)
  const { clock } = world
  const root = await createRoot({ clock })
  const issued = new Map<string, number>()
  for (const { lives, stepMs, walkMs } of WALKS) {
    const hosts = Object.keys(lives)
    const cas = new Map(
      Object.entries(lives).map(([host, leafValidityMs]) => [
        host,
        createInternalCa({ clock }, { root, leafValidityMs }),
      ]),
    )
    world.issuer.advance = async (order, signal) => {
      const [host = ''] = order.names
      const unproved = host === IN_DNS ? await askInDns(order) : undefined
      if (unproved) return unproved
      issued.set(host, (issued.get(host) ?? 0) + 1)
      return cas.get(host)!.advance(order, signal)
    }
    const actors: DomainActor[] = []
    for (const host of hosts) actors.push(await addAndVerify(world, host, { inDns: host === IN_DNS }))
    const visitor = keepAsking(edge, hosts, { clock, rootPem: root.certificatePem })
    for (let passed = 0; passed < walkMs; passed += stepMs) {
      const asked = visitor.asked
      await world.pass(stepMs)
      await until('everybody has asked again', () => visitor.asked > asked + hosts.length)
    }
    await visitor.stop()
    assert.deepEqual(visitor.failures, [])
    for (const [index, host] of hosts.entries()) {
      assert.equal((await showDomain(world.verbs, actors[index]!, host)).state, 'live')
      assert.deepEqual(await kindsOf(world, actors[index]!.projectId), ['live', 'verified'])
    }
    assert.ok(visitor.asked > walkMs / stepMs, `${visitor.asked} handshakes`)
    // What follows is about others: nobody walks these on.
    for (const [index, hostname] of hosts.entries()) await removeDomain(world.verbs, actors[index]!, { hostname })
    await world.settle()
  }
  const renewals = Object.fromEntries(issued.entries().map(([host, times]) => [host, times - 1]))
  // Renewed at half of the life, which begins five minutes before the issue.
  assert.ok(renewals['a.example.test']! >= 8, JSON.stringify(renewals))
  assert.ok(renewals['b.example.test']! >= 39, JSON.stringify(renewals))
  assert.ok(renewals['c.example.test']! >= 19, JSON.stringify(renewals))
  assert.ok(resolver.seen.length > renewals[IN_DNS]!, 'each was asked for in the zone of challenges')
  assert.deepEqual(await world.storage.read.selectFrom('challenge_answers').selectAll().execute(), [])
})

test('an authority that refuses a renewal is left alone as it asks, and people are told in time', async () => {
  await using world = await openWithIssuer({ lifeMs: 6 * DAY_MS, limits: {} })
  const actor = await addAndVerify(world)
  const state = async () => (await showDomain(world.verbs, actor, HOST)).state
  world.issuer.problem = problemOf('rate_limited', 8 * DAY_MS)
  await world.pass(4 * DAY_MS, 6 * HOUR_MS)
  assert.equal(world.issuer.attempts.length, 2)
  assert.equal(await state(), 'live')
  await world.pass(DAY_MS, 6 * HOUR_MS)
  assert.equal(await state(), 'attention')
  assert.deepEqual(await kindsOf(world, actor.projectId), ['renewal_at_risk', 'live', 'verified'])
  await world.pass(DAY_MS, 6 * HOUR_MS)
  assert.equal(await state(), 'attention')
  assert.deepEqual((await kindsOf(world, actor.projectId))[0], 'certificate_ended')
  assert.equal(world.issuer.attempts.length, 2, 'nobody asks before the authority may be asked')
  world.issuer.problem = undefined
  await world.pass(6 * DAY_MS, 6 * HOUR_MS)
  assert.equal(await state(), 'live')
})
