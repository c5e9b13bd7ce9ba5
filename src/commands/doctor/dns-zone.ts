import { getServers } from 'node:dns'
import type { Config } from '../../config.ts'
import type { Clock } from '../../platform/clock.ts'
import { formatServerAddress, parseServerAddress } from '../../platform/dns/address.ts'
import { createDnsClient } from '../../platform/dns/client.ts'
import { recordsOf } from '../../platform/dns/record.ts'
import { type Check, ok, warn } from './check.ts'

/** Whether the world finds the zone of challenges, and whether this instance answers for it. */
export async function checkDnsZone({ dnsZone, dnsServers, sandbox }: Config, clock: Clock): Promise<Check[]> {
  if (dnsZone === undefined || sandbox) return []
  const { zone, nameservers, listen } = dnsZone
  const client = createDnsClient({ clock })
  const hasZone = ({ answers }: Pick<Awaited<ReturnType<typeof client.ask>>, 'answers'>) =>
    recordsOf(answers, 'SOA', zone).length > 0
  const here = await Promise.all(
    listen.map(async (at) => {
      const address = at.address === '0.0.0.0' ? '127.0.0.1' : at.address === '::' ? '::1' : at.address
      const name = `DNS ${formatServerAddress(at)}`
      if (hasZone(await client.ask({ address, port: at.port }, zone, 'SOA'))) return ok(name, `answers for ${zone}`)
      return warn(name, `does not answer for ${zone}. It does while the service runs, if the port is its own.`)
    }),
  )
  const resolver = parseServerAddress((dnsServers.length > 0 ? dnsServers : getServers())[0] ?? '')
  if (resolver === undefined) return here
  if (hasZone(await client.ask(resolver, zone, 'SOA', { recursion: true }))) {
    return [...here, ok('DNS zone', `${zone} is found by ${formatServerAddress(resolver)}`)]
  }
  const todo = `In the zone above it, create NS records for ${zone} with the value ${nameservers.join(' and ')}`
  return [
    ...here,
    warn('DNS zone', `${zone} is not found by ${formatServerAddress(resolver)}. ${todo}, and open port 53.`),
  ]
}
