import './tables.ts'
import type { Selectable } from 'kysely'
import { DAY_MS } from '../../platform/clock.ts'
import type { Db, Tables } from '../../platform/storage/tables.ts'
import { isClockSteadySince } from '../../platform/work/wrong-clock.ts'
import { type DomainName, domainNameOf } from './hostname-input.ts'
import { begunBy, type DomainFacts } from './lifecycle.ts'

export type DomainRow = Selectable<Tables['domains']>

type FactColumns = Pick<
  DomainRow,
  | 'verified_at'
  | 'prepared_at'
  | 'proved_at'
  | 'checked_at'
  | 'requested_at'
  | 'recheck_from'
  | 'failing_since'
  | 'unclear_since'
  | 'problems'
  | 'superseded_at'
  | 'pending_since'
>

/** The row as the lifecycle reads it. When it is due stands with the work, its certificate with the certificates. */
export function factsOf(
  row: DomainRow,
  elsewhere: { certificate?: DomainFacts['certificate']; dueAt?: number | undefined } = {},
): DomainFacts {
  return {
    addedAt: row.added_at,
    pendingSince: row.pending_since,
    verifiedAt: row.verified_at,
    preparedAt: row.prepared_at,
    provedAt: row.proved_at,
    checkedAt: row.checked_at,
    requestedAt: row.requested_at,
    recheckFrom: row.recheck_from,
    failingSince: row.failing_since,
    unclearSince: row.unclear_since,
    problems: JSON.parse(row.problems) as string[],
    certificate: elsewhere.certificate ?? null,
    supersededAt: row.superseded_at,
    removedAt: row.removed_at,
    dueAt: elsewhere.dueAt ?? null,
  }
}

/**
 * As a look at DNS finds them. To a clock that is behind, as before NTP has set it, all has begun in times to come: if
 * that were dated anew, graces and claims would be over once the clock is right. Nobody's is behind for a day.
 */
export async function factsAt(db: Db, row: DomainRow, now: number): Promise<DomainFacts> {
  return (await isClockSteadySince(db, now - DAY_MS)) ? begunBy(now, factsOf(row)) : factsOf(row)
}

export function columnsOf(facts: DomainFacts): FactColumns {
  return {
    pending_since: facts.pendingSince,
    verified_at: facts.verifiedAt,
    prepared_at: facts.preparedAt,
    proved_at: facts.provedAt,
    checked_at: facts.checkedAt,
    requested_at: facts.requestedAt,
    recheck_from: facts.recheckFrom,
    failing_since: facts.failingSince,
    unclear_since: facts.unclearSince,
    problems: JSON.stringify(facts.problems),
    superseded_at: facts.supersededAt,
  }
}

/** A subdomain that is a zone of its own has no room for a CNAME: it is the apex of that zone. */
export function nameOfRow({ hostname, own_zone }: Pick<DomainRow, 'hostname' | 'own_zone'>): DomainName {
  const name = domainNameOf(hostname)
  return name.kind === 'subdomain' && own_zone === 1 ? { ...name, kind: 'apex', label: '@' } : name
}

/** What a hostname that leads elsewhere may be all the same. */
export function stageOf(row: Pick<DomainRow, 'verified_at' | 'prepared_at'>): 'served' | 'preparing' | undefined {
  if (row.verified_at !== null) return 'served'
  return row.prepared_at === null ? undefined : 'preparing'
}

/** Long enough for slow DNS providers and holidays; a claim that nobody completes is no use to anybody. */
const CLAIM_LIFE_MS = 7 * DAY_MS
/** Verify and Prepare prolong a claim, but not for ever: a hostname cannot be kept waiting by pressing a button. */
const CLAIM_LIFE_MAX_MS = 30 * DAY_MS

/** When a hostname that has not been verified leaves the project by itself; undefined once it is verified. */
export function claimEndsAt(facts: DomainFacts): number | undefined {
  if (facts.verifiedAt !== null || facts.removedAt !== null) return undefined
  const since = facts.pendingSince ?? facts.addedAt
  // As long as both records stand it may wait for the day of the switch.
  if (facts.preparedAt !== null) return Math.max(since, facts.provedAt ?? 0) + CLAIM_LIFE_MAX_MS
  return Math.min(Math.max(since, facts.recheckFrom ?? 0) + CLAIM_LIFE_MS, since + CLAIM_LIFE_MAX_MS)
}

/** The next thing to do for a domain by itself: a check, or the end of a claim. */
export function nextStepAt(facts: DomainFacts): number | undefined {
  const ends = claimEndsAt(facts)
  if (ends === undefined || facts.dueAt === null) return ends ?? facts.dueAt ?? undefined
  return Math.min(ends, facts.dueAt)
}
