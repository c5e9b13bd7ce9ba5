import { isInZone } from '../../../platform/dns/name.ts'
import { type CaaData, recordsOf } from '../../../platform/dns/record.ts'
import { caaChange, relativeTo } from './change.ts'
import { type CaaLookup, type CaaQuestion, type CaaVerdict, evaluateCaa } from './caa.ts'
import { isWrong, type JudgedView } from './judge-record.ts'
import { CNAMES_MAX, endOfAliases, type Observation, type Query, zoneOf } from '../observation/observation.ts'
import { type Problem, problemFrom, type Words } from './problem.ts'
import { failureOf, type ServerView, statusOf } from './server-view.ts'

type CaaDenied = Extract<CaaVerdict, { allowed: false }>

export interface CaaExpectation extends Pick<CaaQuestion, 'issuerDomains' | 'accountUri' | 'methods'> {
  /** The authority that takes over when this one fails. */
  fallback?: Omit<CaaExpectation, 'fallback'>
}

/**
 * An authority may ask any of the nameservers: the strictest answer counts, and a failure only when all fail. Where
 * the hostname's record is still wrong, CAA is judged as it will be once the CNAME leads to the target.
 */
export function judgeCaa(observation: Observation, judged: JudgedView[], expected: CaaExpectation): CaaVerdict {
  const { hostname, target } = observation
  const { issuerDomains, accountUri, methods: wanted } = expected
  // RFC 8659 asks about the name below which a wildcard stands.
  const named = hostname.replace(/^\*\./, '')
  const wildcard = named !== hostname
  const question: CaaQuestion = { hostname: named, wildcard, issuerDomains, accountUri, methods: wanted }
  const isSubdomain = hostname !== zoneOf(observation)
  const verdicts = judged.map(({ view, findings }) => {
    const asIfMended = isSubdomain && findings.some(isWrong)
    return evaluateCaa(question, (name) => lookUp(observation, view, asIfMended && name === hostname ? target : name))
  })
  const denied = verdicts.find((verdict) => !verdict.allowed && verdict.reason !== 'lookup_failed')
  const allowed = verdicts.filter((verdict) => verdict.allowed)
  if (denied !== undefined || allowed.length === 0) return denied ?? verdicts[0]!
  const methods = wanted.filter((method) => allowed.every((verdict) => verdict.methods.includes(method)))
  return { ...allowed[0]!, methods }
}

/** `fallback` is what the same records say of the second authority, where there is one. */
export function caaProblem(
  observation: Observation,
  verdict: CaaVerdict,
  words: Words,
  fallback: CaaVerdict | null = null,
): Problem | undefined {
  if (verdict.allowed) return undefined
  const { reason, decidedAt, owner, records, explanation: answer, add } = verdict
  const second = fallback === null || fallback.allowed || fallback.add?.value === add?.value ? null : fallback.add
  const caa = observation.queries.filter(({ purpose }) => purpose === 'caa')
  const telling = caa.filter(({ name }) => name === decidedAt || name === owner)
  const found = records.map(written).join(', ')
  const evidence = telling.map(({ id }) => id)
  if (isOurs(observation, verdict)) {
    const severity = reason === 'lookup_failed' ? 'transient' : 'blocking'
    const told = found === '' ? answer : `${answer} (${found})`
    return problemFrom('caa_platform', words, { words: { owner, answer: told }, evidence, severity })
  }
  const zone = [zoneOf(observation), observation.registrable].find((name) => name && isInZone(owner, name)) ?? owner
  const fields = {
    caaZone: zone,
    caaLabel: relativeTo(zone, owner),
    caaTag: add?.tag ?? '',
    caaValue: add?.value ?? '',
    caaSecond: second === null ? '' : ` And a second one like it with value ${second.value}, for when the first fails.`,
  }
  const input = {
    words: { decidedAt, owner, answer, found, ...fields },
    evidence,
    change: caaChange(zone, [add, second]),
  }
  if (reason === 'lookup_failed') return problemFrom('caa_lookup_failed', words, input)
  if (reason === 'critical_unknown') return problemFrom('caa_critical_unknown', words, input)
  return problemFrom('caa_forbids', words, input)
}

/** Beyond the CNAME to the target everything is ours; names above the hostname are its owner's. */
function isOurs({ hostname, target, queries }: Observation, { decidedAt, owner }: CaaDenied): boolean {
  if (decidedAt !== hostname || owner === hostname) return false
  const answers = queries.filter(({ purpose }) => purpose === 'caa').flatMap((query) => query.answers)
  return owner === target || owner === endOfAliases(target, answers)
}

function lookUp(observation: Observation, view: ServerView, name: string, depth = 0): CaaLookup {
  const candidates = observation.queries.filter((query) => query.purpose === 'caa' && query.name === name)
  const isOwn = isInZone(name, zoneOf(observation) ?? '.')
  const own = candidates.filter(({ server }) => server.address === view.address && server.port === view.port)
  const query = (isOwn ? own.find(({ recursion }) => !recursion) : undefined) ?? bestOf(candidates)
  if (query === undefined) return { outcome: 'failed', reason: 'not asked in time', owner: name }
  if (!isAnswer(query)) return { outcome: 'failed', reason: failureOf(query), owner: name }
  const owner = endOfAliases(name, query.answers)
  const records = recordsOf(query.answers, 'CAA', owner).map(({ data }) => data)
  if (records.length > 0) return { outcome: 'found', records, owner }
  if (owner === name) return { outcome: 'none' }
  // A circle of CNAMEs has no end to ask.
  if (depth > CNAMES_MAX) return { outcome: 'failed', reason: 'CNAME loop', owner: name }
  return lookUp(observation, view, owner, depth + 1)
}

const bestOf = (queries: Query[]) => queries.find(isAnswer) ?? queries[0]

const isAnswer = (query: Query) => statusOf(query) === 'answered' || (statusOf(query) === 'lame' && query.recursion)

const written = ({ flags, tag, value }: CaaData) => `${flags} ${tag} "${value}"`
