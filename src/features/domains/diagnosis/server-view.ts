import { type RecordOf, recordsOf } from '../../../platform/dns/record.ts'
import { recordsBeside } from './beside.ts'
import type { Observation, Query } from '../observation/observation.ts'

export type ViewStatus = 'answered' | Unanswered
export type Unanswered =
  | 'timeout'
  | 'unreachable'
  | 'servfail'
  | 'refused'
  | 'lame'
  | 'truncated'
  | 'oversize'
  | 'unusable'

/** What one address of one nameserver says about the hostname. */
export interface ServerView {
  nameserver: string
  address: string
  port: number
  status: ViewStatus
  /** The failure in its own words; empty when it answered. */
  failure: string
  at: number
  soa: RecordOf<'SOA'> | undefined
  nxdomain: boolean
  cnames: RecordOf<'CNAME'>[]
  addresses: (RecordOf<'A'> | RecordOf<'AAAA'>)[]
  /** What forbids a CNAME at the hostname beside addresses, as people write it; only looked at where there is none. */
  beside: string[]
  proofs: RecordOf<'TXT'>[]
  /** Where the name of dns-01 leads. */
  challenges: RecordOf<'CNAME'>[]
  /** Why that is not known, in its own words; undefined where it is, or nobody asked. */
  challengeFailure: string | undefined
  /** For how long a resolver may remember this answer. */
  cacheSeconds: number
  evidence: string[]
}

export function serverViews(observation: Observation): ServerView[] {
  return observation.delegation.nameservers.flatMap(({ name, addresses }) =>
    addresses.map(({ address, port }) => viewFrom(observation, name, address, port)),
  )
}

function viewFrom(observation: Observation, name: string, address: string, port: number): ServerView {
  const { hostname, proofName, challengeName, queries } = observation
  const own = queries.filter(({ server }) => server.name === name && server.address === address && server.port === port)
  const told = own.filter(({ purpose }) => purpose === 'hostname' || purpose === 'proof')
  const presence = own.filter(({ purpose }) => purpose === 'zone')
  const decisive = told.length > 0 ? told : presence
  const answers = told.flatMap((query) => query.answers)
  const cnames = distinct(recordsOf(answers, 'CNAME', hostname))
  const addresses = [...recordsOf(answers, 'A', hostname), ...recordsOf(answers, 'AAAA', hostname)]
  const challenge = own.filter(({ purpose }) => purpose === 'challenge')
  // A server without authority has delegated the name elsewhere: that is an answer, and not a CNAME.
  const unanswered = challenge.find((query) => !['answered', 'lame'].includes(statusOf(query)))
  const nxdomain = told.some((query) => query.rcode === 'NXDOMAIN' && query.purpose === 'hostname')
  return {
    nameserver: name,
    address,
    port,
    ...outcomeOf(decisive),
    at: Math.max(0, ...decisive.map((query) => query.at)),
    soa: presence.flatMap((query) => recordsOf(query.answers, 'SOA'))[0],
    nxdomain,
    cnames,
    addresses,
    beside: nxdomain || cnames.length > 0 ? [] : recordsBeside(observation).found,
    proofs: proofName === null ? [] : recordsOf(answers, 'TXT', proofName),
    challenges: challenge.flatMap((query) => recordsOf(query.answers, 'CNAME', challengeName)),
    challengeFailure: unanswered && failureOf(unanswered),
    cacheSeconds: cacheSeconds(told, [...cnames, ...addresses]),
    evidence: decisive.map((query) => query.id),
  }
}

function outcomeOf(decisive: Query[]): Pick<ServerView, 'status' | 'failure'> {
  if (decisive.length === 0) return { status: 'timeout', failure: 'not asked in time' }
  const failed = decisive.find((query) => statusOf(query) !== 'answered')
  if (failed === undefined) return { status: 'answered', failure: '' }
  return { status: statusOf(failed), failure: failureOf(failed) }
}

export function statusOf({ error, rcode, flags }: Query): ViewStatus {
  switch (error?.kind) {
    case undefined:
      break
    case 'unreachable':
    case 'truncated':
      return error!.kind
    case 'too large':
    case 'over budget':
      return 'oversize'
    case 'mismatched':
    case 'malformed':
      return 'unusable'
    default:
      return 'timeout'
  }
  if (rcode === 'REFUSED') return 'refused'
  if (rcode !== 'NOERROR' && rcode !== 'NXDOMAIN') return 'servfail'
  return flags?.authoritative ? 'answered' : 'lame'
}

export function failureOf({ error, rcode, extendedError }: Query): string {
  if (error !== null) return error.message
  return extendedError === null ? rcode! : `${rcode}, extended error ${extendedError.code} ${extendedError.text}`.trim()
}

export function nameOf({ nameserver, address }: Pick<ServerView, 'nameserver' | 'address'>): string {
  return `${nameserver} (${address})`
}

/** The present records' longest TTL, or RFC 2308 for "there is none"; capped as resolvers do. */
function cacheSeconds(queries: Query[], records: { ttl: number }[]): number {
  const soas = queries.flatMap((query) => recordsOf(query.authority, 'SOA'))
  const negative = soas.map(({ ttl, data }) => Math.min(ttl, data.minimum))
  const ttls = records.length > 0 ? records.map(({ ttl }) => ttl) : negative
  return Math.min(Math.max(0, ...ttls), CACHE_SECONDS_MAX)
}

function distinct<T extends { data: string }>(records: T[]): T[] {
  return records.filter((record, index) => records.findIndex(({ data }) => data === record.data) === index)
}

const CACHE_SECONDS_MAX = 7 * 24 * 3600
