import { domainToASCII, domainToUnicode } from 'node:url'

const HOSTNAME_CHARACTERS_MAX = 253
export const LABEL_CHARACTERS_MAX = 63

/**
 * The one canonical spelling of a hostname: edge, API and DNS compare nothing else.
 * Takes what a `Host` header or an SNI carries (any case, port, trailing dot, Unicode) and answers with lower-case
 * A-labels, or undefined when it is no hostname: an IP address in any spelling, an empty label, an underscore, junk.
 * Never throws: a throw inside an SNI callback would take the process down.
 */
export function canonicalHostname(raw: string): string | undefined {
  if (typeof raw !== 'string' || raw.length > RAW_CHARACTERS_MAX) return undefined
  const parts = HOST_AND_PORT.exec(raw)
  if (parts === null || Number(parts[2] ?? 0) > 65_535) return undefined
  const host = parts[1]!
  // Plain names, the bulk of the traffic, skip the IDNA tables.
  const ascii = PLAIN.test(host) ? host.toLowerCase() : domainToASCII(host)
  const name = ascii.endsWith('.') ? ascii.slice(0, -1) : ascii
  return isCanonicalHostname(name) ? name : undefined
}

/** True for a parent and for everything below it; both names canonical. */
export function isWithin(hostname: string, parent: string): boolean {
  return hostname === parent || hostname.endsWith(`.${parent}`)
}

function isCanonicalHostname(name: string): boolean {
  if (name.length === 0 || name.length > HOSTNAME_CHARACTERS_MAX) return false
  const labels = name.split('.')
  if (!labels.every((label) => LABEL.test(label)) || NUMBER.test(labels.at(-1)!)) return false
  return !labels.some((label) => label.startsWith('xn--')) || hasDecodableALabels(name)
}

// Both URL functions let labels such as "xn--a", which decode to nothing, pass unchanged.
function hasDecodableALabels(name: string): boolean {
  const unicode = domainToUnicode(name)
  return !unicode.split('.').some((label) => label.startsWith('xn--')) && domainToASCII(unicode) === name
}

// Longer than any hostname with its port, shorter than what would make the IDNA mapping cost anything.
const RAW_CHARACTERS_MAX = 1024
// Only what a hostname can be made of gets as far as domainToASCII, which would decode %2e and drop tabs.
const HOST_AND_PORT = /^([a-z0-9.\-\u0080-\uffff]+)(?::(\d{0,5}))?$/i
const PLAIN = /^[a-z0-9.-]+$/i
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
// URL parsers read any name whose last label is a number as an IPv4 address: 127.1, 2130706433, 0x7f.1.
const NUMBER = /^(?:\d+|0x[0-9a-f]*)$/
