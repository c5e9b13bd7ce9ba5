import { isPublicAddress, type ServerAddress } from './address.ts'

/** Whom DNS questions may go to: plain data, because other threads ask them. */
export interface DnsNetwork {
  /** Where to begin: recursive resolvers, or the sandbox's own server. */
  resolvers: readonly ServerAddress[]
  /** Whether nameservers on the public internet may be asked; the sandbox asks only its own. */
  isPublic: boolean
  /** Servers that may be asked wherever they are. */
  given: readonly ServerAddress[]
  /** Ports of nameservers that share an address, by the beginning of their names. */
  ports: readonly { name: string; port: number }[]
}

interface NameserverRules {
  mayAsk: (address: string) => boolean
  portFor: (nameserver: string, address: string) => number
}

export function nameserverRules({ isPublic, given, ports }: DnsNetwork): NameserverRules {
  const portAt = new Map(given.map(({ address, port }) => [address, port]))
  return {
    mayAsk: (address) => portAt.has(address) || (isPublic && isPublicAddress(address)),
    portFor: (nameserver, address) =>
      ports.find(({ name }) => nameserver.startsWith(name))?.port ?? portAt.get(address) ?? DNS_PORT,
  }
}

const DNS_PORT = 53
