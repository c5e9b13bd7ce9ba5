import { BlockList, isIP, isIPv6 } from 'node:net'

/**
 * The network that an address counts for: one IPv4 address, or the 64 bits of IPv6 that one customer gets,
 * because whoever has one address of a /64 has all of them.
 */
export function networkOf(address: string | undefined): string {
  if (address === undefined) return 'unknown'
  const plain = plainAddress(address)
  return isIPv6(plain) ? `${groupsOf(plain).slice(0, 4).join(':')}::/64` : plain
}

/** The wider network: the 48 bits of IPv6 that one site gets at most, 65,536 times a /64. IPv4 has none. */
export function siteOf(network: string): string | undefined {
  if (!network.endsWith('::/64')) return undefined
  return `${network.split(':', 3).join(':')}::/48`
}

/** An IPv4 address as such, also where a socket for both families shows it in IPv6. */
export function plainAddress(address: string): string {
  return /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i.exec(address)?.[1] ?? address
}

/** Addresses and networks such as `10.0.0.0/8`; undefined where one of them is none. */
export function readNetworks(texts: readonly string[]): BlockList | undefined {
  const networks = new BlockList()
  for (const text of texts) {
    const [address = '', prefix, ...rest] = text.split('/')
    const family = isIP(address)
    const bits = prefix === undefined ? (family === 4 ? 32 : 128) : /^\d{1,3}$/.test(prefix) ? Number(prefix) : -1
    if (family === 0 || rest.length > 0 || bits < 0 || bits > (family === 4 ? 32 : 128)) return undefined
    networks.addSubnet(address, bits, family === 4 ? 'ipv4' : 'ipv6')
  }
  return networks
}

export function isAmong(networks: BlockList, address: string | undefined): boolean {
  if (address === undefined) return false
  const plain = plainAddress(address)
  return networks.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4')
}

function groupsOf(address: string): string[] {
  const hexadecimal = address.replace(/%.*$/, '').replace(/\d+(?:\.\d+){3}$/, '0:0')
  const [before = [], after] = hexadecimal.split('::').map((side) => (side === '' ? [] : side.split(':')))
  const missing = after ? 8 - before.length - after.length : 0
  const groups = [...before, ...Array.from({ length: missing }, () => '0'), ...(after ?? [])]
  return groups.map((group) => Number.parseInt(group, 16).toString(16))
}
