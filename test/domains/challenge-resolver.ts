import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { decode, encode, RECURSION_AVAILABLE } from 'dns-packet'
import { openChallengeZone } from '../../src/features/domains/preparation/challenge-zone.ts'
import { systemClock } from '../../src/platform/clock.ts'
import type { ServerAddress } from '../../src/platform/dns/address.ts'
import { createDnsClient } from '../../src/platform/dns/client.ts'
import type { QuestionType } from '../../src/platform/dns/message.ts'
import { openAuthoritativeListener } from '../../src/platform/dns/authoritative/listener.ts'
import { isInZone } from '../../src/platform/dns/name.ts'
import { type DnsRecord, recordsOf, recordToWire } from '../../src/platform/dns/record.ts'
import { labelZone } from '../../src/service/challenges.ts'
import type { DomainWorld } from './world.ts'

export interface ChallengeResolver extends AsyncDisposable {
  /** `address:port`. */
  address: string
  /** Who knows every zone but one. */
  upstream: ServerAddress | undefined
  /** Who answers for that one. */
  listener: (ServerAddress & { zone: string }) | undefined
  /** What the listener was asked for, in order. */
  seen: string[]
}

/** What an authority has: a resolver that follows a CNAME into the zone of challenges and asks its server. */
export async function openChallengeResolver(): Promise<ChallengeResolver> {
  const client = createDnsClient({ clock: systemClock, timeoutMs: 20_000 })
  const socket = createSocket('udp4').bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const resolver: ChallengeResolver = {
    address: `127.0.0.1:${socket.address().port}`,
    upstream: undefined,
    listener: undefined,
    seen: [],
    async [Symbol.asyncDispose]() {
      socket.close()
    },
  }

  async function resolve(name: string, type: QuestionType): Promise<DnsRecord[]> {
    const { answers } = await client.ask(resolver.upstream!, name, type, { recursion: true })
    const end = recordsOf(answers, 'CNAME').at(-1)?.data
    const { listener } = resolver
    if (!listener || end === undefined || !isInZone(end, listener.zone)) return answers
    resolver.seen.push(`${type} ${end}`)
    return [...answers, ...(await client.ask(listener, end, type)).answers]
  }

  socket.on('message', async (packet, { port, address }) => {
    const { id, questions = [] } = decode(packet)
    const [question] = questions
    const records = await resolve(question!.name.toLowerCase(), question!.type as QuestionType)
    const answers = records.filter((record) => record.type !== 'OTHER').map(recordToWire)
    socket.send(encode({ type: 'response', id, flags: RECURSION_AVAILABLE, questions, answers }), port, address)
  })
  return resolver
}

/** From now on the resolver knows the names of a world, and finds its zone of challenges at a port of its own. */
export async function answerInDns(resolver: ChallengeResolver, world: DomainWorld): Promise<AsyncDisposable> {
  const zone = openChallengeZone(world.config.dnsZone!.zone, 'a secret of the tests')
  const listener = await openAuthoritativeListener({
    clock: systemClock,
    zone: labelZone(zone, ['ns.localhost'], world.storage),
    at: { address: '127.0.0.1', port: 0 },
    onError: (error) => world.errors.push(error),
  })
  resolver.seen.length = 0
  resolver.upstream = world.names.network.resolvers[0]
  resolver.listener = { address: '127.0.0.1', port: listener.port, zone: zone.apex }
  return listener
}
