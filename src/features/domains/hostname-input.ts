import { isIP } from 'node:net'
import { domainToASCII, domainToUnicode } from 'node:url'
import { parse } from 'tldts'
import { canonicalHostname, isWithin, LABEL_CHARACTERS_MAX } from '../../platform/hostname.ts'
import { beginningOf } from '../../platform/schema.ts'

export interface DomainName {
  hostname: string
  /** As people write it; equal to the hostname when it has no letters beyond ASCII. */
  unicode: string
  /** What was bought at a registrar: the name under the public suffix. */
  registrable: string
  /** A wildcard stands for every name right below another one that has no records of its own. */
  kind: 'apex' | 'subdomain' | 'wildcard'
  /** The record's name as most DNS providers want it: the part before the registrable domain, `@` for the apex. */
  label: string
}

type HostnameInput = ({ ok: true } & DomainName) | { ok: false; reason: HostnameRefusal; message: string }

type HostnameRefusal = keyof typeof REFUSALS

/** Whatever people paste, reduced to a hostname that can be attached, or the reason why it cannot. */
export function readHostnameInput(
  raw: string,
  ownNames: readonly string[],
  options: { wildcards?: boolean } = {},
): HostnameInput {
  if (raw.length > RAW_CHARACTERS_MAX) return refuse('too_long', raw)
  const host = hostIn(raw)
  if (host === '') return refuse('empty', host)
  if (host.includes('@')) return refuse('userinfo', host)
  if (options.wildcards && WILDCARD.test(host)) return readWildcard(host.slice(2), ownNames)
  if (host.includes('*')) return refuse(options.wildcards ? 'misplaced_wildcard' : 'wildcard', host)
  if (isAddress(host)) return refuse('ip_address', host)
  const hostname = canonicalHostname(host)
  if (hostname === undefined) return refuse(reasonUnreadable(host), host)
  if (ownNames.some((own) => isWithin(hostname, own))) return refuse('own_name', hostname)
  if (!hostname.includes('.')) return refuse('single_label', hostname)
  if (hostname.length > HOSTNAME_CHARACTERS_MAX) return refuse('too_long', hostname)

  if (registrableOf(hostname) === null) return refuse('public_suffix', hostname)
  return { ok: true, ...domainNameOf(hostname) }
}

function readWildcard(below: string, ownNames: readonly string[]): HostnameInput {
  const name = readHostnameInput(below, ownNames)
  return name.ok ? { ok: true, ...domainNameOf(`*.${name.hostname}`) } : name
}

/**
 * Of a hostname that was accepted when it was added, or is the platform's own. It refuses none: the owner of a name may
 * have had it entered in the list of public suffixes since, and then it is what people can have records at.
 */
export function domainNameOf(hostname: string): DomainName {
  const below = hostname.replace(/^\*\./, '')
  const registrable = ownerOf(below)
  const unicode = domainToUnicode(hostname)
  if (hostname === registrable) return { hostname, unicode, registrable, kind: 'apex', label: '@' }
  const label = hostname.slice(0, -registrable.length - 1)
  return { hostname, unicode, registrable, kind: hostname === below ? 'subdomain' : 'wildcard', label }
}

/** Nobody registers `www` below a name that lets others have names: it is a record of that name's owner. */
function ownerOf(hostname: string): string {
  const { domain, isPrivate } = parse(hostname, SUFFIXES)
  if (domain === hostname && isPrivate && hostname.startsWith('www.')) return hostname.slice('www.'.length)
  return domain ?? hostname
}

/** Null for a suffix. */
const registrableOf = (hostname: string) => parse(hostname, SUFFIXES).domain

/** Why a hostname can never be public; undefined when it can, or where the platform itself lives below that name. */
export function refuseReserved(hostname: string, platformHost: string): string | undefined {
  const top = hostname.slice(hostname.lastIndexOf('.') + 1)
  const reason = Object.hasOwn(RESERVED, top) ? RESERVED[top] : undefined
  const isAtHome = isWithin(platformHost, top) || (platformHost === 'localhost' && OF_LOCAL_MODE.has(top))
  if (reason === undefined || isAtHome) return undefined
  const todo = 'Enter a domain that you have registered, for example www.my-shop.com.'
  return `${hostname} can never be reached from the internet: what ends in .${top} ${reason}. ${todo}`
}

/** Scheme, path, query, fragment, port, quotes and trailing punctuation come off. */
function hostIn(raw: string): string {
  const bare = raw.normalize('NFC').replace(INVISIBLE, '').replace(WRAPPING, '')
  const authority = bare.replace(SCHEME, '').split(/[/\\?#]/, 1)[0]!
  return withNeededJoiners(authority.replace(/^([^:]*|.*\]):\d*$/, '$1').replace(WRAPPING, ''))
}

/** Persian, Sinhala and others tell two names apart by a joiner alone; where no script has a use for it, it is junk. */
function withNeededJoiners(host: string): string {
  return host.replace(LABEL, (label) => (domainToASCII(label) === '' ? label.replace(JOINERS, '') : label))
}

function isAddress(host: string): boolean {
  const bare = host.replace(/^\[(.*)\]$/, '$1')
  // domainToASCII knows every spelling of IPv4 that browsers accept, such as 127.1 and 0x7f.0.0.1.
  return isIP(bare) !== 0 || isIP(domainToASCII(bare)) !== 0
}

function reasonUnreadable(host: string): HostnameRefusal {
  if (host.includes('_')) return 'underscore'
  const hasLongLabel = host.split('.').some((label) => label.length > LABEL_CHARACTERS_MAX)
  return hasLongLabel || host.length > HOSTNAME_CHARACTERS_MAX ? 'too_long' : 'malformed'
}

function refuse(reason: HostnameRefusal, host: string): HostnameInput {
  const shown = beginningOf(host, 80)
  return { ok: false, reason, message: REFUSALS[reason](shown === host ? host : `${shown}…`) }
}

// `_petstore.` stands before the hostname when its ownership must be proved, and 253 is the limit of DNS.
const HOSTNAME_CHARACTERS_MAX = 253 - '_petstore.'.length

const REFUSALS = {
  empty: () => 'Enter a domain, for example www.example.com or example.com.',
  too_long: (host: string) =>
    `“${host}” is too long for a domain: ${LABEL_CHARACTERS_MAX} characters may stand between two dots, ` +
    `${HOSTNAME_CHARACTERS_MAX} in all.`,
  userinfo: (host: string) =>
    `“${host}” has an @, as e-mail addresses do. Enter only what follows it: ${host.slice(host.lastIndexOf('@') + 1)}.`,
  wildcard: (host: string) =>
    `“${host}” is a wildcard, and this installation has no zone of its own to prove one in. Add each hostname by ` +
    `itself, for example ${WILDCARD.test(host) ? host.replace('*', 'www') : 'www.example.com'}.`,
  misplaced_wildcard: (host: string) =>
    `“${host}” has a * in the middle. A wildcard is a * in place of the first label, such as *.example.com.`,
  ip_address: (host: string) =>
    `“${host}” is an IP address. Enter the name that visitors type, for example www.example.com.`,
  underscore: (host: string) =>
    `“${host}” has an underscore, which names of websites may not have. Use a hyphen instead.`,
  malformed: (host: string) =>
    `“${host}” is no domain: a domain has letters, digits and hyphens between single dots, and no spaces.`,
  own_name: (host: string) => `${host} belongs to this platform and needs no adding. Enter a domain that you own.`,
  single_label: (host: string) => `“${host}” has no dot. Enter the full name, for example ${host}.example.com.`,
  public_suffix: (host: string) =>
    `${host} is a public suffix, below which people register names. Enter yours, for example my-shop.${host}.`,
}

/** With the private section: `shop.eu.org` is somebody's apex, not a subdomain of `eu.org`. */
const SUFFIXES = { allowPrivateDomains: true, validateHostname: false }

const RAW_CHARACTERS_MAX = 2048
const WILDCARD = /^\*\.[^*]+$/
const SCHEME = /^(?:https?:[/\\]*|[a-z][a-z0-9+.-]*:\/\/|\/\/)/i
// Zero-width characters, marks of direction and byte-order marks come along when names are copied from documents.
const INVISIBLE = /[\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\ufeff]/g
/** Between the dots, which are wide where they are typed in Chinese or Japanese. */
const LABEL = /[^.。．｡]+/g
const JOINERS = /[\u200c\u200d]/g
const WRAPPING = /^[\s"'`“”„‘’«»<(\u200c\u200d]+|[\s"'`“”„‘’«»>),;\u200c\u200d]+$/g

/**
 * Names that nobody can register and no certificate authority certifies: IANA's special-use domain names (RFC 6761 and
 * its registry), and `internal`, which ICANN has set aside for private networks.
 */
const RESERVED: Readonly<Record<string, string>> = {
  test: 'is set aside for tests',
  example: 'is set aside for examples',
  invalid: 'is set aside for names that must not work',
  localhost: 'leads every machine to itself',
  local: 'belongs to local networks (mDNS)',
  internal: 'belongs to private networks',
  onion: 'belongs to Tor, which does not use DNS',
  alt: 'belongs to other systems than DNS',
  arpa: 'belongs to the workings of DNS itself',
}

/** What a sandbox may be played with in. */
const OF_LOCAL_MODE: ReadonlySet<string> = new Set(['test', 'example'])
