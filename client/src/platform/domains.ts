import type { NameserverRow, Problem } from './domain-checks.ts'

export type DomainState =
  | 'awaiting dns'
  | 'preparing'
  | 'verifying'
  | 'issuing'
  | 'ready'
  | 'live'
  | 'attention'
  | 'removed'
export type RedirectStatus = 301 | 302 | 307 | 308

/** One domain serves the site, every other one redirects. */
export interface ProjectDomains {
  primary: string | null
  redirects: { from: string; to: string; status: RedirectStatus }[]
}

export interface Certificate {
  issuer: string
  /** The host of the directory that it was ordered at; null for the internal CA. */
  authority: string | null
  /** Whether that is the authority that takes over when the first fails. */
  isFallback: boolean
  serial: string
  notBefore: string
  notAfter: string
  fingerprint: string
  renewAt: string
}

export interface Issuance {
  /** Since when a certificate is wanted that is not there. */
  since: string
  /** How far the order at the authority has come; null when there is none now. */
  step: string | null
  /** At which authority, by the host of its directory; null when there is none now, or it is the internal CA. */
  authority: string | null
  failures: number
  /** When the last attempt came to nothing, whoever asked for it. */
  attemptedAt: string | null
  problem: { code: string; message: string; detail: string | null } | null
  /** When the next attempt comes by itself. */
  nextAttemptAt: string | null
  /** Until then the authority asked to be left alone, so that Re-verify waits too; null when it may be asked. */
  retryAfter: string | null
}

export interface Domain {
  id: string
  hostname: string
  /** As people write it. */
  unicode: string
  /** Where it is visited and looked at: its own name, and for a wildcard one of those that it stands for. */
  visitName: string
  /** `apex` also for a subdomain that is a zone of its own: its record is that of an apex. */
  kind: 'apex' | 'subdomain' | 'wildcard'
  /** A wildcard shows the site at every name that it stands for. */
  role: 'primary' | 'redirect' | 'wildcard'
  redirect: { to: string; status: RedirectStatus } | null
  hstsSeconds: number | null
  state: DomainState
  addedAt: string
  verifiedAt: string | null
  /** Since when it is to have its certificate before it leads here; null for one that goes the ordinary way. */
  preparedAt: string | null
  /** When both records of its preparation were last seen; from then on it is served to whoever comes. */
  provedAt: string | null
  /** While it is not verified: since when a nameserver has led here, where it led elsewhere before. */
  switchSeenAt: string | null
  checkedAt: string | null
  nextCheckAt: string | null
  /** Codes of the last clear check. */
  problems: string[]
  failingSince: string | null
  /** Since when DNS gives no clear answer. */
  unclearSince: string | null
  /** While the records are wrong: how long it is served all the same. */
  servedUntil: string | null
  /** While it is not verified: when it leaves the list by itself. */
  claimEndsAt: string | null
  removedAt: string | null
  certificate: Certificate | null
  /** When the last one ended, where there is none that is good. */
  certificateEndedAt: string | null
  issuance: Issuance | null
}

/** One line to create at a DNS provider. */
export interface DnsInstruction {
  type: 'CNAME' | 'ALIAS' | 'A' | 'AAAA' | 'TXT'
  /** Relative to the registrable domain, or to the zone that the hostname itself is: `@` for that name itself. */
  name: string
  /** The same name in full, for providers that want it so. */
  fullName: string
  value: string
  ttl: number
}

export interface RecordAdvice {
  record: DnsInstruction
  /** For an apex whose provider has no ALIAS: these instead, all of them. */
  alternatives: DnsInstruction[]
  /** Only where the record alone does not show whose the hostname is; a note says why. */
  proof: DnsInstruction | null
  /** Lets certificates be had before the switch, behind a proxy and for a wildcard; null where it cannot be offered. */
  challenge: DnsInstruction | null
  notes: string[]
}

export type CheckOutcome = 'passed' | 'failed' | 'inconclusive' | 'prepared'

/** Checks with the same result, one after the other. */
export interface DomainCheck {
  id: number
  outcome: CheckOutcome
  problems: string[]
  trigger: 'verify' | 'automatic'
  firstAt: string
  lastAt: string
  times: number
}

/** What one instance of the service was last seen to serve for a domain. */
export interface DomainInstance {
  instance: string
  seenAt: string
  /** Of the certificate that was shown; null without a TLS connection. */
  serial: string | null
  notAfter: string | null
  /** Whether every certificate of the chain was shown. */
  isChainWhole: boolean
  /** Of the answer; null without one. */
  status: number | null
  /** `no_handshake`, `other_certificate` …; null when all is as it should be. */
  problem: string | null
}

/** A name of the platform itself, and what each instance was last seen to serve for it. */
export interface PlatformName {
  hostname: string
  /** Where it is looked at: for the wildcard of all sites, at one of them. */
  visitName: string
  instances: DomainInstance[]
}

export interface DomainDetails extends Domain {
  /** The record to create. */
  record: RecordAdvice
  /** What the last check saw and what to do about it. */
  lastCheck: { at: string; outcome: CheckOutcome; problems: Problem[]; nameservers: NameserverRow[] } | null
  checks: DomainCheck[]
  instances: DomainInstance[]
}

/** A domain that the project had until a while ago, and whose DNS record may still lead here. */
export interface RemovedDomain {
  hostname: string
  /** As people write it. */
  unicode: string
  removedAt: string
}

/** One try for a certificate of a domain, or its revocation. */
export interface CertificateAttempt {
  at: string
  result: 'issued' | 'renewed' | 'failed' | 'revoked'
  /** Code of what a failed one met. */
  problem: string | null
}

/** What a certificate authority still allows for one domain. */
export interface AuthorityBudget {
  /** The host of its directory; null for the internal CA. */
  authority: string | null
  limits: { limit: IssuanceLimit; left: number; burst: number; windowMs: number }[]
  /** When the next order may be made, if not now. */
  openAt: string | null
}

export interface IssuanceBudget extends AuthorityBudget {
  /** The same of the authority that takes over when the first fails; null where there is none. */
  fallback: AuthorityBudget | null
}

export type IssuanceLimit =
  | 'orders'
  | 'certificatesPerRegisteredDomain'
  | 'ordersPerProject'
  | 'platformNamesPerAccount'
  | 'certificatesPerExactSet'
  | 'failedValidationsPerHostname'
