import { systemClock } from '../../src/platform/clock.ts'
import type { DnsClient, Exchange } from '../../src/platform/dns/client.ts'
import { encodeQuery, type Question, readReply, type Reply } from '../../src/platform/dns/message.ts'
import { namesUpToTop } from '../../src/platform/dns/name.ts'
import { registryAbove } from '../../src/platform/dns/registry.ts'
import { type ReplyContext, replyTo } from '../../src/platform/dns/reply.ts'
import { firstHolding, type Zone, type ZoneSource } from '../../src/platform/dns/zone.ts'
import type { NameService } from '../../src/service/name-service.ts'
import { a, ns, NS1 } from '../harness/dns.ts'

/** A small internet without sockets, for thousands of looks: real packets, handed over from question to answer. */
export interface PacketDns {
  dns: DnsClient
  names: NameService
  /** By apex; changed while it runs. */
  zones: Map<string, Zone>
}

const ADDRESS = '127.0.0.1'
/** Nobody else can answer here. */
const ID = 1
const PORTS = { resolver: 1, registry: 2, nameserver: 3 }

export function openPacketDns(): PacketDns {
  const home: Zone = { apex: 'registrar.test', serial: 1, records: [ns('registrar.test', NS1), a(NS1, ADDRESS)] }
  const zones = new Map<string, Zone>([[home.apex, home]])
  // There are hundreds of zones: to compare each with the name was a sixth of a run.
  const zonesAt = (name: string) => namesUpToTop(name).flatMap((apex) => zones.get(apex) ?? [])
  const held: ZoneSource = { zoneFor: (name) => zonesAt(name)[0] }
  const registry: ZoneSource = {
    zoneFor: (name) => registryAbove(() => [...zonesAt(name), home], ADDRESS).zoneFor(name),
  }
  const context = (zones: ZoneSource, recursive = false): ReplyContext => ({
    zones,
    recursive,
    clock: systemClock,
    nameserver: NS1,
    signal: new AbortController().signal,
    onError: (error) => {
      throw error
    },
  })
  const servers = new Map([
    [PORTS.resolver, context(firstHolding(held, registry), true)],
    [PORTS.registry, context(registry)],
    [PORTS.nameserver, context(held)],
  ])
  const dns: DnsClient = {
    async ask(server, name, type, { serverName = null, recursion = false, checkingDisabled = false } = {}) {
      const question: Question = { name, type, recursion, checkingDisabled }
      const sent = encodeQuery(ID, question, true)
      const packet = await replyTo(sent.packet, 'udp', servers.get(server.port)!)
      const { keepsCase: _, ...reply } = readReply(packet!, sent) as Reply
      const asked = { server: { ...server, name: serverName }, ...question, at: 0, durationMs: 0, ignored: [] }
      return { ...asked, transport: 'udp', error: null, ...reply } satisfies Exchange
    },
  }
  const names: NameService = {
    network: {
      resolvers: [{ address: ADDRESS, port: PORTS.resolver }],
      isPublic: true,
      given: [{ address: ADDRESS, port: PORTS.registry }],
      ports: [{ name: NS1, port: PORTS.nameserver }],
    },
    [Symbol.asyncDispose]: async () => {},
  }
  return { dns, names, zones }
}
