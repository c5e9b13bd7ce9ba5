import type { BlockList } from 'node:net'
import { availableParallelism, totalmem } from 'node:os'
import { resolve } from 'node:path'
import { type DnsZoneSettings, readDnsZone } from './platform/dns/authoritative/settings.ts'
import type { RateLimit } from './platform/http/rate-limit.ts'
import type { SmtpSettings } from './platform/mail.ts'
import { readNetworks } from './platform/network.ts'
import { ADDRESS_FORM, addressesOf } from './platform/storage/postgres/address.ts'
import { type AcmeConfig, readAcme, readAcmeFallback } from './settings/acme.ts'
import { type AddressSettings, readAddresses, readPlatformHost } from './settings/addresses.ts'
import { ConfigError } from './settings/config-error.ts'
import { type Environment, list, readChoice, settingsIn, wholeNumber } from './settings/environment.ts'
import { SETTING_NAMES, unknownNames } from './settings/names.ts'
import { readSmtp } from './settings/mail.ts'
import { readResolvers, type ShownResolver } from './settings/resolvers.ts'
import { readWatch } from './settings/watch.ts'

export { ConfigError, SETTING_NAMES }

/** Everything that the operator can set, read once; nothing else looks at the environment. */
export interface Config extends AddressSettings {
  dataDirectory: string
  databaseUrl: string | undefined
  platformHost: string
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
  /** Those whose answers people are shown. */
  resolvers: readonly ShownResolver[]
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
  /** The names of everything that is set, and those of them that mean nothing. */
  namesSet: readonly string[]
  unknownNames: readonly string[]
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
    ...readAddresses(environment, { local, dnsListen: dnsZone?.listen ?? [] }),
    platformHost,
    trustedProxies: readNetworkList('PETSTORE_TRUSTED_PROXIES', environment.PETSTORE_TRUSTED_PROXIES),
    webhookNetworks: readNetworkList('PETSTORE_WEBHOOK_NETWORKS', environment.PETSTORE_WEBHOOK_NETWORKS ?? loopback),
    acme: readAcme(environment),
    acmeFallback: readAcmeFallback(environment),
    platformCertificate: readPlatformCertificate(environment),
    dnsServers: list(environment.PETSTORE_DNS ?? ''),
    resolvers: readResolvers(environment.PETSTORE_RESOLVERS),
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
    namesSet: Object.keys(environment),
    unknownNames: unknownNames(given),
  }
}

const LOG_LEVELS = ['silent', 'error', 'warn', 'info', 'debug'] as const

function readDatabaseUrl(text: string | undefined): string | undefined {
  if (!text) return undefined
  const [address] = addressesOf(text) ?? []
  if (address) {
    const { pgbouncer = 'false', query_timeout = '1' } = Object.fromEntries(address.searchParams)
    readChoice('pgbouncer of DATABASE_URL', pgbouncer, ['true', 'false'])
    if (wholeNumber(query_timeout) >= 1) return text
    throw new ConfigError(
      `query_timeout of DATABASE_URL is "${query_timeout}", but must be milliseconds, such as 15000.`,
    )
  }
  if (/^postgres(?:ql)?:\/\//.test(text)) throw new ConfigError(`DATABASE_URL must be ${ADDRESS_FORM}`)
  throw new ConfigError(
    'DATABASE_URL must begin with postgres://. Leave it out to keep the data in SQLite, in the data directory.',
  )
}

function readAuditDays(text: string): number {
  const days = wholeNumber(text)
  if (days >= 1 && days <= 36_500) return days
  throw new ConfigError(`PETSTORE_AUDIT_DAYS is "${text}", but must be a number of days, such as 400.`)
}

function readNetworkList(name: string, text = ''): BlockList | undefined {
  const networks = readNetworks(list(text))
  if (networks !== undefined) return networks.rules.length === 0 ? undefined : networks
  throw new ConfigError(`${name} is "${text}", but must be addresses or networks, such as 10.0.0.0/8,2001:db8::/32.`)
}

function readRateLimit(text: string): RateLimit | undefined {
  if (text === 'off') return undefined
  const perSecond = Number(/^(\d{1,9})\/s$/.exec(text)?.[1])
  if (perSecond >= 1) return { perSecond }
  throw new ConfigError(`PETSTORE_RATE_LIMIT is "${text}", but must be requests a second such as 1000/s, or off.`)
}

const WORKERS_MAX = 64
const BYTES_PER_WORKER = 128 * 1024 * 1024

function readWorkers(text: string | undefined, local: boolean): number {
  if (!text) return local || process.platform !== 'linux' ? 1 : workersThatFit()
  const workers = wholeNumber(text)
  if (!(workers >= 1 && workers <= WORKERS_MAX)) {
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
