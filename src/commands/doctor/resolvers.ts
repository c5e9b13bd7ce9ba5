import { getServers } from 'node:dns'
import type { Config } from '../../config.ts'
import type { Clock } from '../../platform/clock.ts'
import { formatServerAddress, parseServerAddress, type ServerAddress } from '../../platform/dns/address.ts'
import { createDnsClient } from '../../platform/dns/client.ts'
import { type Check, fail, ok, warn } from './check.ts'

const resolversOf = ({ dnsServers }: Pick<Config, 'dnsServers'>) => (dnsServers.length > 0 ? dnsServers : getServers())

/** Whom to ask what the world sees; undefined where the settings name nobody who can be. */
export const firstResolver = (config: Pick<Config, 'dnsServers'>): ServerAddress | undefined =>
  parseServerAddress(resolversOf(config)[0] ?? '')

/** Custom domains are verified from these; the sandbox answers for itself and needs none. */
export async function checkResolvers(config: Config, clock: Clock): Promise<Check[]> {
  const configured = resolversOf(config)
  if (config.sandbox) return [ok('resolvers', 'the sandbox answers; no others are needed')]
  if (configured.length === 0) {
    return [fail('resolvers', 'This system names no DNS resolver. Set PETSTORE_DNS, for instance to 192.0.2.53:53.')]
  }
  const client = createDnsClient({ clock })
  return Promise.all(configured.map(checkResolver))

  async function checkResolver(text: string): Promise<Check> {
    const server = parseServerAddress(text)
    if (!server) return fail('resolvers', `"${text}" is no address. Write address:port, such as 192.0.2.53:53.`)
    const { error, rcode, durationMs } = await client.ask(server, config.platformHost, 'A', { recursion: true })
    const name = `resolver ${formatServerAddress(server)}`
    if (error) return warn(name, `no answer (${error.message}). Check PETSTORE_DNS and the firewall.`)
    return ok(name, `answers ${rcode} for ${config.platformHost} in ${Math.round(durationMs)} ms`)
  }
}
