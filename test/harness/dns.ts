import { systemClock } from '../../src/platform/clock.ts'
import type { ServerAddress } from '../../src/platform/dns/address.ts'
import { startDnsServer } from '../../src/platform/dns/server.ts'
import type { DnsServer } from '../../src/platform/dns/server.ts'
import { zoneList } from '../../src/platform/dns/zone.ts'
import type { Zone, ZoneRecord } from '../../src/platform/dns/zone.ts'

/**
 * A small internet on loopback: two nameservers that hold every zone given to it and the top level domains above
 * them. They share the address 127.0.0.1 and differ in the port, which is why clients need `portFor`.
 */
export interface TestDns extends AsyncDisposable {
  server: DnsServer
  /** Live: tests push zones, records and faults while it runs. */
  zones: Zone[]
  /** What to configure as the resolvers to start from. */
  resolvers: ServerAddress[]
  portFor: (nameserver: string) => number
  /** A free loopback port that nothing listens on. */
  closedPort: number
}

export const NS1 = 'ns1.registrar.test'
export const NS2 = 'ns2.registrar.test'

export async function startTestDns(zones: Zone[] = []): Promise<TestDns> {
  const held: Zone[] = [...zones]
  for (const top of new Set(['test', ...zones.map(({ apex }) => apex.slice(apex.lastIndexOf('.') + 1))])) {
    if (!held.some(({ apex }) => apex === top)) held.push(zone(top))
  }
  held.push(zone('registrar.test', [a(NS1, '127.0.0.1'), a(NS2, '127.0.0.1')]))
  const listeners = [NS1, NS2, 'closed'].map((nameserver) => ({ nameserver, address: '127.0.0.1', port: 0 }))
  const server = await startDnsServer({ zones: zoneList(held), clock: systemClock, listeners: listeners.slice(0, 2) })
  const closed = await startDnsServer({ zones: zoneList([]), clock: systemClock, listeners: listeners.slice(2) })
  await closed[Symbol.asyncDispose]()
  const ports = new Map(server.listeners.map(({ nameserver, port }) => [nameserver, port]))
  const closedPort = closed.listeners[0]!.port
  return {
    server,
    zones: held,
    resolvers: [{ address: '127.0.0.1', port: ports.get(NS1)! }],
    portFor: (nameserver) => ports.get(nameserver) ?? closedPort,
    closedPort,
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

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
