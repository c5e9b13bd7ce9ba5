import { namesUpToTop } from '../../../platform/dns/name.ts'
import type { CaaData } from '../../../platform/dns/record.ts'

/** What is known about CAA(name), aliases of the name already followed. */
export type CaaLookup =
  /** `owner` is where the set stands: the name, or the end of its CNAMEs. */
  | { outcome: 'found'; records: CaaData[]; owner: string }
  | { outcome: 'none' }
  | { outcome: 'failed'; reason: string; owner: string }

export interface CaaQuestion {
  hostname: string
  wildcard: boolean
  /** The names by which the certificate authority appears in CAA records. */
  issuerDomains: readonly string[]
  /** The ACME account; null for an authority without accounts. */
  accountUri: string | null
  /** The challenge types that could be used. */
  methods: readonly string[]
}

type CaaDenial =
  | 'issuer_not_listed'
  | 'issuance_forbidden'
  | 'critical_unknown'
  | 'account_differs'
  | 'method_differs'
  | 'lookup_failed'

/** A record at a name: `0 <tag> "<value>"`. */
export interface CaaAddition {
  name: string
  tag: string
  value: string
}

export type CaaVerdict =
  | { allowed: true; decidedAt: string | null; methods: string[] }
  | {
      allowed: false
      reason: CaaDenial
      /** The name whose set decides, or whose look-up failed. */
      decidedAt: string
      /** Where the deciding set stands; differs from `decidedAt` when a CNAME leads there. */
      owner: string
      records: CaaData[]
      explanation: string
      /** The record that would allow issuance beside the present ones; null when one must go instead. */
      add: CaaAddition | null
    }

/**
 * RFC 8659 with RFC 8657: the set closest to the hostname decides, aliases are followed at each name, and the climb
 * goes up the hostname's own parents, never those of an alias. A look-up that fails on the way denies.
 */
export function evaluateCaa(question: CaaQuestion, lookUp: (name: string) => CaaLookup): CaaVerdict {
  for (const name of namesUpToTop(question.hostname)) {
    const found = lookUp(name)
    if (found.outcome === 'none' || (found.outcome === 'found' && found.records.length === 0)) continue
    if (found.outcome === 'found') return judge(question, name, found.owner, found.records)
    const explanation = `whether ${found.owner} has CAA records could not be found out: ${found.reason}`
    const nothing = { owner: found.owner, records: [], add: null }
    return { allowed: false, reason: 'lookup_failed', decidedAt: name, explanation, ...nothing }
  }
  return { allowed: true, decidedAt: null, methods: [...question.methods] }
}

function judge(question: CaaQuestion, decidedAt: string, owner: string, records: CaaData[]): CaaVerdict {
  const deny = (reason: CaaDenial, explanation: string, add?: Omit<CaaAddition, 'name'>): CaaVerdict => {
    const proposal = add === undefined ? null : { name: owner, ...add }
    return { allowed: false, reason, decidedAt, owner, records, explanation, add: proposal }
  }
  const critical = records.find(({ flags, tag }) => (flags & CRITICAL) !== 0 && !KNOWN_TAGS.has(tag.toLowerCase()))
  if (critical !== undefined) {
    const explanation = `their tag “${critical.tag}” is marked critical, and certificate authorities do not know it`
    return deny('critical_unknown', explanation)
  }
  const tag = decidingTag(records, question.wildcard)
  if (tag === undefined) return { allowed: true, decidedAt, methods: [...question.methods] }

  const values = records.filter((record) => record.tag.toLowerCase() === tag).map(({ value }) => readIssueValue(value))
  const issuers = new Set(question.issuerDomains.map((domain) => domain.toLowerCase()))
  const ours = values.filter(({ issuer }) => issuers.has(issuer))
  const plain = { tag, value: question.issuerDomains[0] ?? '' }
  if (ours.length === 0) {
    const listed = [...new Set(values.map(({ issuer }) => issuer).filter((issuer) => issuer !== ''))]
    if (listed.length === 0) return deny('issuance_forbidden', 'they forbid every certificate authority', plain)
    return deny('issuer_not_listed', `they allow only ${listed.join(', ')}`, plain)
  }
  const ofAccount = ours.filter(({ accountUris }) => accountMatches(accountUris, question.accountUri))
  if (ofAccount.length === 0) {
    return deny('account_differs', `they allow ${ours[0]!.issuer} for another account (accounturi) only`, plain)
  }
  const isAllowed = (method: string) => ofAccount.some(({ methodLists }) => methodMatches(methodLists, method))
  const methods = question.methods.filter(isAllowed)
  if (methods.length > 0) return { allowed: true, decidedAt, methods }
  const wanted = question.methods.join(',')
  const withMethods = { tag, value: `${plain.value}; validationmethods=${wanted}` }
  const explanation = `they allow ${ours[0]!.issuer} only by other validation methods than ${wanted}`
  return deny('method_differs', explanation, withMethods)
}

/** `issuewild` rules wildcards when it is there; otherwise `issue` rules; a set with neither restricts nothing. */
function decidingTag(records: CaaData[], wildcard: boolean): 'issue' | 'issuewild' | undefined {
  const has = (tag: string) => records.some((record) => record.tag.toLowerCase() === tag)
  if (wildcard && has('issuewild')) return 'issuewild'
  return has('issue') ? 'issue' : undefined
}

// RFC 8657: a parameter given twice can never be satisfied.
function accountMatches(accountUris: readonly string[], accountUri: string | null): boolean {
  return accountUris.length === 0 || (accountUris.length === 1 && accountUris[0] === accountUri)
}

function methodMatches(methodLists: readonly string[], method: string): boolean {
  return methodLists.length === 0 || (methodLists.length === 1 && methodLists[0]!.split(',').includes(method))
}

const CRITICAL = 128
const KNOWN_TAGS = new Set(['issue', 'issuewild', 'iodef', 'issuemail'])

interface IssueValue {
  /** Lower case; empty when the value names nobody or cannot be read, which forbids everybody. */
  issuer: string
  accountUris: string[]
  methodLists: string[]
}

/** The value of an `issue` or `issuewild` property: RFC 8659, section 4.2, with the parameters of RFC 8657. */
export function readIssueValue(value: string): IssueValue {
  const [issuer, ...rest] = value.split(';').map((part) => part.replace(/^[ \t]+|[ \t]+$/g, ''))
  const parameters = (rest.at(-1) === '' ? rest.slice(0, -1) : rest).map((part) => PARAMETER.exec(part))
  const readable = (issuer === '' || ISSUER.test(issuer!)) && parameters.every((match) => match !== null)
  if (!readable) return { issuer: '', accountUris: [], methodLists: [] }
  const valuesOf = (tag: string) => {
    const matching = parameters.filter((match) => match![1]!.toLowerCase() === tag)
    return matching.map((match) => match![2]!)
  }
  const methodLists = valuesOf('validationmethods')
  return { issuer: issuer!.toLowerCase(), accountUris: valuesOf('accounturi'), methodLists }
}

const ISSUER = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*$/i
const PARAMETER = /^([a-z0-9](?:[a-z0-9-]*[a-z0-9])?)[ \t]*=[ \t]*([!-:<-~]*)$/i
