import { isIP } from 'node:net'
import { canonicalAddress, type ServerAddress } from '../platform/dns/address.ts'
import { canonicalHostname } from '../platform/hostname.ts'
import { portOf } from '../platform/port-of.ts'
import { ConfigError } from './config-error.ts'
import { type Environment, list, wholeNumber } from './environment.ts'

/** Where the service is reached, and where it listens. */
export interface AddressSettings {
  baseUrl: URL
  stagingUrl: URL
  httpsPort: number
  /** A plain port beside those of the two addresses, for challenges of a CA and for visitors on their way to HTTPS. */
  httpPort: number | undefined
  adminPort: number
  /** Addresses to bind; loopback only while the platform host is `localhost`. */
  listenOn: readonly string[]
}

interface Installation {
  /** Nobody but this machine is served. */
  local: boolean
  /** Where questions to DNS are answered. */
  dnsListen: readonly ServerAddress[]
}

export function readAddresses(environment: Environment, { local, dnsListen }: Installation): AddressSettings {
  const { PETSTORE_HTTPS_PORT: https = '4443', PETSTORE_ADMIN_PORT: admin = '4002' } = environment
  const urls = readUrls(environment)
  const addresses = {
    ...urls,
    httpPort: readHttpPort(environment, urls),
    httpsPort: readPort('PETSTORE_HTTPS_PORT', https),
    adminPort: readPort('PETSTORE_ADMIN_PORT', admin),
    listenOn: readListen(environment.PETSTORE_LISTEN, local),
  }
  requireOneListener(addresses, dnsListen)
  return addresses
}

export function readPlatformHost(text: string): string {
  const host = text.includes(':') ? undefined : (canonicalHostname(text) ?? (text === 'localhost' ? text : undefined))
  if (host !== undefined) return host
  throw new ConfigError(
    `PETSTORE_PLATFORM_HOST is "${text}", but must be a hostname without a port, such as pets.example.com.`,
  )
}

type Urls = Pick<AddressSettings, 'baseUrl' | 'stagingUrl'>

function readUrls({
  PETSTORE_BASE_URL: base = 'http://localhost:4000/v1',
  PETSTORE_STAGING_URL: staging = 'http://localhost:4001/v1',
}: Environment): Urls {
  const baseUrl = readUrl('PETSTORE_BASE_URL', base)
  const stagingUrl = readUrl('PETSTORE_STAGING_URL', staging)
  if (baseUrl.href !== stagingUrl.href) return { baseUrl, stagingUrl }
  throw new ConfigError(`PETSTORE_STAGING_URL is "${staging}", but must be another address than PETSTORE_BASE_URL.`)
}

function readUrl(name: string, text: string): URL {
  const url = URL.parse(text)
  // Nothing but an origin and the path: whatever stood beside them would be shown to everybody, or never be met.
  if (url && /^https?:$/.test(url.protocol) && url.port !== '0' && url.href === `${url.origin}/v1`) {
    if (!url.hostname.endsWith('.')) return url
  }
  throw new ConfigError(
    `${name} is "${text}", but must be http:// or https://, a host, and /v1, with nothing else, such as ` +
      'https://api.example.com/v1.',
  )
}

function readPort(name: string, text: string): number {
  const port = wholeNumber(text)
  if (port >= 1 && port <= 65_535) return port
  throw new ConfigError(`${name} is "${text}", but must be a port from 1 to 65535.`)
}

/** When both addresses are https, a CA still comes to the plain port 80. */
function readHttpPort({ PETSTORE_HTTP_PORT: given }: Environment, { baseUrl, stagingUrl }: Urls): number | undefined {
  if (given) return readPort('PETSTORE_HTTP_PORT', given)
  return [baseUrl, stagingUrl].every(({ protocol }) => protocol === 'https:') ? 80 : undefined
}

/** A name is none of them: which address it stands for is not known before it is bound. */
function readListen(text: string | undefined, local: boolean): readonly string[] {
  if (!text) return local ? ['127.0.0.1', '::1'] : ['::']
  const addresses = list(text)
  const wrong = addresses.find((address) => isIP(address) === 0)
  if (wrong === undefined) return [...new Set(addresses.map(canonicalAddress))]
  throw new ConfigError(
    `PETSTORE_LISTEN has "${wrong}", but must list addresses of this machine without a port, such as 127.0.0.1,::1, ` +
      'or :: for all of them.',
  )
}

/** Ports are shared by several sockets of ours, so that two listeners would each get a part of the other's visitors. */
function requireOneListener(addresses: AddressSettings, dnsListen: readonly ServerAddress[]): void {
  const { baseUrl, stagingUrl, httpPort, httpsPort, adminPort } = addresses
  const ofUrl = (setting: string, url: URL) =>
    url.protocol === 'http:' ? [{ setting, port: portOf(url), listener: 'plain' }] : []
  const ports = [
    ...ofUrl('PETSTORE_BASE_URL', baseUrl),
    ...ofUrl('PETSTORE_STAGING_URL', stagingUrl),
    ...(httpPort === undefined ? [] : [{ setting: 'PETSTORE_HTTP_PORT', port: httpPort, listener: 'plain' }]),
    { setting: 'PETSTORE_HTTPS_PORT', port: httpsPort, listener: 'TLS' },
    { setting: 'PETSTORE_ADMIN_PORT', port: adminPort, listener: 'admin' },
    ...dnsListen.map(({ port }) => ({ setting: 'PETSTORE_DNS_LISTEN', port, listener: 'DNS' })),
  ]
  for (const { setting, port, listener } of ports) {
    const other = ports.find((one) => one.port === port && one.listener !== listener)
    if (other === undefined) continue
    throw new ConfigError(
      `${other.setting} has port ${port}, but must have another one than ${setting}: choose one of its own for each.`,
    )
  }
}
