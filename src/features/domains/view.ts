import { iso, isoOrNull } from '../../platform/iso-date.ts'
import type { Problem } from './diagnosis/problem.ts'
import type { NameserverRow } from './diagnosis/diagnose.ts'
import { claimEndsAt, type DomainRow, factsOf, nameOfRow } from './facts.ts'
import { type DomainState, graceEndsAt, stateOf } from './lifecycle.ts'
import { visitName } from './preparation/challenge-zone.ts'
import type { RecordAdvice } from './record.ts'
import type { RedirectStatus } from './redirects.ts'
import type { CheckOutcome } from './tables.ts'

interface CertificateView {
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

export interface IssuanceView {
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

export interface CertificateInfo {
  certificate: CertificateView | null
  /** When the last one ended, where there is none that is good. */
  certificateEndedAt: string | null
  issuance: IssuanceView | null
}

/** What is known of the certificates of these hostnames; the certificates feature answers. */
export type CertificatesOf = (hostnames: readonly string[]) => Promise<Map<string, CertificateInfo>>

export interface DomainView extends CertificateInfo {
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
}

export interface CheckView {
  id: number
  outcome: CheckOutcome
  problems: string[]
  trigger: 'verify' | 'automatic'
  firstAt: string
  lastAt: string
  times: number
}

/** What one instance of the service was last seen to serve for a domain. */
export interface InstanceView {
  instance: string
  seenAt: string
  /** Of the certificate that was shown; null without a TLS connection. */
  serial: string | null
  notAfter: string | null
  /** Whether every certificate of the chain was shown. */
  isChainWhole: boolean
  /** Of the answer; null without one. */
  status: number | null
  /** Null when all is as it should be. */
  problem: string | null
}

/** The certificates feature answers. */
export type InstancesOf = (hostname: string) => Promise<InstanceView[]>

export interface DomainDetails extends DomainView {
  /** The record to create. */
  record: RecordAdvice
  /** What the last check saw and what to do about it. */
  lastCheck: { at: string; outcome: CheckOutcome; problems: Problem[]; nameservers: NameserverRow[] } | null
  checks: CheckView[]
  instances: InstanceView[]
}

export function domainView(
  row: DomainRow,
  known: CertificateInfo | undefined,
  dueAt: number | undefined,
  now: number,
  switchSeenAt?: number,
): DomainView {
  // What another project meets with the same hostname is not for the eyes of this one.
  const isServed = row.verified_at !== null || row.proved_at !== null
  const info = isServed && row.removed_at === null ? known : undefined
  const certificate = info?.certificate ?? null
  const certificateEndedAt = info?.certificateEndedAt ?? null
  const facts = factsOf(row, { certificate: lifeOf(certificate, certificateEndedAt), dueAt })
  const { unicode, kind } = nameOfRow(row)
  const isRedirect = row.redirect_to !== null && kind !== 'wildcard'
  return {
    id: row.id,
    hostname: row.hostname,
    unicode,
    visitName: visitName(row.hostname),
    kind,
    role: kind === 'wildcard' ? kind : isRedirect ? 'redirect' : 'primary',
    redirect: isRedirect ? { to: row.redirect_to as string, status: row.redirect_status as RedirectStatus } : null,
    hstsSeconds: row.hsts_seconds,
    state: stateOf(facts, now),
    addedAt: iso(row.added_at),
    verifiedAt: isoOrNull(row.verified_at),
    preparedAt: isoOrNull(row.prepared_at),
    provedAt: isoOrNull(row.proved_at),
    switchSeenAt: row.verified_at === null ? isoOrNull(switchSeenAt) : null,
    checkedAt: isoOrNull(row.checked_at),
    nextCheckAt: facts.dueAt === claimEndsAt(facts) ? null : isoOrNull(facts.dueAt),
    problems: [...facts.problems],
    failingSince: isoOrNull(row.failing_since),
    unclearSince: isoOrNull(row.unclear_since),
    servedUntil: isoOrNull(graceEndsAt(facts)),
    claimEndsAt: isoOrNull(claimEndsAt(facts)),
    removedAt: isoOrNull(row.removed_at),
    certificate,
    certificateEndedAt,
    issuance: info?.issuance ?? null,
  }
}

/** One that has ended is a site that has lost its certificate, not one that waits for its first. */
function lifeOf(certificate: CertificateView | null, endedAt: string | null) {
  if (certificate === null && endedAt === null) return null
  const at = (time: string | undefined) => Date.parse(time ?? (endedAt as string))
  return {
    notBefore: at(certificate?.notBefore),
    notAfter: at(certificate?.notAfter),
    renewAt: at(certificate?.renewAt),
  }
}
