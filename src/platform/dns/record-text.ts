import { isIPv4, isIPv6 } from 'node:net'
import { canonicalAddress } from './address.ts'
import { dnsName, isInZone } from './name.ts'
import type { DnsRecord } from './record.ts'
import type { ZoneRecord } from './zone.ts'

export const ZONE_RECORD_TYPES = ['A', 'AAAA', 'CNAME', 'ALIAS', 'ANAME', 'NS', 'TXT', 'CAA', 'MX'] as const

type ZoneRecordType = (typeof ZONE_RECORD_TYPES)[number]

export type RecordReading = { ok: true; record: ZoneRecord } | { ok: false; message: string }

/** A record as people type it at a DNS provider: name relative to the zone (`@`, `www`) or in full, value as text. */
export function readRecord(
  apex: string,
  input: { name: string; type: string; ttl: number; value: string },
): RecordReading {
  const name = nameIn(apex, input.name)
  if (name === undefined) return refuse(`“${input.name}” is no name in ${apex}. Enter a label, such as www, or @.`)
  if (!Number.isInteger(input.ttl) || input.ttl < 0 || input.ttl > TTL_SECONDS_MAX) {
    return refuse(`The TTL is a whole number of seconds from 0 to ${TTL_SECONDS_MAX}.`)
  }
  const type = ZONE_RECORD_TYPES.find((candidate) => candidate === input.type.toUpperCase())
  if (type === undefined) return refuse(`“${input.type}” is none of the types ${ZONE_RECORD_TYPES.join(', ')}.`)
  const data = dataOf(type, input.value.trim())
  if (data === undefined)
    return refuse(`“${input.value}” is no value of ${type}. It looks like this: ${EXAMPLES[type]}`)
  return { ok: true, record: { name, type, ttl: input.ttl, data } as ZoneRecord }
}

/** The value as zone files write it. */
export function recordText({ type, data }: DnsRecord | ZoneRecord): string {
  switch (type) {
    case 'CAA':
      return `${data.flags} ${data.tag} "${data.value}"`
    case 'MX':
      return `${data.preference} ${data.exchange}`
    case 'TXT':
      return `"${data}"`
    case 'SOA':
      return `${data.mname} ${data.rname} ${data.serial} ${data.refresh} ${data.retry} ${data.expire} ${data.minimum}`
    case 'OTHER':
      return data.type
    default:
      return data
  }
}

function nameIn(apex: string, raw: string): string | undefined {
  const typed = raw.trim()
  if (typed === '@' || typed === '') return apex
  const name = dnsName(typed)
  if (name === undefined) return undefined
  return typed.endsWith('.') || isInZone(name, apex) ? fittingName(apex, name) : fittingName(apex, `${name}.${apex}`)
}

const fittingName = (apex: string, name: string) => (isInZone(name, apex) ? dnsName(name) : undefined)

function dataOf(type: ZoneRecordType, value: string): ZoneRecord['data'] | undefined {
  switch (type) {
    case 'A':
      return isIPv4(value) ? value : undefined
    case 'AAAA':
      return isIPv6(value) && !value.includes('%') ? canonicalAddress(value) : undefined
    case 'CNAME':
    case 'ALIAS':
    case 'ANAME':
    case 'NS':
      return dnsName(value)
    case 'TXT': {
      const text = value.replace(/^"(.*)"$/s, '$1')
      return text.length > 0 && Buffer.byteLength(text) <= TEXT_BYTES_MAX ? text : undefined
    }
    case 'CAA': {
      const [, flags, tag, text] = /^(\d{1,3})\s+([a-z0-9]{1,15})\s+"?([^"]{0,255})"?$/i.exec(value) ?? []
      if (text === undefined || Number(flags) > 255) return undefined
      return { flags: Number(flags), tag: tag!.toLowerCase(), value: text }
    }
    case 'MX': {
      const [, preference, host] = /^(\d{1,5})\s+(\S+)$/.exec(value) ?? []
      const exchange = dnsName(host ?? '')
      return exchange === undefined || Number(preference) > 65_535
        ? undefined
        : { preference: Number(preference), exchange }
    }
  }
}

const refuse = (message: string): RecordReading => ({ ok: false, message })

const EXAMPLES: Record<ZoneRecordType, string> = {
  A: '192.0.2.1',
  AAAA: '2001:db8::1',
  CNAME: 'name.example.com',
  ALIAS: 'name.example.com',
  ANAME: 'name.example.com',
  NS: 'ns1.example.com',
  TXT: 'any text',
  CAA: '0 issue "ca.example.com"',
  MX: '10 mail.example.com',
}

const TTL_SECONDS_MAX = 604_800
const TEXT_BYTES_MAX = 2048
