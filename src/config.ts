import type { BlockList } from 'node:net'
import { availableParallelism, totalmem } from 'node:os'
import { resolve } from 'node:path'
import { type DnsZoneSettings, readDnsZone } from './platform/dns/authoritative/settings.ts'
import { canonicalHostname } from './platform/hostname.ts'
import type { RateLimit } from './platform/http/rate-limit.ts'
import type { SmtpSettings } from './platform/mail.ts'
import { readNetworks } from './platform/network.ts'
import { ADDRESS_FORM, addressesOf } from './platform/storage/postgres/address.ts'
import { type AcmeConfig, readAcme, readAcmeFallback } from './settings/acme.ts'
import { ConfigError } from './settings/config-error.ts'
import { type Environment, list, settingsIn } from './settings/environment.ts'
import { readWatch } from './settings/watch.ts'

export { ConfigError }

/** Everything that the operator can set, read once; nothing else looks at the environment. */
export interface Config {
  dataDirectory: string
  databaseUrl: string | undefined
  baseUrl: URL
  stagingUrl: URL
  platformHost: string
  httpsPort: number
  /** A plain port beside those of the two addresses, for challenges of a CA and for visitors on their way to HTTPS. */
  httpPort: number | undefined
  adminPort: number
  /** Addresses to bind; loopback only while the platform host is `localhost`. */
  listenOn: readonly string[]
  /** Networks whose PROXY protocol and forwarding headers are believed. */
  trustedProxies: BlockList | undefined
  /** Networks that are not public, and that webhooks may reach. */
  webhookNetworks: BlockList | undefined
  acme: AcmeConfig | undefined
  /** The authority that takes over when that one fails. */
  acmeFallback: AcmeConfig | undefined
  /** The operator's own certificate for `*.<platform host>`. */
  platformCertificate: { certFile: string; keyFile: string } | undefined
  /** Resolvers to start from, `address:port`; empty means those of the system. */
  dnsServers: readonly string[]
  /** Resolvers whose answers people are shown, `name=address`; undefined means the well-known ones. */
  resolvers: string | undefined
  /** Who this service is to DNS providers that speak Domain Connect, or `off`; and what it signs with. */
  domainConnect: string
  domainConnectKeyFile: string | undefined
  /** The zone for answers to dns-01, in which this service is its own authority. */
  dnsZone: DnsZoneSettings | undefined
  sandbox: boolean
  rateLimit: RateLimit | undefined
  masterKey: string | undefined
  signup: 'invite' | 'open'
  smtp: SmtpSettings | undefined
  /** Where weaknesses are reported, as `/.well-known/security.txt` says it. */
  securityContact: string | undefined
  /** How long the audit log is kept. */
  auditDays: number
  logLevel: string
  /** How often each instance looks at what it serves for every name; undefined for never. */
  watchEveryMs: number | undefined
  /** How many threads serve. */
  workers: number
}

export function readConfig(given: Environment = process.env): Config {
  const environment = settingsIn(given)
  const platformHost = readPlatformHost(environment.PETSTORE_PLATFORM_HOST ?? 'localhost')
  const local = platformHost === 'localhost'
  const loopback = local ? '127.0.0.0/8,::1' : ''
  const sandbox = readSandbox(environment.PETSTORE_SANDBOX, local)
  const dnsZone = readDnsZone(environment, { platformHost, sandbox })
  if (typeof dnsZone === 'string') throw new ConfigError(dnsZone)
  return {
    dataDirectory: resolve(environment.PETSTORE_DATA ?? './data'),
    databaseUrl: readDatabaseUrl(environment.DATABASE_URL),
    ...readAddresses(environment),
    platformHost,
    httpPort: readHttpPort(environment),
    httpsPort: readPort('PETSTORE_HTTPS_PORT', environment.PETSTORE_HTTPS_PORT ?? '4443'),
    adminPort: readPort('PETSTORE_ADMIN_PORT', environment.PETSTORE_ADMIN_PORT ?? '4002'),
    listenOn: environment.PETSTORE_LISTEN ? list(environment.PETSTORE_LISTEN) : local ? ['127.0.0.1', '::1'] : ['::'],
    trustedProxies: readNetworkList('PETSTORE_TRUSTED_PROXIES', environment.PETSTORE_TRUSTED_PROXIES),
    webhookNetworks: readNetworkList('PETSTORE_WEBHOOK_NETWORKS', environment.PETSTORE_WEBHOOK_NETWORKS ?? loopback),
    acme: readAcme(environment),
    acmeFallback: readAcmeFallback(environment),
    platformCertificate: readPlatformCertificate(environment),
    dnsServers: list(environment.PETSTORE_DNS ?? ''),
    resolvers: environment.PETSTORE_RESOLVERS || undefined,
    domainConnect: environment.PETSTORE_DOMAIN_CONNECT || platformHost,
    domainConnectKeyFile: environment.PETSTORE_DOMAIN_CONNECT_KEY_FILE || undefined,
    dnsZone,
    sandbox,
    rateLimit: readRateLimit(environment.PETSTORE_RATE_LIMIT ?? '1000/s'),
    masterKey: environment.PETSTORE_MASTER_KEY || undefined,
    signup: readChoice('PETSTORE_SIGNUP', environment.PETSTORE_SIGNUP ?? 'invite', ['invite', 'open']),
    smtp: readSmtp(environment),
    securityContact: readSecurityContact(environment.PETSTORE_SECURITY_CONTACT),
    auditDays: readAuditDays(environment.PETSTORE_AUDIT_DAYS ?? '400'),
    logLevel: readChoice('PETSTORE_LOG_LEVEL', environment.PETSTORE_LOG_LEVEL ?? 'info', LOG_LEVELS),
    watchEveryMs: readWatch(environment.PETSTORE_WATCH || undefined),
    workers: readWorkers(environment.PETSTORE_WORKERS, local),
  }
}

const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const

function readAddresses({
  PETSTORE_BASE_URL: base = 'http://localhost:4000/v1',
  PETSTORE_STAGING_URL: staging = 'http://localhost:4001/v1',
}: Environment): Pick<Config, 'baseUrl' | 'stagingUrl'> {
  const baseUrl = readAddress('PETSTORE_BASE_URL', base)
  const stagingUrl = readAddress('PETSTORE_STAGING_URL', staging)
  if (baseUrl.href !== stagingUrl.href) return { baseUrl, stagingUrl }
  throw new ConfigError(`PETSTORE_STAGING_URL is "${staging}", but must be another address than PETSTORE_BASE_URL.`)
}

function readAddress(name: string, text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (!url || !/^https?:$/.test(url.protocol) || url.port === '0' || url.pathname !== '/v1' || url.search || url.hash) {
    throw new ConfigError(
      `${name} is "${text}", but must be an address that ends in /v1, such as https://api.example.com/v1.`,
    )
  }
  return url
}

function readPlatformHost(text: string): string {
  const host = canonicalHostname(text) ?? (text === 'localhost' ? text : undefined)
  if (host === undefined) {
    throw new ConfigError(`PETSTORE_PLATFORM_HOST is "${text}", but must be a hostname, such as pets.example.com.`)
  }
  return host
}

function readDatabaseUrl(text: string | undefined): string | undefined {
  if (!text) return undefined
  if (addressesOf(text)) return text
  if (/^postgres(?:ql)?:\/\//.test(text)) throw new ConfigError(`DATABASE_URL must be ${ADDRESS_FORM}`)
  throw new ConfigError(
    'DATABASE_URL must begin with postgres://. Leave it out to keep the data in SQLite, in the data directory.',
  )
}

function readPort(name: string, text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0
  if (port >= 1 && port <= 65_535) return port
  throw new ConfigError(`${name} is "${text}", but must be a port from 1 to 65535.`)
}

function readAuditDays(text: string): number {
  const days = Number(text)
  if (Number.isInteger(days) && days >= 1 && days <= 36_500) return days
  throw new ConfigError(`PETSTORE_AUDIT_DAYS is "${text}", but must be a number of days, such as 400.`)
}

/** When both addresses are https, a CA still comes to the plain port 80. */
function readHttpPort(environment: Environment): number | undefined {
  const { PETSTORE_HTTP_PORT: given, PETSTORE_BASE_URL: base = '', PETSTORE_STAGING_URL: staging = '' } = environment
  if (given) return readPort('PETSTORE_HTTP_PORT', given)
  return base.startsWith('https:') && staging.startsWith('https:') ? 80 : undefined
}

function readNetworkList(name: string, text = ''): BlockList | undefined {
  const networks = readNetworks(list(text))
  if (networks !== undefined) return networks.rules.length === 0 ? undefined : networks
  throw new ConfigError(`${name} is "${text}", but must be addresses or networks, such as 10.0.0.0/8,2001:db8::/32.`)
}

function readRateLimit(text: string): RateLimit | undefined {
  if (text === 'off') return undefined
  const perSecond = Number(/^(\d+)\/s$/.exec(text)?.[1])
  if (perSecond >= 1) return { perSecond }
  throw new ConfigError(`PETSTORE_RATE_LIMIT is "${text}", but must be requests a second such as 1000/s, or off.`)
}

const WORKERS_MAX = 64
const BYTES_PER_WORKER = 128 * 1024 * 1024

function readWorkers(text: string | undefined, local: boolean): number {
  if (!text) return local || process.platform !== 'linux' ? 1 : workersThatFit()
  const workers = Number(text)
  if (!Number.isInteger(workers) || workers < 1 || workers > WORKERS_MAX) {
    throw new ConfigError(`PETSTORE_WORKERS is "${text}", but must be a number from 1 to ${WORKERS_MAX}.`)
  }
  if (workers === 1 || process.platform === 'linux') return workers
  throw new ConfigError(
    `PETSTORE_WORKERS is "${text}", but only Linux shares a port between workers. Leave it out, or set it to 1.`,
  )
}

/** One for each processor that the machine has and the container may use, as far as there is memory for them. */
function workersThatFit(): number {
  const bytes = Math.min(process.constrainedMemory() || Infinity, totalmem())
  return Math.max(1, Math.min(availableParallelism(), Math.floor(bytes / BYTES_PER_WORKER), WORKERS_MAX))
}

function readSandbox(text: string | undefined, local: boolean): boolean {
  const wanted =
    text === undefined || text === '' ? local : readChoice('PETSTORE_SANDBOX', text, ['on', 'off']) === 'on'
  if (!wanted || local) return wanted
  throw new ConfigError(
    'PETSTORE_SANDBOX can be on only while PETSTORE_PLATFORM_HOST is localhost: it plays the whole DNS.',
  )
}

function readPlatformCertificate(environment: Environment): Config['platformCertificate'] {
  const { PETSTORE_PLATFORM_CERT_FILE: certFile, PETSTORE_PLATFORM_KEY_FILE: keyFile } = environment
  if (Boolean(certFile) !== Boolean(keyFile)) {
    throw new ConfigError(
      'PETSTORE_PLATFORM_CERT_FILE and PETSTORE_PLATFORM_KEY_FILE go together: set both, or neither.',
    )
  }
  return certFile && keyFile ? { certFile: resolve(certFile), keyFile: resolve(keyFile) } : undefined
}

function readSmtp(environment: Environment): SmtpSettings | undefined {
  const { PETSTORE_SMTP_URL: url, PETSTORE_MAIL_FROM: from, PETSTORE_SMTP_TLS: tls = 'required' } = environment
  if (!url) return undefined
  if (!/^smtps?:\/\/[^/]+\/?$/.test(url) || !URL.canParse(url)) {
    throw new ConfigError(
      'PETSTORE_SMTP_URL must be the address of a mail server, such as smtp://user:password@mail.example.com:587.',
    )
  }
  if (!from || !/^[^\r\n]*[^\s@]+@[^\s@]+$|^[^\r\n]*<[^\s@]+@[^\s@]+>$/.test(from)) {
    throw new ConfigError(
      'PETSTORE_MAIL_FROM must be the sender of mails beside PETSTORE_SMTP_URL, such as petstore@example.com.',
    )
  }
  return { url, from, tls: readChoice('PETSTORE_SMTP_TLS', tls, ['required', 'optional']) }
}

/** A bare address of mail is taken for what it is. */
function readSecurityContact(text: string | undefined): string | undefined {
  if (!text) return undefined
  const contact = /^[^\s@:]+@[^\s@]+$/.test(text) ? `mailto:${text}` : text
  if (/^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/\S+|tel:\+\S+)$/.test(contact)) return contact
  throw new ConfigError(
    `PETSTORE_SECURITY_CONTACT is "${text}", but must be an address for reports of weaknesses, such as ` +
      'security@example.com or https://example.com/report.',
  )
}

function readChoice<Choice extends string>(name: string, text: string, choices: readonly Choice[]): Choice {
  const choice = choices.find((known) => known === text)
  if (choice) return choice
  throw new ConfigError(`${name} is "${text}", but must be one of: ${choices.join(', ')}.`)
}
