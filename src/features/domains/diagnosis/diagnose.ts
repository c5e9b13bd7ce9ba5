import { isIPv6 } from 'node:net'
import { canonicalAddress } from '../../../platform/dns/address.ts'
import { recordsOf } from '../../../platform/dns/record.ts'
import type { CaaVerdict } from './caa.ts'
import { changeFor, relativeTo } from './change.ts'
import { disagreement } from './disagreement.ts'
import { type CaaExpectation, caaProblem, judgeCaa } from './judge-caa.ts'
import { type Finding, isWrong, type JudgedView, judgeRecords, type RecordExpectation } from './judge-record.ts'
import { asProxied, delegationOf, judgePreparation, leadsHere, unansweredChallenge } from './judge-preparation.ts'
import { type Lead, leadOf } from './lead.ts'
import { bogusDnssec, staleCache } from './judge-resolver.ts'
import { judgeServers, judgeZone } from './judge-servers.ts'
import { type Observation, zoneOf } from '../observation/observation.ts'
import { isWildcard } from '../preparation/challenge-zone.ts'
import { inOrder, listed, type Problem, problemFrom, type Words } from './problem.ts'
import { nameOf, type ServerView, serverViews, type ViewStatus } from './server-view.ts'
import { beginningOf } from '../../../platform/schema.ts'

/** What the observation is held against. */
export interface Expectation {
  /** The edge's public addresses as configured; those that the target gave in the observation count as well. */
  addresses: readonly string[]
  /** The TXT value that must be there where a proof is needed. */
  proof: string | null
  /**
   * `address`: only a hostname that leads here by address needs it. `preparation`: only one that does not lead here
   * yet. Absent when it is needed in any case.
   */
  proofFor?: 'address' | 'preparation'
  /** Where the name of dns-01 must lead; absent where this installation has no zone for it. */
  challengeTarget?: string
  /** `preparing`: it is to have its certificate before it leads here. `served`: it has been verified before. */
  stage?: 'preparing' | 'served'
  /** Null when no certificate is wanted. */
  caa: CaaExpectation | null
}

export interface Diagnosis {
  version: 1
  hostname: string
  observedAt: number
  /**
   * `passed`: the hostname is verified. `failed`: clear answers, and at least one is wrong. `inconclusive`: DNS did
   * not answer clearly, which changes nothing for a domain that is live. `prepared`: it leads elsewhere, and its
   * owner's records let us serve it and have its certificate all the same.
   */
  outcome: 'passed' | 'failed' | 'inconclusive' | 'prepared'
  /** Whether the name of dns-01 leads to us. */
  isDelegated: boolean
  /** Whatever proof there is or is not. */
  lead: Lead
  /** Whether the hostname is a zone of its own; null when nobody could be asked. */
  ownZone: boolean | null
  /** Null when no certificate is wanted or nobody could be asked. */
  caa: CaaVerdict | null
  /** The same for the authority that takes over when the first fails; null also where there is none. */
  fallbackCaa: CaaVerdict | null
  problems: Problem[]
  nameservers: NameserverRow[]
}

/** One line of the nameserver matrix. */
export interface NameserverRow {
  nameserver: string
  address: string
  status: ViewStatus
  serial: number | null
  answers: string[]
  isRight: boolean
  /** Whether visitors are led here, whatever proof there is or is not. */
  isHere: boolean
  /** For how long a resolver may remember the answer. */
  cacheSeconds: number
  evidence: string[]
}

/** All problems at once, read out of an observation alone: the same observation always gives the same diagnosis. */
export function diagnose(observation: Observation, expectation: Expectation): Diagnosis {
  const { hostname, startedAt } = observation
  const words = commonWords(observation, expectation)
  const finish = (found: Problem[], { isElsewhere = false, ...seen }: Seen): Diagnosis => {
    const problems = inOrder(found)
    const read = outcomeOf(problems)
    const outcome = read === 'passed' && isElsewhere ? 'prepared' : read
    return { version: 1, hostname, observedAt: startedAt, outcome, ...seen, problems }
  }
  const missing = judgeZone(observation, words)
  if (missing !== undefined) {
    const lead = missing.code === 'zone_missing' ? 'elsewhere' : 'unclear'
    const nothing = { ownZone: null, caa: null, fallbackCaa: null, isDelegated: false, nameservers: [] }
    return finish([missing], { lead, ...nothing })
  }

  const expected = { observation, zone: zoneOf(observation)!, ...ourAddresses(observation, expectation) }
  const views = serverViews(observation)
  const judged = views.map((view): JudgedView => {
    if (view.status !== 'answered') return { view, findings: [] }
    return { view, findings: judgeRecords(view, expected) }
  })
  const asFound = judged.filter(({ view }) => view.status === 'answered')
  const lead = leadOf(asFound, expected)
  const here = new Set(asFound.filter(({ findings }) => !findings.some(isWrong)).map(({ view }) => view))
  const delegation = delegationOf(asFound, expectation.challengeTarget)
  const delegated = delegation === 'ours'
  const isElsewhere =
    !leadsHere(asFound) &&
    (expectation.stage === 'preparing' || (expectation.stage === 'served' && delegation !== 'not ours'))
  const answered = isElsewhere ? asFound.map((each) => judgedElsewhere(each, expectation)) : asFound
  for (const { view, findings } of isElsewhere ? [] : answered) {
    findings.push(...judgeProof(view, expected, expectation))
  }
  const records = answered.length === 0 ? [] : recordProblems(answered, words)
  const wanted = answered.length === 0 ? null : expectation.caa
  const caa = wanted === null ? null : judgeCaa(observation, answered, withDelegation(wanted, delegated))
  const fallback = wanted?.fallback && withDelegation(wanted.fallback, delegated)
  const fallbackCaa = fallback ? judgeCaa(observation, answered, fallback) : null
  // Where one of two may issue, it does: nothing is in the way.
  const caaFound = caa === null || fallbackCaa?.allowed ? undefined : caaProblem(observation, caa, words, fallbackCaa)
  const isChallengeNeeded = isElsewhere || isWildcard(hostname)
  const unanswered = isChallengeNeeded ? unansweredChallenge(observation, asFound, { words, isElsewhere }) : undefined
  const problems = [
    ...judgeServers(observation, views, words),
    ...records,
    unanswered,
    bogusDnssec(observation, words),
    caaFound,
  ]
  const isUnsettled = isElsewhere || records.some(({ severity }) => severity !== 'warning')
  const stale = isUnsettled ? undefined : staleCache(expected, views, words)
  const shown = judged.map((each) => answered.find(({ view }) => view === each.view) ?? each)
  return finish(
    [...problems, stale].filter((problem) => problem !== undefined),
    {
      isElsewhere,
      lead,
      ownZone: hostname === expected.zone,
      caa,
      fallbackCaa,
      isDelegated: delegated,
      nameservers: shown.map((each) => rowOf(each, here)),
    },
  )
}

interface Seen extends Pick<Diagnosis, 'lead' | 'ownZone' | 'caa' | 'fallbackCaa' | 'isDelegated' | 'nameservers'> {
  /** And is meant to, for the time being or for good. */
  isElsewhere?: boolean
}

function judgedElsewhere(judged: JudgedView, expectation: Expectation): JudgedView {
  if (expectation.stage === 'served') return asProxied(judged)
  return { view: judged.view, findings: judgePreparation(judged.view, expectation) }
}

/** What is proved in DNS needs no other way, which a CAA record may forbid. */
const withDelegation = (caa: CaaExpectation, delegated: boolean): CaaExpectation =>
  delegated ? { ...caa, methods: ['dns-01', ...caa.methods] } : caa

function recordProblems(judged: JudgedView[], words: Words): Problem[] {
  const disagreeing = disagreement(judged, words)
  const onlySomeAreWrong = disagreeing !== undefined && judged.some(({ findings }) => !findings.some(isWrong))
  // When one nameserver is right already, what the others still say is the disagreement, not several problems more.
  const shown = onlySomeAreWrong ? judged.filter(({ findings }) => !findings.some(isWrong)) : judged
  const codes = new Set(shown.flatMap(({ findings }) => findings.map(({ code }) => code)))
  const problems = [...codes].map((code) => mergedProblem(code, shown, words))
  return disagreeing === undefined ? problems : [...problems, disagreeing]
}

/** The same finding at several nameservers is one problem. */
function mergedProblem(code: Finding['code'], judged: JudgedView[], words: Words): Problem {
  const concerned = judged.filter(({ findings }) => findings.some((finding) => finding.code === code))
  const findings = concerned.flatMap((each) => each.findings.filter((finding) => finding.code === code))
  const views = concerned.map(({ view }) => view)
  const found = findings.flatMap((finding) => finding.found)
  const told = { ...words, ...findings[0]?.words }
  const forgotten = Math.max(...views.map(({ at, cacheSeconds }) => at + cacheSeconds * 1000))
  return problemFrom(code, words, {
    words: {
      servers: listed(views.map(nameOf)),
      found: listed(found),
      answer: views.some(({ nxdomain }) => nxdomain) ? 'NXDOMAIN' : 'no data',
      ...findings[0]?.words,
    },
    change: changeFor(code, { words: told, views, found }),
    evidence: [...views.flatMap((view) => view.evidence), ...findings.flatMap(({ evidence = [] }) => evidence)],
    cachesExpireBy: findings.some(isWrong) ? forgotten : undefined,
  })
}

function judgeProof(
  { proofs, cnames }: ServerView,
  { observation: { hostname, target }, zone }: RecordExpectation,
  { proof, proofFor }: Expectation,
): Finding[] {
  if (proof === null || proofs.some(({ data }) => data.trim() === proof)) return []
  if (proofFor === 'preparation') return []
  const mayLeadByAddress = hostname === zone && cnames[0]?.data !== target
  if (proofFor === 'address' && !mayLeadByAddress) return []
  if (proofs.length === 0) return [{ code: 'proof_missing', found: [] }]
  return [{ code: 'proof_differs', found: proofs.map(({ data }) => `“${beginningOf(data, 100)}”`) }]
}

function outcomeOf(problems: Problem[]): Diagnosis['outcome'] {
  const verification = problems.filter(({ affects }) => affects === 'verification')
  if (verification.some(({ severity }) => severity === 'blocking')) return 'failed'
  return verification.some(({ severity }) => severity === 'transient') ? 'inconclusive' : 'passed'
}

function ourAddresses(
  { queries }: Observation,
  { addresses }: Expectation,
): Pick<RecordExpectation, 'addresses' | 'known'> {
  const settled = queries.filter(({ purpose, rcode }) => purpose === 'target' && SETTLED.has(rcode))
  const target = settled.flatMap(({ answers }) => answers)
  const looked = [...recordsOf(target, 'A'), ...recordsOf(target, 'AAAA')].map(({ data }) => data)
  const configured = addresses.map(canonicalAddress)
  const ours = new Set([...configured, ...looked])
  const families = [...settled.map(({ type }) => type), ...configured.map((at) => (isIPv6(at) ? 'AAAA' : 'A'))]
  // Nobody is reached without an address: a target that has none is one that is not there yet.
  return { addresses: ours, known: new Set(ours.size === 0 ? [] : families) }
}

const SETTLED = new Set<string | null>(['NOERROR', 'NXDOMAIN'])

function commonWords(observation: Observation, expectation: Expectation): Words {
  const { hostname, registrable, target, proofName, challengeName = '' } = observation
  const zone = zoneOf(observation) ?? registrable
  const isApex = hostname === zone
  return {
    hostname,
    registrable,
    target,
    zone,
    label: relativeTo(zone, hostname),
    type: isApex ? 'ALIAS or ANAME' : 'CNAME',
    addresses: listed([...ourAddresses(observation, expectation).addresses]) || 'not known',
    proofName: proofName ?? '',
    proofLabel: proofName === null ? '' : relativeTo(zone, proofName),
    proofValue: expectation.proof ?? '',
    challengeName,
    challengeLabel: relativeTo(zone, challengeName),
    challengeTarget: expectation.challengeTarget ?? '',
    proofReason: proofReason(hostname, expectation),
  }
}

function proofReason(hostname: string, { proofFor, stage }: Expectation): string {
  if (stage === 'preparing') return `Before ${hostname} leads here, only a record shows that it is yours`
  if (proofFor === 'address') return 'An address shows nobody which project is meant, and others may mean this one too'
  return `${hostname} is or was attached to another project`
}

function rowOf({ view, findings }: JudgedView, here: ReadonlySet<ServerView>): NameserverRow {
  const { nameserver, address, status, soa, cnames, addresses, beside, failure, nxdomain, cacheSeconds, evidence } =
    view
  const leading = [...cnames, ...addresses].map(({ type, data, ttl }) => `${type} ${data} (TTL ${ttl})`)
  const records = [...leading, ...beside]
  const none = nxdomain ? 'NXDOMAIN' : 'no record'
  const answers = status !== 'answered' ? [failure] : records.length > 0 ? records : [none]
  const isRight = status === 'answered' && !findings.some(isWrong)
  const isHere = here.has(view)
  const serial = soa?.data.serial ?? null
  return { nameserver, address, status, serial, answers, isRight, isHere, cacheSeconds, evidence }
}
