import { BlockList, isIP, isIPv4 } from 'node:net'

export interface ServerAddress {
  address: string
  port: number
}

/** `192.0.2.1`, `192.0.2.1:5353`, `2001:db8::1`, `[2001:db8::1]:5353`; undefined for anything else. */
export function parseServerAddress(text: string, defaultPort = 53): ServerAddress | undefined {
  const parts = /^(?:\[([^\]]+)\]|([^[\]]+?))(?::(\d{1,5}))?$/.exec(text.trim())
  if (isIP(text.trim()) !== 0) return { address: canonicalAddress(text.trim()), port: defaultPort }
  if (parts === null) return undefined
  const address = parts[1] ?? parts[2]!
  const port = parts[3] === undefined ? defaultPort : Number(parts[3])
  const familyFits = parts[1] === undefined ? isIPv4(address) : isIP(address) === 6
  return familyFits && port >= 1 && port <= 65_535 ? { address: canonicalAddress(address), port } : undefined
}

export function formatServerAddress({ address, port }: ServerAddress): string {
  return isIPv4(address) ? `${address}:${port}` : `[${address}]:${port}`
}

/** One spelling per address, so that addresses compare as text: `::FFFF:7F00:1` and `2001:DB8:0::1` have many. */
export function canonicalAddress(address: string): string {
  if (isIP(address) !== 6 || address.includes('%')) return address.toLowerCase()
  return new URL(`http://[${address}]/`).hostname.slice(1, -1)
}

/**
 * False for loopback, private, link-local, documentation, multicast and every other range that the IANA
 * special-purpose registries keep off the public internet, also when it hides inside an IPv6 address.
 */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 0 || address.includes('%')) return false
  return family === 4 ? !specialPurpose.check(address, 'ipv4') : isPublicIpv6(address)
}

function isPublicIpv6(address: string): boolean {
  return globalUnicast.check(address, 'ipv6') && !specialPurpose.check(address, 'ipv6')
}

const specialPurpose = new BlockList()
const IPV4_SPECIAL: [string, number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
]
for (const [network, prefix] of IPV4_SPECIAL) specialPurpose.addSubnet(network, prefix, 'ipv4')

// Only 2000::/3 is handed out; inside it 6to4 (2002::/16) and Teredo (2001::/32) carry IPv4 addresses of any kind.
const globalUnicast = new BlockList()
globalUnicast.addSubnet('2000::', 3, 'ipv6')
const IPV6_SPECIAL: [string, number][] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
]
for (const [network, prefix] of IPV6_SPECIAL) specialPurpose.addSubnet(network, prefix, 'ipv6')
