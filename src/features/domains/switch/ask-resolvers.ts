import { patience } from '../../../platform/clock.ts'
import type { ServerAddress } from '../../../platform/dns/address.ts'
import type { DnsClient } from '../../../platform/dns/client.ts'
import { type DnsRecord, recordsOf } from '../../../platform/dns/record.ts'

/** A resolver that many people use, as people call it. */
export interface NamedResolver extends ServerAddress {
  name: string
}

/** What one resolver has in its memory for a hostname. */
export interface ResolverAnswer {
  name: string
  address: string
  /** The records of the hostname itself and of what it leads to. */
  records: DnsRecord[]
  /** For how many seconds it keeps the hostname's own. */
  ttlSeconds: number
  rcode: string | null
  failure: string | null
}

const TIME_MAX_MS = 5000

export async function askResolvers(
  { dns }: { dns: DnsClient },
  hostname: string,
  resolvers: readonly NamedResolver[],
): Promise<ResolverAnswer[]> {
  using waiting = patience(TIME_MAX_MS)
  const { signal } = waiting
  return await Promise.all(
    resolvers.map(async ({ name, address, port }) => {
      const ask = (type: 'A' | 'AAAA') => dns.ask({ address, port }, hostname, type, { recursion: true, signal })
      const [v4, v6] = await Promise.all([ask('A'), ask('AAAA')])
      const all = [...v4.answers, ...v6.answers]
      const records = [...recordsOf(all, 'CNAME'), ...recordsOf(all, 'A'), ...recordsOf(all, 'AAAA')]
      const own = records.filter((record) => record.name === hostname)
      const distinct = new Map(records.map((record) => [`${record.name} ${record.type} ${record.data}`, record]))
      return {
        name,
        address,
        records: [...distinct.values()],
        ttlSeconds: Math.max(0, ...own.map(({ ttl }) => ttl)),
        rcode: v4.rcode ?? v6.rcode,
        failure: v4.error?.message ?? null,
      }
    }),
  )
}
