import { isIPv6 } from 'node:net'

/**
 * The network that an address counts for: one IPv4 address, or the 64 bits of IPv6 that one customer gets,
 * because whoever has one address of a /64 has all of them.
 */
export function networkOf(address: string | undefined): string {
  if (address === undefined) return 'unknown'
  const mapped = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i.exec(address)?.[1]
  if (mapped) return mapped
  return isIPv6(address) ? `${groupsOf(address).slice(0, 4).join(':')}::/64` : address
}

function groupsOf(address: string): string[] {
  const hexadecimal = address.replace(/%.*$/, '').replace(/\d+(?:\.\d+){3}$/, '0:0')
  const [before = [], after] = hexadecimal.split('::').map((side) => (side === '' ? [] : side.split(':')))
  const missing = after ? 8 - before.length - after.length : 0
  const groups = [...before, ...Array.from({ length: missing }, () => '0'), ...(after ?? [])]
  return groups.map((group) => Number.parseInt(group, 16).toString(16))
}
