import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '../../platform/clock.ts'

/**
 *                verify            passed           certificate
 *  awaiting dns ────────▶ verifying ───────▶ issuing ───────────▶ live
 *    ▲     ▲  failed, inconclusive │            │ failed            │ failed, or the
 *    │     └───────────────────────┘            ▼                   ▼ certificate at risk
 *    │         failed after 14 days of grace            attention ──▶ live (passed, renewed)
 *    └──────────────────────────────────────────────────────┘
 *  Prepared, before it leads here: preparing ──both records──▶ issuing ──certificate──▶ ready ──passed──▶ live
 *  removed: from everywhere, for ever. superseded (another project proved ownership): back to awaiting dns.
 *
 * The state is derived from facts and never stored. An inconclusive check changes no state of a verified domain:
 * only when to look again.
 */
export type DomainState =
  | 'awaiting dns'
  | 'preparing'
  | 'verifying'
  | 'issuing'
  | 'ready'
  | 'live'
  | 'attention'
  | 'removed'

export interface DomainFacts {
  addedAt: number
  /** Since when it has been waiting to be verified, for the first time or again; null once it is. */
  pendingSince: number | null
  verifiedAt: number | null
  /** When it was asked to have its certificate before it leads here; null for one that goes the ordinary way. */
  preparedAt: number | null
  /** When both records of its preparation were last seen. */
  provedAt: number | null
  /** The last finished check, whatever came of it. */
  checkedAt: number | null
  /** When a person chose Verify; null again as soon as that check has finished. */
  requestedAt: number | null
  /** Start of the 48 hours in which an unverified domain is checked again by itself. */
  recheckFrom: number | null
  /** First failed check since the last one that passed: the grace counts from here. */
  failingSince: number | null
  /** Since when DNS gives no clear answer. */
  unclearSince: number | null
  /** Codes of the last check that was clear, blocking ones first. */
  problems: readonly string[]
  certificate: CertificateLife | null
  /** Another project has proved that the hostname is its own. */
  supersededAt: number | null
  removedAt: number | null
  /** When the reconciler should check next; null for not by itself. */
  dueAt: number | null
}

interface Validity {
  notBefore: number
  notAfter: number
}

interface CertificateLife extends Validity {
  /** As planned by its authority, or else by us. */
  renewAt: number
}

export type DomainEvent =
  /** A person chose Verify or Re-verify. */
  | { type: 'verify' }
  | { type: 'passed' }
  /** `isTaken`: it is verified for another project. */
  | { type: 'failed'; problems: readonly string[]; isTaken?: boolean }
  | { type: 'inconclusive' }
  /** It leads elsewhere, and its owner lets us serve it and have its certificate all the same. */
  | { type: 'prepared'; problems: readonly string[] }
  | ({ type: 'certificate' } & CertificateLife)
  | { type: 'superseded' }
  | { type: 'removed' }

const RECHECK_WINDOW_MS = 48 * HOUR_MS
export const GRACE_MS = 14 * DAY_MS
/** The contract's promise is "a couple of minutes", and its troubleshooting begins here. */
export const CERTIFICATE_LATE_MS = 30 * MINUTE_MS

export function addedDomain(now: number): DomainFacts {
  return {
    addedAt: now,
    pendingSince: now,
    verifiedAt: null,
    preparedAt: null,
    provedAt: null,
    checkedAt: null,
    requestedAt: null,
    recheckFrom: null,
    failingSince: null,
    unclearSince: null,
    problems: [],
    certificate: null,
    supersededAt: null,
    removedAt: null,
    dueAt: null,
  }
}

/** One that is looked at by itself from the beginning, until its records are there and until it leads here. */
export function preparedDomain(facts: DomainFacts, now: number): DomainFacts {
  const begun = { ...facts, preparedAt: now, recheckFrom: now }
  return { ...begun, dueAt: nextLook(begun, now) }
}

export function stateOf(facts: DomainFacts, now: number): DomainState {
  if (facts.removedAt !== null) return 'removed'
  if (facts.verifiedAt === null) {
    if (facts.requestedAt !== null) return 'verifying'
    if (facts.preparedAt === null) return 'awaiting dns'
    if (facts.provedAt === null || facts.failingSince !== null) return 'preparing'
    return facts.certificate === null || facts.certificate.notAfter <= now ? 'issuing' : 'ready'
  }
  if (facts.failingSince !== null) return 'attention'
  if (facts.certificate === null) return 'issuing'
  return isCertificateAtRisk(facts.certificate, now) ? 'attention' : 'live'
}

/** When a verified domain that fails is no longer served; undefined while nothing fails. */
export function graceEndsAt({ verifiedAt, failingSince }: DomainFacts): number | undefined {
  return verifiedAt === null || failingSince === null ? undefined : failingSince + GRACE_MS
}

/** Renewal begins at a third of the life left, or half of a short one; half of that time gone is a risk. */
export function certificateRiskAt({ notBefore, notAfter }: Validity): number {
  const lifeMs = notAfter - notBefore
  return Math.ceil(notAfter - lifeMs / (lifeMs < 10 * DAY_MS ? 4 : 6))
}

/** A renewal may take this share of the life, a day and a half of 90 days and ten seconds of ten minutes. */
const RENEWAL_SHARE = 1 / 60

export const renewalOverdueAt = ({ notBefore, notAfter, renewAt }: CertificateLife) =>
  renewAt + (notAfter - notBefore) * RENEWAL_SHARE

/** An authority may plan the renewal for later than that: it is no risk before it has been missed. */
export const isCertificateAtRisk = (life: CertificateLife, now: number) =>
  now >= Math.max(certificateRiskAt(life), Math.min(renewalOverdueAt(life), life.notAfter))

/** What the facts become; the same for the same event at the same time. `requestedAt`: as it was when a look began. */
export function advance(
  facts: DomainFacts,
  event: DomainEvent,
  now: number,
  requestedAt = facts.requestedAt,
): DomainFacts {
  if (facts.removedAt !== null) return facts
  // Verify, chosen since then, is answered by the next look: this one may have missed what was mended.
  const isAnswer = facts.requestedAt === requestedAt
  const looked = isAnswer ? { ...facts, requestedAt: null, checkedAt: now } : facts
  switch (event.type) {
    case 'verify':
      return { ...facts, requestedAt: now, recheckFrom: now, supersededAt: null, dueAt: now }
    case 'passed':
      return passed(looked, now)
    case 'failed':
      return failed(looked, event, now)
    case 'inconclusive':
      return inconclusive(looked, now)
    case 'prepared':
      return prepared(looked, event.problems, now)
    case 'certificate': {
      const { type: _, ...certificate } = event
      return { ...facts, certificate }
    }
    case 'superseded':
      return { ...facts, ...UNVERIFIED, pendingSince: now, recheckFrom: null, supersededAt: now, dueAt: null }
    case 'removed':
      return { ...facts, removedAt: now, dueAt: null }
  }
}

/** A clock that was ahead notes beginnings to come: a grace would last, and pauses stay short, until then. */
export function begunBy(now: number, facts: DomainFacts): DomainFacts {
  const by = (at: number | null) => at && Math.min(at, now)
  return {
    ...facts,
    pendingSince: by(facts.pendingSince),
    provedAt: by(facts.provedAt),
    recheckFrom: by(facts.recheckFrom),
    failingSince: by(facts.failingSince),
    unclearSince: by(facts.unclearSince),
  }
}

function passed(facts: DomainFacts, now: number): DomainFacts {
  const clear = { failingSince: null, unclearSince: null, problems: [], recheckFrom: null, supersededAt: null }
  return { ...facts, ...clear, verifiedAt: facts.verifiedAt ?? now, pendingSince: null, dueAt: now + LIVE_RECHECK_MS }
}

function prepared(facts: DomainFacts, problems: readonly string[], now: number): DomainFacts {
  const clear = { ...facts, failingSince: null, unclearSince: null, problems }
  if (facts.verifiedAt !== null) return { ...clear, recheckFrom: null, dueAt: now + LIVE_RECHECK_MS }
  return { ...clear, provedAt: facts.preparedAt === null ? null : now, dueAt: now + READY_RECHECK_MS }
}

function failed(
  facts: DomainFacts,
  { problems, isTaken = false }: Extract<DomainEvent, { type: 'failed' }>,
  now: number,
): DomainFacts {
  const failing = { ...facts, problems, failingSince: facts.failingSince ?? now, unclearSince: null }
  const endsAt = graceEndsAt(failing)
  if (endsAt === undefined) {
    // Nobody is served by it, so patience helps nobody: it must not come back when the other project goes.
    return { ...(isTaken ? unproved(failing) : failing), dueAt: nextLook(facts, now) }
  }
  if (now >= endsAt) {
    const begun = { ...failing, ...UNSERVED, pendingSince: now, recheckFrom: now }
    return { ...begun, dueAt: nextLook(begun, now) }
  }
  return { ...failing, dueAt: Math.min(endsAt, now + pause(now - failing.failingSince, DRIFT_PAUSE_MS)) }
}

function inconclusive(facts: DomainFacts, now: number): DomainFacts {
  const unclearSince = facts.unclearSince ?? now
  const unclear = { ...facts, unclearSince }
  if (facts.verifiedAt === null) return { ...unclear, dueAt: nextLook(facts, now) }
  return { ...unclear, dueAt: now + pause(now - unclearSince, UNCLEAR_PAUSE_MS) }
}

/**
 * Growing pauses inside the 48 hours, then nothing until a person chooses Verify. One that is being prepared is looked
 * at for as long as it is attached.
 */
function nextLook({ recheckFrom: from, preparedAt }: DomainFacts, now: number): number | null {
  if (from === null) return null
  if (preparedAt !== null) return now + pause(now - from, RECHECK_PAUSE_MS)
  if (now >= from + RECHECK_WINDOW_MS) return null
  return Math.min(from + RECHECK_WINDOW_MS, now + pause(now - from, RECHECK_PAUSE_MS))
}

/** As long again as it has lasted already: the pauses double, with no counter to keep. */
function pause(lastedMs: number, [leastMs, mostMs]: readonly [number, number]): number {
  return Math.min(mostMs, Math.max(leastMs, lastedMs))
}

/** It waits on for as long as it would have: from when both records were last seen. */
const unproved = (facts: DomainFacts): DomainFacts => ({
  ...facts,
  provedAt: null,
  pendingSince: facts.provedAt ?? facts.pendingSince,
})

/** The preparation of a domain that was verified is over: it would be served by that for longer. */
const UNSERVED = { verifiedAt: null, preparedAt: null, provedAt: null } as const

const UNVERIFIED = {
  ...UNSERVED,
  requestedAt: null,
  failingSince: null,
  unclearSince: null,
  problems: [],
} as const

const LIVE_RECHECK_MS = DAY_MS
/** Nobody waits for it: from the switch on visitors are served by its preparation. */
const READY_RECHECK_MS = 15 * MINUTE_MS
const RECHECK_PAUSE_MS = [30 * SECOND_MS, HOUR_MS] as const
const UNCLEAR_PAUSE_MS = [5 * MINUTE_MS, 4 * HOUR_MS] as const
const DRIFT_PAUSE_MS = [5 * MINUTE_MS, 4 * HOUR_MS] as const
