import { createSocket } from 'node:dgram'
import { isIPv4 } from 'node:net'
import type { Config } from '../../config.ts'
import { bindingTrouble, reachedAt } from '../../edge/ports.ts'
import type { Clock } from '../../platform/clock.ts'
import { formatServerAddress, type ServerAddress } from '../../platform/dns/address.ts'
import { type AskOptions, createDnsClient, type DnsClient } from '../../platform/dns/client.ts'
import { recordsOf } from '../../platform/dns/record.ts'
import { type Check, fail, ok, warn } from './check.ts'
import { firstResolver } from './resolvers.ts'

/** Whether the world finds the zone of challenges, and whether this instance answers for it. */
export async function checkDnsZone(config: Config, clock: Clock): Promise<Check[]> {
  const { dnsZone, sandbox } = config
  if (dnsZone === undefined || sandbox) return []
  const { zone, nameservers, listen } = dnsZone
  const dns = createDnsClient({ clock })
  const here = await Promise.all(listen.map((at) => checkDnsPort(dns, zone, at)))
  const resolver = firstResolver(config)
  if (resolver === undefined) return here
  const from = formatServerAddress(resolver)
  if (await hasZone(dns, resolver, zone, { recursion: true })) {
    return [...here, ok('DNS zone', `${zone} is found by ${from}`)]
  }
  const todo = `In the zone above it, create NS records for ${zone} with the value ${nameservers.join(' and ')}`
  return [...here, warn('DNS zone', `${zone} is not found by ${from}. ${todo}, and open port 53 for UDP and TCP.`)]
}

async function checkDnsPort(dns: DnsClient, zone: string, at: ServerAddress): Promise<Check> {
  const name = `DNS ${formatServerAddress(at)}`
  const here = { address: reachedAt(at.address), port: at.port }
  const [udp, tcp] = await Promise.all([hasZone(dns, here, zone), hasZone(dns, here, zone, { overTcp: true })])
  if (udp && tcp) return ok(name, `answers for ${zone} over UDP and TCP`)
  const troubles = await Promise.all([bindingTrouble(at.address, at.port), datagramTrouble(at)])
  const trouble = troubles.find((each) => each !== undefined)
  if (trouble === undefined) return ok(name, `free; the service answers for ${zone} there while it runs`)
  const why =
    trouble === 'EACCES'
      ? 'may not be opened by this user'
      : trouble === 'EADDRINUSE'
        ? `is in use by something that does not answer for ${zone}${udp ? ' over TCP' : tcp ? ' over UDP' : ''}`
        : `cannot be opened (${trouble})`
  return fail(name, `${why}. Free it, or choose another with PETSTORE_DNS_LISTEN.`)
}

async function hasZone(dns: DnsClient, server: ServerAddress, zone: string, how?: AskOptions): Promise<boolean> {
  return recordsOf((await dns.ask(server, zone, 'SOA', how)).answers, 'SOA', zone).length > 0
}

function datagramTrouble({ address, port }: ServerAddress): Promise<string | undefined> {
  return new Promise((resolve) => {
    const socket = createSocket(isIPv4(address) ? 'udp4' : 'udp6')
    socket.once('error', (error: NodeJS.ErrnoException) => socket.close(() => resolve(error.code)))
    socket.bind(port, address, () => socket.close(() => resolve(undefined)))
  })
}
