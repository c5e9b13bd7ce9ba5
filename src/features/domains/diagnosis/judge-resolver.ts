import { recordsOf } from '../../../platform/dns/record.ts'
import type { RecordExpectation } from './judge-record.ts'
import type { Observation, Query } from '../observation/observation.ts'
import { listed, type Problem, problemFrom, type Words, writtenTime } from './problem.ts'
import { failureOf, type ServerView } from './server-view.ts'

/** A resolver fails unless it is told not to check signatures, or says itself that they are bogus. */
export function bogusDnssec({ queries }: Observation, words: Words): Problem | undefined {
  const seen = queries.filter(({ purpose }) => purpose === 'resolver')
  const failed = seen.find(({ rcode, checkingDisabled }) => rcode === 'SERVFAIL' && !checkingDisabled)
  if (failed === undefined) return undefined
  const unchecked = seen.find((query) => query.checkingDisabled && isAnswer(query))
  const saysSo = failed.extendedError !== null && DNSSEC_ERRORS.has(failed.extendedError.code)
  if (unchecked === undefined && !saysSo) return undefined
  return problemFrom('dnssec_bogus', words, {
    words: { answer: failureOf(failed) },
    evidence: [failed, unchecked].flatMap((query) => query?.id ?? []),
  })
}

/** The nameservers are right, and a resolver still remembers something else. */
export function staleCache(
  expected: RecordExpectation,
  views: readonly ServerView[],
  words: Words,
): Problem | undefined {
  const seen = expected.observation.queries.find(
    ({ purpose, flags, checkingDisabled }) =>
      purpose === 'resolver' && !checkingDisabled && flags?.recursionAvailable && !flags.authoritative,
  )
  if (seen === undefined || !isAnswer(seen) || views.every(({ status }) => status !== 'answered')) return undefined
  const { hostname } = expected.observation
  const records = seen.answers.filter(({ name, type }) => name === hostname && (type === 'CNAME' || type === 'A'))
  const current = new Set<unknown>([...views.flatMap((view) => view.cnames), ...expected.addresses].map(valueOf))
  if (records.length > 0 && records.every(({ data }) => current.has(data))) return undefined
  const until = seen.at + cacheSeconds(seen, records) * 1000
  return problemFrom('cache_stale', words, {
    words: {
      servers: seen.server.address,
      found: listed(records.map(({ type, data }) => `${type} ${String(data)}`)) || 'that there is no record',
      until: writtenTime(until),
    },
    evidence: [seen.id],
    cachesExpireBy: until,
  })
}

function cacheSeconds({ authority }: Query, records: { ttl: number }[]): number {
  const remembered = records.length > 0 ? records : recordsOf(authority, 'SOA')
  return Math.max(0, ...remembered.map(({ ttl }) => ttl))
}

const isAnswer = ({ rcode }: Query) => rcode === 'NOERROR' || rcode === 'NXDOMAIN'

const valueOf = (item: string | { data: string }) => (typeof item === 'string' ? item : item.data)

// RFC 8914: algorithms unknown, indeterminate, bogus, signatures expired or not yet valid, keys or signatures missing.
const DNSSEC_ERRORS = new Set([1, 2, 5, 6, 7, 8, 9, 10, 11, 12])
