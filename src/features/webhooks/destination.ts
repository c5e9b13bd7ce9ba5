import { type BlockList, isIP } from 'node:net'
import { canonicalAddress, isPublicAddress } from '../../platform/dns/address.ts'
import { canonicalHostname } from '../../platform/hostname.ts'

export interface DestinationNeeds {
  addressesOf(hostname: string): Promise<{ v4: readonly string[]; v6: readonly string[] }>
  /** Networks that are not public, and that the operator lets webhooks reach. */
  privateNetworks: BlockList | undefined
}

type Destination = { ok: true; address: string } | { ok: false; reason: string }

/** What is wrong with an address that somebody has typed; undefined when nothing is. */
export function faultOf(url: URL | null, { mayBePlain }: { mayBePlain: boolean }): string | undefined {
  if (!url || !/^https?:$/.test(url.protocol)) return 'the URL must be an address such as https://example.com/hooks'
  if (url.username !== '' || url.password !== '')
    return 'the URL must have no password in it: the signature proves who sends'
  if (url.protocol === 'http:' && !mayBePlain) return 'the URL must begin with https://'
  if (url.hash !== '') return 'the URL must have no # in it'
  return undefined
}

/**
 * The address to connect to, and it is that one which is connected to: what a name leads to is somebody else's word.
 * Only the public internet, and what the operator has allowed besides.
 */
export async function findDestination(needs: DestinationNeeds, url: URL): Promise<Destination> {
  const found = await addressesOf(needs, url.hostname.replace(/^\[|\]$/g, ''))
  if (found.length === 0) return refuse(`${url.hostname} has no address in DNS.`)
  const address = found.map(canonicalAddress).find((candidate) => mayConnect(needs, candidate))
  if (address !== undefined) return { ok: true, address }
  return refuse(`${url.hostname} leads to ${found.join(', ')}, which is not on the public internet.`)
}

async function addressesOf(needs: DestinationNeeds, host: string): Promise<readonly string[]> {
  if (isIP(host) !== 0) return [host]
  if (host === 'localhost') return ['127.0.0.1']
  const name = canonicalHostname(host)
  if (name === undefined) return []
  const { v4, v6 } = await needs.addressesOf(name)
  return [...v4, ...v6]
}

function mayConnect({ privateNetworks }: DestinationNeeds, address: string): boolean {
  if (isPublicAddress(address)) return true
  return privateNetworks?.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4') ?? false
}

const refuse = (reason: string): Destination => ({ ok: false, reason })
