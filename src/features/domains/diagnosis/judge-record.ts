import { recordsOf } from '../../../platform/dns/record.ts'
import { recordsBeside } from './beside.ts'
import { CNAMES_MAX, type Observation, type Query } from '../observation/observation.ts'
import { type ProblemCode, PROBLEMS } from './problems.ts'
import { proxyOf, proxyOfName } from './proxies.ts'
import type { ServerView } from './server-view.ts'

/** One thing that one nameserver's answer gets wrong, with the values that it concerns. */
export interface Finding {
  code: ProblemCode
  found: string[]
  words?: Record<string, string>
  evidence?: string[]
}

export interface JudgedView {
  view: ServerView
  findings: Finding[]
}

export interface RecordExpectation {
  observation: Observation
  zone: string
  /** Addresses that are ours. */
  addresses: ReadonlySet<string>
  /** Types of which we know all that are ours: of another, an address may be ours and we could not ask. */
  known: ReadonlySet<string>
}

/** Everything that is wrong with the records of one answer; empty when they lead to the target. */
export function judgeRecords(view: ServerView, expected: RecordExpectation): Finding[] {
  const isApex = expected.observation.hostname === expected.zone
  const findings = isApex ? judgeApex(view, expected) : judgeSubdomain(view, expected)
  const doubled = findings.some(isWrong) ? findDoubled(expected) : undefined
  if (doubled === undefined) return findings
  return [doubled, ...findings.filter(({ code }) => code !== 'record_missing')]
}

/** Warnings are about records that work. */
export const isWrong = ({ code }: Finding) => PROBLEMS[code].severity !== 'warning'

/** It may be right or wrong: nobody could say. */
export const isOpen = ({ code }: Finding) => PROBLEMS[code].severity === 'transient'

function judgeSubdomain(view: ServerView, expected: RecordExpectation): Finding[] {
  const { cnames, addresses } = view
  const found = addresses.map(written)
  if (cnames.length === 0) {
    const blocking = judgeBeside(view, expected)
    if (addresses.length > 0) return [judgeAddresses(addresses, expected), ...blocking]
    return blocking.length > 0 ? blocking : [{ code: 'record_missing', found: [] }]
  }
  const findings = cnames.length > 1 ? [severalCnames(cnames)] : judgeCname(cnames[0]!.data, expected)
  return addresses.length === 0 ? findings : [...findings, { code: 'conflicting_address', found }]
}

function judgeAddresses(addresses: ServerView['addresses'], expected: RecordExpectation): Finding {
  const found = addresses.map(written)
  const proxy = proxyOfAll(addresses)
  if (proxy !== undefined) return { code: 'proxied', found, words: { proxy } }
  const isOurs = addresses.every(({ data }) => expected.addresses.has(data))
  const code = isOurs ? 'address_instead_of_cname' : 'conflicting_address'
  return findWildcard(expected, found) ?? { code, found }
}

function judgeBeside({ beside }: ServerView, { observation }: RecordExpectation): Finding[] {
  if (beside.length === 0) return []
  return [{ code: 'conflicting_record', found: beside, evidence: recordsBeside(observation).evidence }]
}

function judgeApex({ cnames, addresses }: ServerView, expected: RecordExpectation): Finding[] {
  if (cnames.length > 1) return [severalCnames(cnames)]
  if (cnames.length === 1) {
    const findings = judgeCname(cnames[0]!.data, expected)
    return findings.some(isWrong) ? findings : [{ code: 'apex_cname', found: [cnames[0]!.data] }]
  }
  if (addresses.length === 0) return [{ code: 'record_missing', found: [] }]
  const foreign = addresses.filter(({ data }) => !expected.addresses.has(data))
  if (foreign.length === 0) return []
  const uncertain = foreign.filter(({ type }) => !expected.known.has(type))
  if (uncertain.length > 0) return [targetUnresolved(uncertain, expected)]
  const found = foreign.map(written)
  const proxy = proxyOfAll(foreign)
  if (proxy !== undefined) return [{ code: 'proxied', found, words: { proxy } }]
  const onlyIpv6 = foreign.length < addresses.length && foreign.every(({ type }) => type === 'AAAA')
  return [{ code: onlyIpv6 ? 'stray_ipv6_address' : 'apex_address_differs', found }]
}

function judgeCname(value: string, expected: RecordExpectation): Finding[] {
  const { observation, zone } = expected
  if (value === observation.target) return []
  if (value === `${observation.target}.${zone}`) return [{ code: 'cname_value_doubled', found: [value] }]
  const { ending, steps } = followCnames(observation, value)
  const path = [[observation.hostname, ...steps].join(' → ')]
  const evidence = observation.queries.filter(({ purpose }) => purpose === 'chain').map(({ id }) => id)
  if (ending === 'target') return [{ code: 'cname_indirect', found: [value], evidence }]
  if (ending === 'loop') return [{ code: 'cname_loop', found: path, evidence }]
  if (ending === 'too long') {
    return [{ code: 'cname_chain_too_long', found: path, words: { hops: String(steps.length) }, evidence }]
  }
  const proxy = proxyOfName(value)
  if (proxy !== undefined) return [{ code: 'proxied', found: [value], words: { proxy } }]
  return [findWildcard(expected, [value]) ?? { code: 'cname_value_differs', found: [value] }]
}

function followCnames({ hostname, target, queries }: Observation, first: string) {
  const answers = queries.filter(({ purpose }) => purpose === 'chain').flatMap((query) => query.answers)
  const next = new Map(recordsOf(answers, 'CNAME').map(({ name, data }) => [name, data]))
  const seen = new Set([hostname])
  const steps = [first]
  for (let at = first; ; steps.push(at)) {
    if (steps.length > CNAMES_MAX) return { ending: 'too long', steps } as const
    if (at === target) return { ending: 'target', steps } as const
    if (seen.has(at)) return { ending: 'loop', steps } as const
    seen.add(at)
    const value = next.get(at)
    if (value === undefined) return { ending: 'elsewhere', steps } as const
    at = value
  }
}

/** The record is there, at a name with the domain twice; a wildcard would answer there too, with another value. */
function findDoubled({ observation, addresses }: RecordExpectation): Finding | undefined {
  const queries = observation.queries.filter(({ purpose }) => purpose === 'doubled')
  const isOurs = (record: Query['answers'][number]) =>
    (record.type === 'CNAME' && record.data === observation.target) ||
    ((record.type === 'A' || record.type === 'AAAA') && addresses.has(record.data))
  const query = queries.find(({ name, answers }) => answers.some((record) => record.name === name && isOurs(record)))
  if (query === undefined) return undefined
  return { code: 'doubled_label', found: [], words: { doubled: query.name }, evidence: [query.id] }
}

/** A name that nobody created gives the same answer: what we see is a wildcard's. */
function findWildcard({ observation }: RecordExpectation, found: string[]): Finding | undefined {
  const queries = observation.queries.filter(({ purpose }) => purpose === 'wildcard')
  const records = queries.flatMap(({ name, answers }) => answers.filter((record) => record.name === name))
  const values = new Set([
    ...recordsOf(records, 'CNAME').map(({ data }) => data),
    ...[...recordsOf(records, 'A'), ...recordsOf(records, 'AAAA')].map(written),
  ])
  if (!found.every((value) => values.has(value))) return undefined
  const wildcard = `*.${queries[0]!.name.slice(queries[0]!.name.indexOf('.') + 1)}`
  return { code: 'wildcard_in_the_way', found, words: { wildcard }, evidence: queries.map(({ id }) => id) }
}

function proxyOfAll(addresses: { data: string }[]): string | undefined {
  const proxies = new Set(addresses.map(({ data }) => proxyOf(data)))
  return proxies.size === 1 ? [...proxies][0] : undefined
}

function targetUnresolved(uncertain: ServerView['addresses'], { observation }: RecordExpectation): Finding {
  const evidence = observation.queries.filter(({ purpose }) => purpose === 'target').map(({ id }) => id)
  return { code: 'target_unresolved', found: uncertain.map(written), evidence }
}

const severalCnames = (cnames: ServerView['cnames']): Finding => ({
  code: 'multiple_cnames',
  found: cnames.map(({ data }) => data),
})

const written = ({ type, data }: { type: string; data: string }) => `${type} ${data}`
