import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { decode } from 'dns-packet'
import { systemClock } from '../../src/platform/clock.ts'
import { replyTo } from '../../src/platform/dns/reply.ts'
import { withLength } from '../../src/platform/dns/transport.ts'
import { type Zone, type ZoneRecord, zonesFrom } from '../../src/platform/dns/zone.ts'

/**
 * The answer of a nameserver that wants to cost as much as it can: NS records whose names are all one name of 126
 * labels, packed. 4,660 of them fit into 64 KiB.
 */
export function hostileReply(query: Buffer, records: number): Buffer {
  const questionEnd = endOfName(query, 12) + 4
  const header = Buffer.from(query.subarray(0, 12))
  // A response with authority, one question, so many answers, nothing else.
  header.writeUInt16BE(0x8400, 2)
  for (const [at, count] of [1, records, 0, 0].entries()) header.writeUInt16BE(count, 4 + 2 * at)
  const question = query.subarray(12, questionEnd)
  const longest = Buffer.concat([...Array.from({ length: 126 }, () => Buffer.from([1, 0x61])), Buffer.from([0])])
  const pointer = Buffer.from([0xc0 | (questionEnd >> 8), questionEnd & 0xff])
  const fields = Buffer.concat([Buffer.from([0, 2, 0, 1, 0, 0, 0, 60, 0, 2]), pointer])
  const first = Buffer.concat([longest, fields])
  const other = Buffer.concat([pointer, fields])
  // In one piece: a nameserver that is slow to answer would be called that, and nothing worse.
  const others = Buffer.alloc((records - 1) * other.length, other)
  return Buffer.concat([header, question, first, others])
}

function endOfName(packet: Buffer, start: number): number {
  let at = start
  while (packet[at] !== 0) at += packet[at]! + 1
  return at + 1
}

/**
 * Resolver and nameserver of a small laboratory on one port, for `PETSTORE_DNS`: honest about `platform.test`, and
 * about `evil.test` only as far as it must be to be asked more.
 */
export async function startHostileDns(): Promise<{ port: number } & AsyncDisposable> {
  const nameservers = Array.from({ length: 8 }, (_, index) => `ns${index}.evil.test`)
  const zones: Zone[] = [
    zoneOf('test', ['ns.test'], [record('ns.test')]),
    zoneOf('platform.test', ['ns.test'], [record('platform.test'), record('*.platform.test')]),
    zoneOf('evil.test', nameservers, nameservers.map(record)),
  ]
  const closing = new AbortController()
  const context = {
    zones: zonesFrom(() => zones),
    clock: systemClock,
    nameserver: 'ns.test',
    recursive: false,
    signal: closing.signal,
    onError: () => {},
  }
  const answer = async (query: Buffer, transport: 'udp' | 'tcp') => {
    const [question] = decode(query).questions ?? []
    const isHonest = !question?.name.toLowerCase().endsWith('evil.test') || HONEST_TYPES.has(question.type)
    if (isHonest) return (await replyTo(query, transport, context)) ?? Buffer.alloc(0)
    const hostile = hostileReply(query, transport === 'tcp' ? 4600 : 1)
    // Truncated: ask over TCP.
    if (transport === 'udp') hostile[2]! |= 0x02
    return hostile
  }
  const tcp = createServer((socket) => {
    socket.on('error', () => {})
    socket.on('data', async (data: Buffer) => socket.end(withLength(await answer(data.subarray(2), 'tcp'))))
  })
  tcp.listen(0, '127.0.0.1')
  await once(tcp, 'listening')
  const { port } = tcp.address() as AddressInfo
  const udp = createSocket('udp4').bind(port, '127.0.0.1')
  await once(udp, 'listening')
  udp.on('message', async (query, sender) => udp.send(await answer(query, 'udp'), sender.port, sender.address))
  return {
    port,
    async [Symbol.asyncDispose]() {
      closing.abort()
      udp.close()
      tcp.close()
    },
  }
}

const HONEST_TYPES = new Set(['SOA', 'NS'])
const record = (name: string): ZoneRecord => ({ name, type: 'A', ttl: 60, data: '127.0.0.1' })

const zoneOf = (apex: string, nameservers: string[], records: ZoneRecord[]): Zone => ({
  apex,
  serial: 1,
  records: [...nameservers.map((data) => ({ name: apex, type: 'NS', ttl: 60, data }) as const), ...records],
})
