import type { QuestionType } from './message.ts'
import { isInZone, namesUpToTop, parentOf } from './name.ts'
import { type DnsRecord, type RecordOf, recordsOf } from './record.ts'
import type { AliasRecord, PlainRecord, Zone, ZoneRecord, ZoneSource } from './zone.ts'

export interface Answered {
  rcode: 'NOERROR' | 'NXDOMAIN' | 'SERVFAIL' | 'REFUSED'
  authoritative: boolean
  answers: DnsRecord[]
  authority: DnsRecord[]
  additional: DnsRecord[]
}

/** What the nameserver called `nameserver` says about a name: RFC 1034, section 4.3.2, plus flattened ALIAS records. */
export async function answerFrom(
  zones: ZoneSource,
  nameserver: string,
  name: string,
  type: QuestionType,
  depth = 0,
): Promise<Answered> {
  const zone = await zones.zoneFor(name)
  if (zone === undefined) return refused()
  const records = recordsOn(zone, nameserver)
  const cut = delegationOf(records, zone.apex, name)
  if (cut.length > 0) {
    const additional = await glueFor(zones, nameserver, cut)
    return { rcode: 'NOERROR', authoritative: false, answers: [], authority: cut, additional }
  }

  const owned = recordsAt(records, zone.apex, name)
  if (owned === undefined) return negative('NXDOMAIN', zone, nameserver, records)
  if (type === 'SOA' && name === zone.apex) return positive([soaOf(zone, nameserver, records)])
  const matching = owned.filter((record): record is PlainRecord => record.type === type)
  if (matching.length > 0) {
    const nameservers = matching.filter((record) => record.type === 'NS')
    return { ...positive(matching), additional: await glueFor(zones, nameserver, nameservers) }
  }
  const alias = owned.find(isAlias)
  if (alias !== undefined && (type === 'A' || type === 'AAAA')) {
    return flatten(zones, nameserver, zone, records, { ...alias, name }, type, depth)
  }
  const cnames = owned.filter((record) => record.type === 'CNAME')
  if (cnames.length > 0) return follow(zones, nameserver, cnames, type, depth)
  return negative('NOERROR', zone, nameserver, records)
}

/** A CNAME is answered with its target's records as far as this server holds them; a loop ends at the depth limit. */
async function follow(
  zones: ZoneSource,
  nameserver: string,
  cnames: RecordOf<'CNAME'>[],
  type: QuestionType,
  depth: number,
): Promise<Answered> {
  if (depth >= CHAIN_MAX) return positive(cnames)
  const target = await answerFrom(zones, nameserver, cnames[0]!.data, type, depth + 1)
  if (target.rcode === 'REFUSED' || !target.authoritative) return positive(cnames)
  return { ...target, answers: [...cnames, ...target.answers] }
}

async function flatten(
  zones: ZoneSource,
  nameserver: string,
  zone: Zone,
  records: ZoneRecord[],
  alias: AliasRecord,
  type: 'A' | 'AAAA',
  depth: number,
): Promise<Answered> {
  const target = depth >= CHAIN_MAX ? refused() : await answerFrom(zones, nameserver, alias.data, type, depth + 1)
  // Providers answer SERVFAIL when an ALIAS leads nowhere that they can see.
  if (target.rcode !== 'NOERROR' || !target.authoritative) return { ...refused(), rcode: 'SERVFAIL' }
  const addresses = recordsOf(target.answers, type)
  if (addresses.length === 0) return negative('NOERROR', zone, nameserver, records)
  return positive(addresses.map(({ data, ttl }) => ({ name: alias.name, type, ttl: Math.min(ttl, alias.ttl), data })))
}

/** The records of one name, those of a wildcard under its name, or undefined when the name does not exist. */
function recordsAt(records: ZoneRecord[], apex: string, name: string): ZoneRecord[] | undefined {
  const exists = (candidate: string) => records.some((record) => isInZone(record.name, candidate))
  if (name === apex || exists(name)) return records.filter((record) => record.name === name)
  const encloser = namesUpToTop(parentOf(name)).find((parent) => parent === apex || exists(parent)) ?? apex
  const wildcard = records.filter((record) => record.name === `*.${encloser}`)
  return wildcard.length === 0 ? undefined : wildcard.map((record) => Object.assign({}, record, { name }))
}

/** NS records at or above the name but below the apex: the zone gave this part away. */
function delegationOf(records: ZoneRecord[], apex: string, name: string): RecordOf<'NS'>[] {
  const nameservers = records.filter((record) => record.type === 'NS')
  const below = namesUpToTop(name).filter((candidate) => candidate !== apex && isInZone(candidate, apex))
  const cut = below.findLast((candidate) => nameservers.some((record) => record.name === candidate))
  return nameservers.filter((record) => record.name === cut)
}

/** Addresses of nameservers in the own zones, also below a cut: nobody could find them otherwise. */
async function glueFor(zones: ZoneSource, nameserver: string, nameservers: RecordOf<'NS'>[]): Promise<DnsRecord[]> {
  const glue: DnsRecord[] = []
  for (const { data: name } of nameservers) {
    const zone = await zones.zoneFor(name)
    const records = zone === undefined ? [] : recordsOn(zone, nameserver)
    const owned = records.filter((record) => record.name === name)
    glue.push(...owned.filter((record) => record.type === 'A' || record.type === 'AAAA'))
  }
  return glue
}

function recordsOn(zone: Zone, nameserver: string): ZoneRecord[] {
  return zone.records
    .filter((record) => record.onlyOn === undefined || record.onlyOn === nameserver)
    .map(({ onlyOn: _onlyOn, ...record }) => record as ZoneRecord)
}

export function soaOf(zone: Zone, nameserver: string, records = recordsOn(zone, nameserver)): RecordOf<'SOA'> {
  const primary = records.find((record) => record.type === 'NS' && record.name === zone.apex)
  const data = {
    mname: primary?.type === 'NS' ? primary.data : nameserver,
    rname: `hostmaster.${zone.apex}`,
    refresh: 3600,
    retry: 600,
    expire: 1_209_600,
    minimum: 300,
    ...zone.soa,
    serial: zone.serialOn?.[nameserver] ?? zone.serial,
  }
  return { name: zone.apex, type: 'SOA', ttl: 3600, data }
}

function negative(rcode: 'NOERROR' | 'NXDOMAIN', zone: Zone, nameserver: string, records: ZoneRecord[]): Answered {
  const soa = soaOf(zone, nameserver, records)
  // RFC 2308: this TTL is how long the "no" may be cached.
  const authority = [{ ...soa, ttl: Math.min(soa.ttl, soa.data.minimum) }]
  return { rcode, authoritative: true, answers: [], authority, additional: [] }
}

const positive = (answers: DnsRecord[]): Answered => ({
  rcode: 'NOERROR',
  authoritative: true,
  answers,
  authority: [],
  additional: [],
})

const refused = (): Answered => ({ rcode: 'REFUSED', authoritative: false, answers: [], authority: [], additional: [] })

const isAlias = (record: ZoneRecord): record is AliasRecord => record.type === 'ALIAS' || record.type === 'ANAME'

// Longer chains than any resolver follows, so that loops and deep chains can be shown.
const CHAIN_MAX = 24
