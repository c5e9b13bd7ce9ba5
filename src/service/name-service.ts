import { getServers } from 'node:dns'
import { isIPv4, isIPv6 } from 'node:net'
import { type Config, ConfigError } from '../config.ts'
import { reachedAt } from '../edge/ports.ts'
import { KEY_LABEL } from '../features/domains/connect/template.ts'
import type { SigningKey } from '../features/domains/connect/signing-key.ts'
import type { NamedResolver } from '../features/domains/switch/ask-resolvers.ts'
import { startRegistrar } from '../features/sandbox/registrar.ts'
import type { Clock } from '../platform/clock.ts'
import { parseServerAddress, type ServerAddress } from '../platform/dns/address.ts'
import type { DnsNetwork } from '../platform/dns/network.ts'
import type { Log } from '../platform/log.ts'
import type { ChangeFeed } from '../platform/storage/change-feed.ts'
import type { Storage } from '../platform/storage/storage.ts'

/** Whom to ask about DNS: the world's resolvers, or the sandbox. */
export interface NameService extends AsyncDisposable {
  network: DnsNetwork
}

interface NameServiceNeeds {
  config: Pick<Config, 'sandbox' | 'platformHost' | 'listenOn' | 'dnsServers' | 'httpsPort' | 'dnsZone'>
  storage: Storage
  clock: Clock
  changes: ChangeFeed
  log: Log
  /** What the platform signs with at DNS providers; undefined where it does not. */
  connectKey: SigningKey | undefined
}

export async function openNameService(needs: NameServiceNeeds): Promise<NameService> {
  const { config, storage, clock, changes, log, connectKey } = needs
  if (!config.sandbox) return configuredNames(config)
  return startRegistrar({
    storage,
    clock,
    changes,
    platformHost: config.platformHost,
    challengeApex: config.dnsZone?.zone,
    addresses: loopbackAddresses(config),
    connect: connectKey && {
      prefix: `${config.platformHost}:${config.httpsPort}${SANDBOX_PROVIDER_PATH}`,
      keyName: `${KEY_LABEL}.${config.platformHost}`,
      keyTexts: connectKey.published,
    },
    onError: (error) => log.warn({ err: error }, 'the sandbox registrar could not answer'),
  })
}

/** Whose answers people are shown while a domain moves. */
export function namedResolvers(
  { resolvers, sandbox }: Pick<Config, 'resolvers' | 'sandbox'>,
  network: DnsNetwork,
): readonly NamedResolver[] {
  return sandbox ? network.resolvers.map((server) => ({ name: 'Sandbox resolver', ...server })) : resolvers
}

/** Where the sandbox registrar's side of Domain Connect is served, at the platform's own address. */
export const SANDBOX_PROVIDER_PATH = '/platform/v1/sandbox/domain-connect'

/** Where the edge of a local installation is reached. */
export function loopbackAddresses({ listenOn }: Pick<Config, 'listenOn'>): { v4: string[]; v6: string[] } {
  const addresses = [...new Set(listenOn.map(reachedAt))]
  return { v4: addresses.filter(isIPv4), v6: addresses.filter(isIPv6) }
}

/**
 * Nameservers are asked on the public internet, and on the very addresses that the operator gave: a laboratory whose
 * one server is resolver and nameserver works, and nobody's NS record leads into a private network.
 */
function configuredNames(config: Pick<Config, 'dnsServers'>): NameService {
  const resolvers = resolversOf(config)
  const given = config.dnsServers.length > 0 ? resolvers : []
  return {
    network: { resolvers, isPublic: true, given, ports: [] },
    [Symbol.asyncDispose]: async () => {},
  }
}

function resolversOf({ dnsServers }: Pick<Config, 'dnsServers'>): ServerAddress[] {
  const texts = dnsServers.length > 0 ? dnsServers : getServers()
  return texts.map((text) => {
    const address = parseServerAddress(text)
    if (address) return address
    throw new ConfigError(`PETSTORE_DNS has "${text}", but must list addresses such as 192.0.2.53 or 192.0.2.53:5353.`)
  })
}
