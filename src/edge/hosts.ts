import { canonicalHostname } from '../platform/hostname.ts'
import { portOf } from '../platform/port-of.ts'
import { Lru } from './lru.ts'

/** Where a request goes, as its Host header says. */
export type Destination =
  | { readonly kind: 'production' }
  | { readonly kind: 'staging' }
  /** One of these two without TLS, where it is meant to be reached with it. */
  | { readonly kind: 'insecure'; readonly address: URL }
  /** A project at `<slug>.<platform host>`. */
  | { readonly kind: 'project'; readonly slug: string }
  /** A name that a project may have attached. */
  | { readonly kind: 'domain'; readonly hostname: string }
  /** The same at `<domain>.<platform host>`, for browsers that do not know the sandbox's names. */
  | { readonly kind: 'gateway'; readonly hostname: string }
  | { readonly kind: 'unknown' }

export interface HostRules {
  baseUrl: URL
  stagingUrl: URL
  platformHost: string
  /** Local mode: no browser resolves an attached domain. */
  sandbox?: boolean
}

/** The longest hostname, a dot behind it and a port; nothing longer leads anywhere. */
const HOST_CHARACTERS_MAX = 253 + '.:65535'.length
/** Of one listener: some 2,000 names of usual length. What is not kept is read anew, in a few microseconds. */
export const KEPT_BYTES_MAX = 256 * 1024
/** Of the map's entry and the destination, beside two bytes for each character. */
const ENTRY_BYTES = 100
const UNKNOWN: Destination = { kind: 'unknown' }

/** The destinations of one listener. `scheme` and `port` are the listener's own. */
export function hostResolver(
  rules: HostRules,
  scheme: 'http' | 'https',
  port: number,
  known = new Lru<Destination>(KEPT_BYTES_MAX),
) {
  const own = ownAddress(rules, scheme, port)
  const production = authority(rules.baseUrl)
  const staging = authority(rules.stagingUrl)
  const isServedHere = (url: URL) => scheme === 'https' || url.protocol === 'http:'

  return (host: string | undefined): Destination => {
    if (host === undefined || host.length > HOST_CHARACTERS_MAX) return UNKNOWN
    // The same few Host headers come again and again; strangers cannot grow this beyond its bound.
    let destination = known.get(host)
    if (!destination) {
      destination = resolve(host)
      known.set(host, destination, ENTRY_BYTES + 2 * host.length)
    }
    return destination
  }

  function resolve(host: string): Destination {
    const [, name = '', givenPort] = /^(.*?)(?::(\d{0,5}))?$/.exec(host.toLowerCase()) ?? []
    const hostname = canonicalHostname(host)
    // The port may be left out or empty where it is the scheme's own, and may stand there all the same.
    const given = `${hostname ?? name}:${Number(givenPort || (scheme === 'http' ? 80 : 443))}`
    if (given === production && isServedHere(rules.baseUrl)) return { kind: 'production' }
    if (given === staging && isServedHere(rules.stagingUrl)) return { kind: 'staging' }
    const address = [rules.baseUrl, rules.stagingUrl].find((url) => !isServedHere(url) && url.hostname === hostname)
    if (address) return { kind: 'insecure', address }
    if (isOwnName(name)) return own
    if (hostname === undefined) return UNKNOWN
    // TLS has one port for every name, so there an address is recognised by its name alone.
    if (scheme === 'https' && hostname === rules.baseUrl.hostname) return { kind: 'production' }
    if (scheme === 'https' && hostname === rules.stagingUrl.hostname) return { kind: 'staging' }
    const suffix = `.${rules.platformHost}`
    if (!hostname.endsWith(suffix)) return { kind: 'domain', hostname }
    const slug = hostname.slice(0, -suffix.length)
    if (!slug.includes('.')) return { kind: 'project', slug }
    return rules.sandbox && scheme === 'http' ? { kind: 'gateway', hostname: slug } : UNKNOWN
  }
}

/** The address whose port this listener was opened for; production where both share it or neither does. */
function ownAddress({ baseUrl, stagingUrl }: HostRules, scheme: string, port: number): Destination {
  const serves = (url: URL) => url.protocol === `${scheme}:` && portOf(url) === port
  return !serves(baseUrl) && serves(stagingUrl) ? { kind: 'staging' } : { kind: 'production' }
}

/** An IP literal or bare `localhost`, with or without a port, means the listener that was reached. */
function isOwnName(name: string): boolean {
  return name === 'localhost' || /^\d{1,3}(?:\.\d{1,3}){3}$/.test(name) || /^\[[0-9a-f:.]+\]$/.test(name)
}

const authority = (url: URL) => `${url.hostname}:${portOf(url)}`
