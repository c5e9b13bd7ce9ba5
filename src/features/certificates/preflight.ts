import { isWithin } from '../../platform/hostname.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import type { CaaVerdict } from '../domains/diagnosis/caa.ts'
import type { DnsCheck } from '../domains/dns-check.ts'
import type { ProblemCode } from '../domains/diagnosis/problems.ts'
import { domainNameOf } from '../domains/hostname-input.ts'
import { findTarget } from '../domains/queries.ts'
import { CHALLENGE_TYPES, type ChallengeType, type IssuanceProblem } from './issuer.ts'

export type Preflight =
  /** How each authority may validate the name; not at all where its list is empty. */
  | { go: true; methods: readonly ChallengeType[]; fallbackMethods: readonly ChallengeType[] }
  | { go: false; problem: IssuanceProblem }

export interface PreflightSubject {
  hostname: string
  /** Whose custom domain it is; undefined for a name of the platform itself. */
  projectId: number | undefined
}

interface PreflightNeeds {
  storage: Storage
  check: DnsCheck
  platformHost: string
}

/**
 * Looks at DNS as the authority will, before an order is spent: a name that clearly leads elsewhere, or whose CAA
 * records forbid every authority, would only cost a failed validation. Answers that are unclear stop nothing else,
 * because the authority may have better luck.
 */
export function createPreflight({ storage, check, platformHost }: PreflightNeeds) {
  return async ({ hostname, projectId }: PreflightSubject): Promise<Preflight> => {
    const target = projectId === undefined ? hostname : await findTarget(storage.read, projectId, platformHost)
    const { diagnosis } = await check({ projectId, hostname, target })
    const { caa, fallbackCaa, outcome, problems } = diagnosis
    if (projectId === undefined && problems.some(({ code }) => NOWHERE.has(code))) {
      const todo = 'Create an A or AAAA record that leads to this service; the next attempt starts by itself.'
      return stop('dns_failed', hostname, `${hostname} has no address in DNS. ${todo}`, problems[0]?.detail)
    }
    // Where a name of the platform leads is the operator's to know: it need not be a CNAME to anywhere.
    if (projectId !== undefined && outcome === 'failed') {
      const worst = problems.find(({ severity, affects }) => severity === 'blocking' && affects === 'verification')
      return stop('dns_failed', hostname, `${worst?.title}. ${worst?.fix}`, worst?.detail)
    }
    const [methods, fallbackMethods] = [methodsIn(caa, hostname), methodsIn(fallbackCaa, hostname)]
    if (methods.length === 0 && (fallbackCaa === null || fallbackMethods.length === 0)) {
      const found = problems.find(({ affects }) => affects === 'certificate')
      const code = codeOf(found?.code)
      const then = projectId === undefined || code !== 'caa_forbids' ? '' : ' Then choose Re-verify.'
      return stop(code, hostname, `${found?.title}. ${found?.fix}${then}`, found?.detail)
    }
    return { go: true, methods, fallbackMethods }
  }
}

/** All of them where nothing is known: the authority looks for itself. */
function methodsIn(caa: CaaVerdict | null, hostname: string): readonly ChallengeType[] {
  if (caa === null || (!caa.allowed && isBeyondTheOwner(caa, hostname))) return CHALLENGE_TYPES
  return caa.allowed ? CHALLENGE_TYPES.filter((type) => caa.methods.includes(type)) : []
}

function codeOf(found: ProblemCode | undefined): StopCode {
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
