import type { Clock } from '../../../platform/clock.ts'
import type { ServerAddress } from '../../../platform/dns/address.ts'
import type { DnsClient } from '../../../platform/dns/client.ts'
import { firstUsable } from '../../../platform/dns/first-usable.ts'
import { recordsOf } from '../../../platform/dns/record.ts'

export interface Addresses {
  v4: readonly string[]
  v6: readonly string[]
  /** There may be more: nobody answered for one type, or for both. */
  isPartial?: boolean
}

export type AddressesOf = (hostname: string) => Promise<Addresses>

const KNOWN_FOR_MS = 60_000
// Whoever looks at a page is not to wait for silent resolvers every time.
const PARTIAL_FOR_MS = 5000
const KNOWN_MAX = 1000

interface AddressNeeds {
  dns: DnsClient
  resolvers: readonly ServerAddress[]
}

/** The addresses that resolvers give for a name. */
export async function lookUpAddresses({ dns, resolvers }: AddressNeeds, hostname: string): Promise<Addresses> {
  const ask = async (type: 'A' | 'AAAA') => {
    const attempts = resolvers.map((server) => () => dns.ask(server, hostname, type, { recursion: true }))
    const { usable } = await firstUsable(attempts, ({ rcode }) => rcode === 'NOERROR' || rcode === 'NXDOMAIN')
    return usable && recordsOf(usable.answers, type).map(({ data }) => data)
  }
  const [v4, v6] = await Promise.all([ask('A'), ask('AAAA')])
  return { v4: v4 ?? [], v6: v6 ?? [], isPartial: v4 === undefined || v6 === undefined }
}

/** What has been looked up is remembered for a minute, and what could not be, for seconds. */
export function rememberAddresses(clock: Clock, look: AddressesOf): AddressesOf {
  const known = new Map<string, { until: number; addresses: Promise<Addresses> }>()
  return (hostname) => {
    const entry = known.get(hostname)
    if (entry && entry.until > clock.now()) return entry.addresses
    if (known.size >= KNOWN_MAX) known.clear()
    const addresses = look(hostname)
    const looked = { until: clock.now() + KNOWN_FOR_MS, addresses }
    known.set(hostname, looked)
    addresses.then(
      ({ isPartial }) => isPartial && (looked.until = clock.now() + PARTIAL_FOR_MS),
      () => known.delete(hostname),
    )
    return addresses
  }
}
