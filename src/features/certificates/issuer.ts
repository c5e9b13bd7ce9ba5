import type { IssuedChain } from './authority/issued-chain.ts'

/** The issuer's id of the internal CA; every other one is an ACME directory. */
export const INTERNAL_CA_ID = 'internal'

/**
 * How far an order has come. Whoever drives it stores the record after every step, so that after a crash any
 * instance goes on from the last one stored: the CA is asked about the same order by its address.
 *
 *   planned ─▶ ordered ─▶ challenged ─▶ validating ─▶ ready ─▶ finalizing ─▶ issued
 *                  └───────── authorised already ───────▲
 *
 * planned     names and request are fixed, the CA knows nothing yet
 * ordered     the CA has an order; its address is known
 * challenged  the answers to its challenges are in the record: store it, so that every instance can give them
 * validating  the CA has been asked to look at the answers
 * ready       every name is authorised
 * finalizing  the CA has the certificate request
 * issued      the chain has been downloaded and held against the request
 *
 * A CA that has forgotten the order sends it back to `planned`, once.
 */
export const ISSUANCE_STEPS = [
  'planned',
  'ordered',
  'challenged',
  'validating',
  'ready',
  'finalizing',
  'issued',
] as const

export type IssuanceStep = (typeof ISSUANCE_STEPS)[number]

/** Those for which the authority comes to the hostname itself. */
export const CHALLENGE_TYPES = ['http-01', 'tls-alpn-01'] as const

/** And the one for which it asks DNS, where the owner has delegated the name that it asks for. */
export type ChallengeType = (typeof CHALLENGE_TYPES)[number] | 'dns-01'

/** What has to be served while the CA looks: see `acme/challenge.ts` for where each type is looked for. */
export interface ChallengeAnswer {
  readonly hostname: string
  readonly type: ChallengeType
  readonly token: string
  readonly keyAuthorization: string
  readonly challengeUrl: string
}

/** A plain record: JSON in, JSON out. It holds no secret; the private key is sealed elsewhere. */
export interface IssuanceOrder {
  readonly issuer: string
  readonly step: IssuanceStep
  readonly names: readonly string[]
  readonly csr: string
  /** In order of preference. */
  readonly challengeTypes: readonly ChallengeType[]
  /** Where in the zone of challenges the answer to dns-01 has to stand. */
  readonly challengeLabel?: string | undefined
  /** ARI identifier of the certificate that this order renews. */
  readonly replaces: string | null
  readonly orderUrl: string | null
  readonly authorizationUrls: readonly string[]
  readonly finalizeUrl: string | null
  readonly expiresAt: number | null
  readonly answers: readonly ChallengeAnswer[]
  readonly restarts: number
  /** When it was begun; orders of earlier versions do not say. */
  readonly beganAt?: number
  /** Ids of the other issuers that may take over, as far as CAA records are concerned. */
  readonly others?: readonly string[]
}

interface CertificateRequest {
  names: readonly string[]
  /** From `createCsr`, for exactly these names. */
  csr: string
  challengeTypes?: readonly ChallengeType[]
  challengeLabel?: string | undefined
  /** The certificate that this one renews, when the same issuer made it. */
  replacesPem?: string | undefined
}

export type IssuanceProblemCode =
  | 'rate_limited'
  /** By a limit that this service keeps by itself. */
  | 'held_back'
  | 'caa_forbids'
  | 'dns_failed'
  | 'unreachable'
  | 'tls_failed'
  | 'challenge_wrong'
  | 'name_refused'
  | 'rejected'
  | 'ca_unavailable'
  | 'ca_misbehaves'
  | 'operator_needed'
  | 'order_expired'
  /** Not finished in time. */
  | 'order_stuck'
  | 'order_lost'
  | 'certificate_refused'

/** The ones that count as a failed validation of a hostname in the CA's limits. */
export const VALIDATION_PROBLEMS: ReadonlySet<IssuanceProblemCode> = new Set([
  'caa_forbids',
  'dns_failed',
  'unreachable',
  'tls_failed',
  'challenge_wrong',
] as const)

export interface IssuanceProblem {
  readonly code: IssuanceProblemCode
  /** What happened and what to do next, for the person who owns the domain. */
  readonly message: string
  /** The CA's own words. */
  readonly detail: string | null
  /** The name that the CA complained about, where it said so. */
  readonly hostname: string | null
  /** How long the CA asked to be left alone. */
  readonly retryAfterMs: number | null
}

export type Advance =
  /** One step further: store the order and advance again. */
  | { result: 'moved'; order: IssuanceOrder }
  /** The CA is at work: store the order if it changed, and ask again after this time. */
  | { result: 'waiting'; order: IssuanceOrder; waitMs: number }
  /** The CA cannot be used now; the order stands: advance it again by the retry schedule. */
  | { result: 'stalled'; order: IssuanceOrder; problem: IssuanceProblem }
  /** This order is over: a later attempt begins a new one. */
  | { result: 'failed'; order: IssuanceOrder; problem: IssuanceProblem }
  | { result: 'issued'; order: IssuanceOrder; chain: IssuedChain }

type Revocation = { revoked: true } | { revoked: false; problem: IssuanceProblem }

export interface RenewalWindow {
  readonly startAt: number
  readonly endAt: number
}

export interface RenewalAdvice {
  /** When the CA would like the certificate to be renewed; undefined when it does not say, or says nonsense. */
  readonly window: RenewalWindow | undefined
  /** How long this advice is good for. */
  readonly checkAgainMs: number
}

export const REVOCATION_REASONS = { unspecified: 0, keyCompromise: 1, superseded: 4, cessationOfOperation: 5 } as const

export type RevocationReason = keyof typeof REVOCATION_REASONS

/**
 * Turns names that are verified into a certificate. Methods that talk to a CA never throw for what a CA or the
 * network does: they answer with an outcome. All of them may be called from several instances at once, but one order
 * is advanced by one caller at a time: hold a lease.
 */
export interface Issuer {
  /** Stored with every order and certificate; an order goes back only to the issuer that began it. */
  readonly id: string
  /** Pure: makes the record of a new order, and asks nobody. */
  begin(request: CertificateRequest): IssuanceOrder
  advance(order: IssuanceOrder, signal?: AbortSignal): Promise<Advance>
  revoke(certificatePem: string, reason: RevocationReason, signal?: AbortSignal): Promise<Revocation>
  renewalAdvice(certificatePem: string, signal?: AbortSignal): Promise<RenewalAdvice>
}

export const plannedOrder = (issuer: string, request: CertificateRequest, replaces?: string): IssuanceOrder => ({
  issuer,
  step: 'planned',
  names: request.names,
  csr: request.csr,
  challengeTypes: request.challengeTypes ?? CHALLENGE_TYPES,
  challengeLabel: request.challengeLabel,
  replaces: replaces ?? null,
  orderUrl: null,
  authorizationUrls: [],
  finalizeUrl: null,
  expiresAt: null,
  answers: [],
  restarts: 0,
})
