import { challengeName } from '../../domains/preparation/challenge-zone.ts'
import type { IssuanceProblem, IssuanceProblemCode } from '../issuer.ts'
import type { AcmeError } from './acme-error.ts'

const CODES: Readonly<Record<string, AuthoritysProblem>> = {
  rateLimited: 'rate_limited',
  caa: 'caa_forbids',
  dns: 'dns_failed',
  connection: 'unreachable',
  tls: 'tls_failed',
  unauthorized: 'challenge_wrong',
  incorrectResponse: 'challenge_wrong',
  rejectedIdentifier: 'name_refused',
  unsupportedIdentifier: 'name_refused',
  serverInternal: 'ca_unavailable',
  accountDoesNotExist: 'operator_needed',
  externalAccountRequired: 'operator_needed',
  userActionRequired: 'operator_needed',
  unsupportedContact: 'operator_needed',
  invalidContact: 'operator_needed',
}

/** What an authority, or the way to it, can be at fault for. */
type AuthoritysProblem = Exclude<IssuanceProblemCode, 'held_back' | 'order_stuck'>

const MESSAGES: Readonly<Record<AuthoritysProblem, (name: string) => string>> = {
  rate_limited: () =>
    'The certificate authority asks to wait before the next order. The next attempt starts by itself when it may.',
  caa_forbids: (name) =>
    `A CAA record forbids the certificate authority to issue for ${name}. Add a CAA record that allows it, or remove ` +
    'the one that blocks it, then choose Re-verify.',
  dns_failed: (name) =>
    `The certificate authority could not look up ${name}. Check that all nameservers of the domain answer, then ` +
    'choose Re-verify.',
  unreachable: (name) =>
    `The certificate authority could not connect to ${name}. Check that the name points here only, and remove A or ` +
    'AAAA records that lead elsewhere, then choose Re-verify.',
  tls_failed: (name) =>
    `The certificate authority met another TLS server at ${name}. Check that the name points here and that no proxy ` +
    'stands in front, then choose Re-verify.',
  challenge_wrong: (name) =>
    `The certificate authority got another answer than ours from ${name}. Check that the name points here and that ` +
    'no proxy stands in front, then choose Re-verify.',
  name_refused: (name) => `The certificate authority does not issue certificates for ${name}. Use another hostname.`,
  rejected: (name) => `The certificate authority rejected the order for ${name}. Choose Re-verify to try again.`,
  ca_unavailable: () => 'The certificate authority cannot be reached at the moment. The next attempt starts by itself.',
  ca_misbehaves: () =>
    'The certificate authority answered in a way that makes no sense. The next attempt starts by itself; if it ' +
    'lasts, the operator should check the configured address.',
  operator_needed: () =>
    'The certificate authority wants something from the operator of this service. Please tell them.',
  order_expired: () => 'The order expired at the certificate authority before it was complete. Choose Re-verify.',
  order_lost: () => 'The certificate authority has lost the order twice. Choose Re-verify to start a new one.',
  certificate_refused: () =>
    'The certificate authority delivered a certificate that does not fit the request. It was not installed.',
}

/** Where the name was to be proved by dns-01: it may lead elsewhere, and nobody has come to it. */
const MESSAGES_IN_DNS: typeof MESSAGES = {
  ...MESSAGES,
  dns_failed: (name) =>
    `The certificate authority could not look up ${challengeName(name)}. Check that all nameservers of the domain ` +
    'answer, then choose Re-verify.',
  challenge_wrong: (name) =>
    `The certificate authority did not find our answer in DNS at ${challengeName(name)}. Check that all nameservers ` +
    'of the domain have the CNAME that the dashboard shows for it, and no other record there, then choose Re-verify.',
}

interface ProblemFacts {
  detail?: string | undefined
  hostname?: string | undefined
  retryAfterMs?: number | undefined
  /** The type of the challenge that failed. */
  challengeType?: string | undefined
}

export function issuanceProblem(
  code: AuthoritysProblem,
  { detail, hostname, retryAfterMs, challengeType }: ProblemFacts,
): IssuanceProblem {
  return {
    code,
    message: (challengeType === 'dns-01' ? MESSAGES_IN_DNS : MESSAGES)[code](hostname ?? 'the hostname'),
    detail: detail ?? null,
    hostname: hostname ?? null,
    retryAfterMs: retryAfterMs ?? null,
  }
}

/** What the CA said about one name, or the whole order, in our words. */
export function problemFromAcme(
  problem: Pick<AcmeError, 'type' | 'detail' | 'subproblems'>,
  fallbackHostname: string | undefined,
  challengeType?: string,
): IssuanceProblem {
  const closest = problem.subproblems[0]
  const type = closest?.type ?? problem.type ?? ''
  return issuanceProblem(CODES[type] ?? 'rejected', {
    detail: closest?.detail || problem.detail,
    hostname: closest?.hostname ?? fallbackHostname,
    challengeType,
  })
}

/** The same for an error that was thrown while talking to the CA. */
export function problemFromError(error: AcmeError, fallbackHostname: string | undefined): IssuanceProblem {
  const { retryAfterMs, detail } = error
  if (error.kind === 'unavailable') return issuanceProblem('ca_unavailable', { detail, retryAfterMs })
  if (error.kind === 'bad_response') return issuanceProblem('ca_misbehaves', { detail, retryAfterMs })
  // Outside of a validation, `unauthorized` is about the account and not about a name.
  if (error.type === 'unauthorized') return issuanceProblem('operator_needed', { detail, retryAfterMs })
  return { ...problemFromAcme(error, fallbackHostname), retryAfterMs: retryAfterMs ?? null }
}
