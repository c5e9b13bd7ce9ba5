import { isInZone, labelCount } from './name.ts'
import type { DnsRecord, SoaData } from './record.ts'

/** What an authoritative server knows. `onlyOn` keeps a record or fault to one nameserver, so that two can disagree. */
export interface Zone {
  apex: string
  records: ZoneRecord[]
  faults?: ZoneFault[]
  /** Changes with every edit; per nameserver through `serialOn` when one lags behind. */
  serial: number
  serialOn?: Record<string, number>
  soa?: Partial<SoaData>
}

export type ZoneRecord = (PlainRecord | AliasRecord) & { onlyOn?: string }

export type PlainRecord = Exclude<DnsRecord, { type: 'SOA' | 'OTHER' }>

/** Answered as A and AAAA by looking the target up in this server's own zones. */
export interface AliasRecord {
  name: string
  type: 'ALIAS' | 'ANAME'
  ttl: number
  data: string
}

export const FAULT_KINDS = [
  'servfail',
  'nxdomain',
  'refused',
  'drop',
  'delay',
  /** UDP answers are cut, and TCP hangs up. */
  'truncate',
  /** Answers as a server that does not hold the zone. */
  'lame',
  'wrong-id',
  'garbage',
  /** Answers a resolver's question as if the signatures were bogus, and a plain one as usual. */
  'dnssec',
] as const

export type FaultKind = (typeof FAULT_KINDS)[number]

export interface ZoneFault {
  kind: FaultKind
  /** One name instead of the whole zone. */
  name?: string
  /** One record type instead of all. */
  type?: string
  onlyOn?: string
  delayMs?: number
}

export interface ZoneSource {
  /** The zone with the longest apex at or above the name, or undefined when this server holds none. */
  zoneFor(name: string): Zone | undefined | Promise<Zone | undefined>
}

type Zones = () => readonly Zone[] | Promise<readonly Zone[]>

/** Zones that are read anew on every question. */
export function zonesFrom(zones: Zones): ZoneSource {
  return {
    async zoneFor(name) {
      const holding = (await zones()).filter((zone) => isInZone(name, zone.apex))
      return holding.toSorted((a, b) => labelCount(b.apex) - labelCount(a.apex))[0]
    },
  }
}

/** The first source that holds the name answers. */
export function firstHolding(...sources: ZoneSource[]): ZoneSource {
  return {
    async zoneFor(name) {
      for (const source of sources) {
        const zone = await source.zoneFor(name)
        if (zone !== undefined) return zone
      }
      return undefined
    },
  }
}
