import { isWithin } from '../../platform/hostname.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import type { CaaVerdict } from '../domains/diagnosis/caa.ts'
import type { Diagnosis } from '../domains/diagnosis/diagnose.ts'
import type { DnsCheck } from '../domains/dns-check.ts'
import type { ProblemCode } from '../domains/diagnosis/problems.ts'
import { domainNameOf } from '../domains/hostname-input.ts'
import { challengeName, type ChallengeZone, isWildcard } from '../domains/preparation/challenge-zone.ts'
import { findTarget } from '../domains/queries.ts'
import { CHALLENGE_TYPES, type ChallengeType, type IssuanceProblem } from './issuer.ts'

export type Preflight =
  /**
   * How each authority may validate the name; not at all where its list is empty. Where the answer to dns-01 stands in
   * the zone of challenges.
   */
  | {
      go: true
      methods: readonly ChallengeType[]
      fallbackMethods: readonly ChallengeType[]
      challengeLabel: string | undefined
    }
  | { go: false; problem: IssuanceProblem }

export interface PreflightSubject {
  hostname: string
  /** Whose custom domain it is; undefined for a name of the platform itself. */
  projectId: number | undefined
  /** What a custom domain may be that leads elsewhere; undefined for a name of the platform. */
  stage?: 'served' | 'preparing' | undefined
}

interface PreflightNeeds {
  storage: Storage
  challengeZone: ChallengeZone | undefined
  check: DnsCheck
  platformHost: string
}

/**
 * Looks at DNS as the authority will, before an order is spent: a name that clearly leads elsewhere, or whose CAA
 * records forbid every authority, would only cost a failed validation. Answers that are unclear stop nothing else,
 * because the authority may have better luck.
 */
export function createPreflight({ storage, challengeZone, check, platformHost }: PreflightNeeds) {
  return async ({ hostname, projectId, stage }: PreflightSubject): Promise<Preflight> => {
    const target = projectId === undefined ? hostname : await findTarget(storage.read, projectId, platformHost)
    const { diagnosis } = await check({ projectId, hostname, target, stage })
    const { caa, fallbackCaa, outcome, problems, isDelegated } = diagnosis
    if (isWildcard(hostname) && !isDelegated) {
      const unclear = problems.find(({ code }) => code === 'challenge_unanswered')
      const todo = unclear
        ? `${unclear.title}. ${unclear.fix}`
        : undelegated(hostname, challengeZone?.nameFor({ hostname, projectId }))
      return stop('dns_failed', hostname, todo, unclear?.detail)
    }
    // It leads elsewhere, so that only DNS can prove it, and DNS gave no clear answer.
    if (stage === 'preparing' && outcome === 'inconclusive' && !isDelegated) {
      const [worst] = problems
      return stop('dns_failed', hostname, `${worst?.title}. ${worst?.fix}`, worst?.detail)
    }
    if (projectId === undefined && !isDelegated && problems.some(({ code }) => NOWHERE.has(code))) {
      const todo = 'Create an A or AAAA record that leads to this service; the next attempt starts by itself.'
      return stop('dns_failed', hostname, `${hostname} has no address in DNS. ${todo}`, problems[0]?.detail)
    }
    // Where a name of the platform leads is the operator's to know: it need not be a CNAME to anywhere.
    if (projectId !== undefined && outcome === 'failed') {
      const worst = problems.find(({ severity, affects }) => severity === 'blocking' && affects === 'verification')
      return stop('dns_failed', hostname, `${worst?.title}. ${worst?.fix}`, worst?.detail)
    }
    const ways = waysFor(hostname, { isDelegated, isHere: isHere(outcome, stage) })
    const [methods, fallbackMethods] = [methodsIn(caa, ways, hostname), methodsIn(fallbackCaa, ways, hostname)]
    if (methods.length === 0 && (fallbackCaa === null || fallbackMethods.length === 0)) {
      const found = problems.find(({ affects }) => affects === 'certificate')
      if (!found) return stop('caa_forbids', hostname, onlyInDns(hostname), undefined)
      const code = codeOf(found.code)
      const then = projectId === undefined || code !== 'caa_forbids' ? '' : ' Then choose Re-verify.'
      return stop(code, hostname, `${found.title}. ${found.fix}${then}`, found.detail)
    }
    return { go: true, methods, fallbackMethods, challengeLabel: challengeZone?.labelFor({ hostname, projectId }) }
  }
}

/** Whether an authority that comes to the hostname finds us, as far as anybody knows. */
const isHere = (outcome: Diagnosis['outcome'], stage: PreflightSubject['stage']) =>
  outcome === 'passed' || (outcome !== 'prepared' && stage !== 'preparing')

/** DNS first where we answer there: it works behind a proxy too, and is the only way for a wildcard. */
function waysFor(
  hostname: string,
  { isDelegated, isHere }: { isDelegated: boolean; isHere: boolean },
): readonly ChallengeType[] {
  if (!isDelegated) return CHALLENGE_TYPES
  return isHere && !isWildcard(hostname) ? ['dns-01', ...CHALLENGE_TYPES] : ['dns-01']
}

/** All of them where nothing is known: the authority looks for itself. */
function methodsIn(caa: CaaVerdict | null, ways: readonly ChallengeType[], hostname: string): readonly ChallengeType[] {
  if (caa === null || (!caa.allowed && isBeyondTheOwner(caa, hostname))) return ways
  return caa.allowed ? ways.filter((type) => caa.methods.includes(type)) : []
}

const undelegated = (hostname: string, challengeTarget = '') =>
  `The certificate of ${hostname} has to be proved in DNS. Create a CNAME with the name ${challengeName(hostname)} ` +
  `and the value ${challengeTarget}; the next attempt starts by itself.`

const onlyInDns = (hostname: string) =>
  `${hostname} leads elsewhere and can be proved in DNS only, and its CAA records allow other ways only. Allow ` +
  'dns-01 there (validationmethods), or leave the methods out.'

function codeOf(found: ProblemCode): StopCode {
  if (found === 'caa_platform') return 'operator_needed'
  return found === 'caa_lookup_failed' ? 'dns_failed' : 'caa_forbids'
}

type StopCode = 'dns_failed' | 'caa_forbids' | 'operator_needed'

const NOWHERE: ReadonlySet<string> = new Set(['zone_missing', 'record_missing'] satisfies ProblemCode[])

/** A top level domain that could not be asked is our resolver's trouble, and the authority has another one. */
function isBeyondTheOwner(caa: CaaVerdict, hostname: string): boolean {
  if (caa.allowed || caa.reason !== 'lookup_failed') return false
  return !isWithin(caa.decidedAt, domainNameOf(hostname).registrable)
}

function stop(code: StopCode, hostname: string, message: string, detail: string | undefined): Preflight {
  return { go: false, problem: { code, message, detail: detail ?? null, hostname, retryAfterMs: null } }
}
