import { createSocket, type Socket } from 'node:dgram'
import { once } from 'node:events'
import { type Answer, decode, encode, RECURSION_AVAILABLE } from 'dns-packet'
import { systemClock } from '../../src/platform/clock.ts'
import type { ServerAddress } from '../../src/platform/dns/address.ts'
import { type LoopbackDns, startLoopbackDns } from '../../src/platform/dns/loopback.ts'
import type { Zone, ZoneRecord } from '../../src/platform/dns/zone.ts'

/** A small internet on loopback with the given zones, each on both nameservers. */
export interface TestDns extends LoopbackDns {
  /** Live: tests push zones, records and faults while it runs. */
  zones: Zone[]
}

export const NS1 = 'ns1.registrar.test'
export const NS2 = 'ns2.registrar.test'

export async function startTestDns(zones: Zone[] = []): Promise<TestDns> {
  const dns = await startLoopbackDns({ clock: systemClock, zones: () => zones, nameservers: [NS1, NS2] })
  return { ...dns, zones }
}

const NXDOMAIN = 3

/** A zone on both nameservers. */
export function zone(apex: string, records: ZoneRecord[] = [], extra: Partial<Zone> = {}): Zone {
  return { apex, serial: 2026_01_01, records: [ns(apex, NS1), ns(apex, NS2), ...records], ...extra }
}

export const a = (name: string, data: string, ttl = 3600): ZoneRecord => ({ name, type: 'A', ttl, data })
export const aaaa = (name: string, data: string, ttl = 3600): ZoneRecord => ({ name, type: 'AAAA', ttl, data })
export const cname = (name: string, data: string, ttl = 3600): ZoneRecord => ({ name, type: 'CNAME', ttl, data })
export const alias = (name: string, data: string, ttl = 3600): ZoneRecord => ({ name, type: 'ALIAS', ttl, data })
export const ns = (name: string, data: string, ttl = 3600): ZoneRecord => ({ name, type: 'NS', ttl, data })
export const txt = (name: string, data: string, ttl = 3600): ZoneRecord => ({ name, type: 'TXT', ttl, data })
export const caa = (name: string, tag: string, value: string, flags = 0): ZoneRecord => ({
  name,
  type: 'CAA',
  ttl: 3600,
  data: { flags, tag, value },
})
export const onlyOn = (nameserver: string, record: ZoneRecord): ZoneRecord => ({ ...record, onlyOn: nameserver })

/**
 * A caching resolver before the one on loopback: it passes questions on, and can hold on to an old answer.
 * `remember` gives the answers to a question that it has cached, or denies the name, or null to pass it on.
 */
export async function startTestResolver(
  dns: TestDns,
  remember: (name: string, type: string) => Answer[] | 'NXDOMAIN' | null,
): Promise<ServerAddress & AsyncDisposable> {
  const socket = createSocket('udp4').bind(0, '127.0.0.1')
  await once(socket, 'listening')
  const upstreams = new Set<Socket>()
  socket.on('message', (packet, sender) => {
    const query = decode(packet)
    const [question] = query.questions!
    const cached = remember(question!.name.toLowerCase(), question!.type)
    if (cached !== null) {
      const isDenied = cached === 'NXDOMAIN'
      const flags = RECURSION_AVAILABLE | (isDenied ? NXDOMAIN : 0)
      const header = { type: 'response', id: query.id, flags } as const
      const reply = encode({ ...header, questions: [question!], answers: isDenied ? [] : cached })
      return socket.send(reply, sender.port, sender.address)
    }
    const upstream = createSocket('udp4')
    upstreams.add(upstream)
    upstream.on('message', (answer) => {
      socket.send(answer, sender.port, sender.address)
      upstreams.delete(upstream)
      upstream.close()
    })
    upstream.send(packet, dns.resolvers[0]!.port, '127.0.0.1')
  })
  const close = async () => {
    // A question that was never answered must not keep the process alive.
    for (const each of [socket, ...upstreams]) each.close()
  }
  return { address: '127.0.0.1', port: socket.address().port, [Symbol.asyncDispose]: close }
}
