import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { dnsChallengeText } from '../../src/features/certificates/acme/dns-challenge.ts'
import { createInternalCa, createRoot } from '../../src/features/certificates/authority/internal-ca.ts'
import type { Advance, IssuanceOrder } from '../../src/features/certificates/issuer.ts'
import { type DomainActor, removeDomain, showDomain } from '../../src/features/domains/domains.ts'
import { listNotifications } from '../../src/features/domains/notifications/notifications.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { parseServerAddress, type ServerAddress } from '../../src/platform/dns/address.ts'
import { createDnsClient } from '../../src/platform/dns/client.ts'
import { recordsOf } from '../../src/platform/dns/record.ts'
import { HUNG_AFTER_MS, until } from '../harness/until.ts'
import { answerInDns, type ChallengeResolver, openChallengeResolver } from './challenge-resolver.ts'
import { addAndVerify, type IssuerWorld, openWithIssuer } from './issuer-world.ts'
import { problemOf } from './scripted-issuer.ts'
import { keepAsking, openWorldEdge } from './world-edge.ts'

export interface Walk {
  /** How long the certificates of each name are good. */
  lives: Record<string, number>
  /** How far the clock goes at a step. */
  stepMs: number
  walkMs: number
  /** How long visitors rest between two handshakes, in real time. */
  againAfterMs?: number
  /** After every step, with how much of the walk is behind. */
  onStep?: (passedMs: number, handshakes: number) => void
}

export interface WalkFigures {
  handshakes: number
  /** What went wrong for visitors, in words. */
  failures: readonly string[]
  /** By hostname. */
  renewals: Record<string, number>
  /** How often the zone of challenges was asked. */
  askedInDns: number
}

/** Its certificates are proved in DNS; those of the others by a visit. */
export const IN_DNS = 'a.example.test'

/**
 * One walk after the other, in one world whose authority signs by the clock of the walk: visitors ask for each name
 * without a pause, and the clock goes on when everybody has asked again. At the end of each walk its names are live,
 * and nobody was told of any trouble.
 */
export async function walkRenewals(walks: readonly Walk[]): Promise<WalkFigures> {
  await using world = await openWithIssuer({ limits: {} })
  await using resolver = await openChallengeResolver()
  await using _ = await answerInDns(resolver, world)
  const askInDns = askingInDns(resolver)
  await using edge = await openWorldEdge(world)
  const { clock } = world
  const root = await createRoot({ clock })
  const issued = new Map<string, number>()
  const failures: string[] = []
  let handshakes = 0
  for (const { lives, stepMs, walkMs, againAfterMs, onStep } of walks) {
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
    const visitor = keepAsking(edge, hosts, {
      clock,
      rootPem: root.certificatePem,
      ...(againAfterMs !== undefined && { againAfterMs }),
    })
    for (let passed = 0; passed < walkMs; passed += stepMs) {
      const asked = visitor.asked
      await world.pass(stepMs)
      await until('everybody has asked again', () => visitor.asked > asked + hosts.length)
      onStep?.(passed + stepMs, visitor.asked)
    }
    await visitor.stop()
    failures.push(...visitor.failures)
    handshakes += visitor.asked
    assert.ok(visitor.asked > walkMs / stepMs, `${visitor.asked} handshakes`)
    for (const [index, host] of hosts.entries()) {
      assert.equal((await showDomain(world.verbs, actors[index]!, host)).state, 'live')
      assert.deepEqual(await kindsOf(world, actors[index]!.projectId), ['live', 'verified'])
    }
    // What follows is about others: nobody walks these on.
    for (const [index, hostname] of hosts.entries()) await removeDomain(world.verbs, actors[index]!, { hostname })
    await world.settle()
  }
  assert.deepEqual(await world.storage.read.selectFrom('challenge_answers').selectAll().execute(), [])
  const renewals = Object.fromEntries(issued.entries().map(([host, times]) => [host, times - 1]))
  return { handshakes, failures, renewals, askedInDns: resolver.seen.length }
}

/** What the people of a project were told, the newest first. */
export const kindsOf = async (world: IssuerWorld, projectId: number) =>
  (await listNotifications(world.verbs, projectId)).notifications.map(({ kind }) => kind)

/** An authority that asks for the answer in DNS, over the wire and behind the CNAME, before it has a name signed. */
export function askingInDns(resolver: ChallengeResolver): (order: IssuanceOrder) => Promise<Advance | undefined> {
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
