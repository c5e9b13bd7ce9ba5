import { isIP } from 'node:net'
import { canonicalAddress, isPublicAddress } from '../../../platform/dns/address.ts'
import { canonicalHostname } from '../../../platform/hostname.ts'
import { portOf } from '../../../platform/port-of.ts'
import type { AddressesOf } from '../observation/addresses.ts'

export interface DestinationNeeds {
  addressesOf: AddressesOf
  /** The platform's own addresses and ports, which may be private ones. */
  own: { addresses: readonly string[]; ports: { http: number; https: number } }
}

type Destination = { ok: true; address: string } | { ok: false; reason: string }

/**
 * The address to connect to. Somebody else's DNS or redirect decides where a fetch goes, so it goes only to the public
 * internet and to the platform's own ports.
 */
export async function findDestination(needs: DestinationNeeds, url: URL): Promise<Destination> {
  const { hostname, protocol } = url
  if (protocol !== 'http:' && protocol !== 'https:') return refuse(`${protocol} is not followed.`)
  if (url.username !== '' || url.password !== '') return refuse('An address with a password in it is not followed.')
  const host = isIP(hostname.replace(/^\[|\]$/g, '')) === 0 ? canonicalHostname(hostname) : undefined
  if (host === undefined) return refuse(`${hostname} is no hostname and is not followed.`)
  const { http, https } = needs.own.ports
  if (![80, 443, http, https].includes(portOf(url))) return refuse(`Port ${portOf(url)} is not followed.`)

  const { v4, v6 } = await needs.addressesOf(host)
  const found = [...v4, ...v6].map(canonicalAddress)
  const address = found.find((candidate) => mayConnect(needs, candidate, portOf(url)))
  if (address !== undefined) return { ok: true, address }
  if (found.length === 0) return refuse(`${hostname} has no address in DNS.`)
  return refuse(`${hostname} leads to ${found.join(', ')}, which is not on the public internet.`)
}

function mayConnect({ own }: DestinationNeeds, address: string, port: number): boolean {
  if (isPublicAddress(address)) return true
  const isOwnPort = port === own.ports.http || port === own.ports.https
  return isOwnPort && own.addresses.map(canonicalAddress).includes(address)
}

const refuse = (reason: string): Destination => ({ ok: false, reason })
