import type { Clock } from '../clock.ts'
import { parentOf } from './name.ts'
import { type DnsNetwork, nameserverRules } from './network.ts'
import { registryAbove } from './registry.ts'
import { startDnsServer } from './server.ts'
import { firstHolding, type Zone, zonesFrom } from './zone.ts'

export interface LoopbackDnsNeeds {
  clock: Clock
  /** Read anew on every question, so that edits count at once. */
  zones: () => readonly Zone[] | Promise<readonly Zone[]>
  /** The nameservers that hold every zone; zones list them in their NS records. */
  nameservers: readonly [string, string]
  address?: string
  onError?: (error: unknown) => void
}

export interface LoopbackDns extends AsyncDisposable {
  network: DnsNetwork
  /** What to configure as the resolvers to start from. */
  resolvers: DnsNetwork['resolvers']
  /** All names share one address and differ in the port; names that nobody serves have a port that is closed. */
  portFor: (nameserver: string) => number
}

/**
 * A small internet on loopback, to rehearse and to test with: a resolver, the registries of the top level domains,
 * and two nameservers that hold every zone and can disagree. Discovery walks it as it walks the real one.
 */
export async function startLoopbackDns(needs: LoopbackDnsNeeds): Promise<LoopbackDns> {
  const { clock, nameservers, address = '127.0.0.1', onError = () => {} } = needs
  const zones = async () => [...(await needs.zones()), zoneOfNameservers(nameservers, address)]
  const held = zonesFrom(zones)
  const registry = registryAbove(zones, address)
  const [primary, secondary] = nameservers
  const listener = { address, port: 0, zones: held }
  const server = await startDnsServer({
    clock,
    onError,
    listeners: [
      { ...listener, nameserver: primary, zones: firstHolding(held, registry), recursive: true },
      { ...listener, nameserver: 'registry', zones: registry },
      { ...listener, nameserver: primary },
      { ...listener, nameserver: secondary },
    ],
  })
  const [resolver, registryPort, ...own] = server.listeners.map(({ port }) => port)
  const network: DnsNetwork = {
    resolvers: [{ address, port: resolver! }],
    isPublic: false,
    given: [{ address, port: CLOSED_PORT }],
    ports: [
      { name: 'a.registry.', port: registryPort! },
      ...nameservers.map((name, index) => ({ name, port: own[index]! })),
    ],
  }
  const { portFor } = nameserverRules(network)
  return {
    network,
    resolvers: network.resolvers,
    portFor: (nameserver) => portFor(nameserver, address),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

function zoneOfNameservers(nameservers: readonly string[], address: string): Zone {
  const apex = parentOf(nameservers[0]!)
  const ttl = 3600
  return {
    apex,
    serial: 1,
    records: nameservers.flatMap((name) => [
      { name: apex, type: 'NS', ttl, data: name } as const,
      { name, type: 'A', ttl, data: address } as const,
    ]),
  }
}

// tcpmux, which nothing serves.
const CLOSED_PORT = 1
