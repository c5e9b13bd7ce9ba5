import './tables.ts'
import { nextNumber } from '../../platform/storage/sequence.ts'
import { defineWrite } from '../../platform/storage/storage.ts'
import type { Db, Engine } from '../../platform/storage/tables.ts'
import { cancelWork, finishWork, type Lease, scheduleWork } from '../../platform/work/lease.ts'
import {
  endSolitude,
  type Look,
  type ProofNeed,
  proofNeedOf,
  rememberHolder,
  takeClaimTurns,
  takeHostnameTurn,
  wasAlone,
} from './claims.ts'
import { claimEndsAt, columnsOf, type DomainRow, factsAt, factsOf, nextStepAt } from './facts.ts'
import { advance, type DomainEvent, type DomainFacts } from './lifecycle.ts'
import {
  attentionNews,
  expiredNews,
  liveNews,
  lostNews,
  recoveredNews,
  type Trouble,
  unservedNews,
  verifiedNews,
} from './notifications/news.ts'
import { announceDomains, CERTIFICATE_QUEUE } from './topics.ts'
import { notify } from './notifications/notifications.ts'
import { CHECK_QUEUE, findDomainById, listDomainsOfProject } from './queries.ts'
import type { CheckOutcome } from './tables.ts'
import { detachRow } from './writes.ts'

/** Rows of evidence kept for a domain; the same result again takes no new one. */
const CHECKS_MAX = 20

interface CheckResult {
  /** Its subject is the domain's id. */
  lease: Lease
  hostname: string
  outcome: CheckOutcome
  /** Codes, blocking ones first. */
  problems: string[]
  trouble: Trouble | undefined
  /** One that is good already when it is verified: of a preparation, or from before it was removed. */
  certificate: { issuer: string; notAfter: number } | undefined
  look: Look
  /** For whom the TXT proof was asked for. */
  proofAsked: ProofNeed
  /** When Verify was chosen, as the look began; null where it came by itself. */
  requestedAt: number | null
  /** Packed. */
  evidence: string
  /** A new proof for whoever loses the hostname, so that an old record cannot win it back. */
  proofForLoser: string
  now: number
}

type RecordedCheck =
  /** Another instance has taken the check over, or nobody needs it any more: nothing was kept. */
  | { kind: 'lost' }
  /** The records are right, but meanwhile another project has come: looked at again, with the proof. */
  | { kind: 'contested' }
  | { kind: 'recorded'; before: DomainRow; row: DomainRow; loser: DomainRow | undefined }

/** Evidence, facts, news and the next due time in one transaction. */
export const recordCheck = defineWrite(
  'domains.recordCheck',
  async (db, input: CheckResult, engine): Promise<RecordedCheck> => {
    const { lease, now } = input
    await takeHostnameTurn(db, engine, input.hostname)
    const before = await findDomainById(db, lease.subject)
    if (!before || before.removed_at !== null) {
      await finishWork(db, engine, lease, { nextDueAt: undefined })
      return { kind: 'lost' }
    }
    const verifies = input.outcome === 'passed' && before.verified_at === null
    if (verifies && !isProved(input, await proofNeedOf(db, before))) {
      return (await finishWork(db, engine, lease, { nextDueAt: now })) ? { kind: 'contested' } : { kind: 'lost' }
    }
    const facts = advance(await factsAt(db, before, now), await eventOf(db, before, input), now, input.requestedAt)
    if (!(await finishWork(db, engine, lease, { nextDueAt: nextStepAt(facts) }))) return { kind: 'lost' }

    const loser = verifies ? await supersedeHolder(db, engine, before, input) : undefined
    const columns = { ...columnsOf(facts), ...(await claimColumns(db, before, facts.verifiedAt, input.look, now)) }
    const row: DomainRow = { ...before, ...columns }
    await db.updateTable('domains').set(columns).where('id', '=', row.id).execute()
    await keepEvidence(db, engine, input)
    await notifyOfCheck(db, engine, before, facts, input)
    if (verifies || isNewlyProved(before, row)) await forgetOtherPreparations(db, row)
    if ((before.verified_at === null) !== (row.verified_at === null) || isNewlyProved(before, row)) {
      if (verifies) await rememberHolder(db, row.hostname, row.project_id, now)
      await scheduleWork(db, engine, { queue: CERTIFICATE_QUEUE, subject: row.hostname, dueAt: now, now })
      await announceProjectDomains(db, engine, row.project_id, now)
    } else if (hasTurned(before, row)) {
      await announceDomains(db, engine, { projectId: row.project_id, hostnames: [], now })
    }
    return { kind: 'recorded', before, row, loser }
  },
  {
    note({ outcome: result, problems }, recorded) {
      if (recorded.kind !== 'recorded') return undefined
      const { before, row, loser } = recorded
      const { hostname: subject, project_id: projectId } = row
      const verb = changeOf(before, row)
      return [
        ...(verb ? [{ verb, subject, projectId, details: { result, problems: problems.join(' ') } }] : []),
        ...(loser ? [{ verb: 'domain.lost', subject, projectId: loser.project_id }] : []),
      ]
    },
  },
)

/** Whether what was looked at is enough for what is needed now: others may have come since it was asked. */
function isProved({ proofAsked, look }: CheckResult, need: ProofNeed): boolean {
  if (need === 'none' || proofAsked === 'always' || proofAsked === need) return true
  return need === 'address' && look.lead === 'by target'
}

/** What the look says of the claim beside the facts. */
async function claimColumns(db: Db, row: DomainRow, verifiedAt: number | null, look: Look, now: number) {
  const own_zone = look.ownZone === null ? row.own_zone : Number(look.ownZone)
  if (look.lead !== 'elsewhere') return { own_zone, alone_at: verifiedAt === null ? row.alone_at : null }
  const isAlone = await wasAlone(db, look, row.hostname, row.project_id)
  if (!isAlone) await endSolitude(db, row.hostname, look)
  return { own_zone, alone_at: isAlone ? now : null }
}

/** A claim whose last rival has gone, and which nobody has asked to verify: only who is alone is written down. */
export const recordLook = defineWrite(
  'domains.recordLook',
  async (db, { lease, hostname, look, now }: Pick<CheckResult, 'lease' | 'hostname' | 'look' | 'now'>, engine) => {
    await takeHostnameTurn(db, engine, hostname)
    const row = await findDomainById(db, lease.subject)
    if (!row || row.removed_at !== null || row.verified_at !== null) {
      return void (await finishWork(db, engine, lease, { nextDueAt: now }))
    }
    if (!(await finishWork(db, engine, lease, { nextDueAt: claimEndsAt(factsOf(row)) }))) return
    const columns = await claimColumns(db, row, row.verified_at, look, now)
    await db.updateTable('domains').set(columns).where('id', '=', row.id).execute()
  },
)

const isNewlyProved = (before: DomainRow, row: DomainRow) => before.proved_at === null && row.proved_at !== null

/**
 * A hostname is served for one project at a time: whoever had prepared it before is not served by that any more, nor
 * when this one goes. Where its records still stand, its next check proves it anew.
 */
async function forgetOtherPreparations(db: Db, { id, hostname }: DomainRow): Promise<void> {
  await db
    .updateTable('domains')
    .set((eb) => ({ proved_at: null, pending_since: eb.ref('proved_at') }))
    .where('hostname', '=', hostname)
    .where('id', '!=', id)
    .where('proved_at', 'is not', null)
    .where('verified_at', 'is', null)
    .execute()
}

const hasTurned = (before: DomainRow, row: DomainRow) =>
  (before.failing_since === null) !== (row.failing_since === null)

/** Undefined for a check that only confirms what was known. */
function changeOf(before: DomainRow, row: DomainRow): string | undefined {
  if (isNewlyProved(before, row)) return 'domain.prepared'
  if (before.verified_at === null && row.verified_at !== null) return 'domain.verified'
  if (before.verified_at !== null && row.verified_at === null) return 'domain.unserved'
  return before.problems !== row.problems || hasTurned(before, row) ? 'domain.checked' : undefined
}

/** A hostname that nobody has verified in time leaves the project. */
export const expireClaim = defineWrite(
  'domains.expireClaim',
  async (db, { lease, now }: { lease: Lease; now: number }, engine) => {
    const claim = await findDomainById(db, lease.subject)
    if (claim) await takeClaimTurns(db, engine, claim.project_id, claim.hostname)
    // Anew: Verify may have prolonged it while this waited for its turn.
    const row = claim && (await findDomainById(db, claim.id))
    if (!row || row.removed_at !== null) {
      await finishWork(db, engine, lease, { nextDueAt: undefined })
      return { kind: 'lost' as const }
    }
    const endsAt = claimEndsAt(factsOf(row))
    if (endsAt === undefined || endsAt > now) {
      await finishWork(db, engine, lease, { nextDueAt: now })
      return { kind: 'kept' as const }
    }
    if (!(await finishWork(db, engine, lease, { nextDueAt: undefined }))) return { kind: 'lost' as const }
    await detachRow(db, engine, row, { removal: 'expired', revoke: false, now })
    await notify(db, engine, expiredNews(row, { since: row.pending_since ?? row.added_at, endsAt }), now)
    return { kind: 'expired' as const, row }
  },
  {
    note(_, outcome) {
      if (outcome.kind !== 'expired') return undefined
      return { verb: 'domain.expire', subject: outcome.row.hostname, projectId: outcome.row.project_id }
    },
  },
)

async function eventOf(db: Db, row: DomainRow, { outcome, problems }: CheckResult): Promise<DomainEvent> {
  if (outcome === 'prepared') return { type: outcome, problems }
  if (outcome !== 'failed') return { type: outcome }
  return { type: outcome, problems, isTaken: row.proved_at !== null && (await findHolder(db, row)) !== undefined }
}

/** The other domain that is verified with the hostname. */
function findHolder(db: Db, { id, hostname }: DomainRow): Promise<DomainRow | undefined> {
  return db
    .selectFrom('domains')
    .selectAll()
    .where('hostname', '=', hostname)
    .where('id', '!=', id)
    .where('verified_at', 'is not', null)
    .where('removed_at', 'is', null)
    .executeTakeFirst()
}

/** The newer proof wins: whoever held the hostname until now stops being served for it in this transaction. */
async function supersedeHolder(
  db: Db,
  engine: Engine,
  winner: DomainRow,
  input: CheckResult,
): Promise<DomainRow | undefined> {
  const { now, proofForLoser: proof } = input
  const holder = await findHolder(db, winner)
  if (!holder) return undefined
  const facts = advance(factsOf(holder), { type: 'superseded' }, now)
  await db
    .updateTable('domains')
    .set({ ...columnsOf(facts), alone_at: null, proof })
    .where('id', '=', holder.id)
    .execute()
  await cancelWork(db, CHECK_QUEUE, holder.id)
  await scheduleWork(db, engine, { queue: CHECK_QUEUE, subject: holder.id, dueAt: nextStepAt(facts) as number, now })
  await notify(db, engine, lostNews(holder, now), now)
  await announceProjectDomains(db, engine, holder.project_id, now)
  return holder
}

/** Where the other domains of a project lead depends on which of them are served. */
async function announceProjectDomains(db: Db, engine: Engine, projectId: number, now: number): Promise<void> {
  const rows = await listDomainsOfProject(db, projectId)
  await announceDomains(db, engine, { projectId, hostnames: rows.map(({ hostname }) => hostname), now })
}

async function notifyOfCheck(
  db: Db,
  engine: Engine,
  before: DomainRow,
  facts: DomainFacts,
  input: CheckResult,
): Promise<void> {
  const { now, outcome, trouble, certificate } = input
  if (before.verified_at === null) {
    if (facts.verifiedAt === null) return
    // Nothing is issued then, so nobody else says that it is live.
    const isToldLive = certificate !== undefined && (await notify(db, engine, liveNews(before, certificate), now))
    if (!isToldLive) await notify(db, engine, verifiedNews(before, facts.verifiedAt, certificate !== undefined), now)
    return
  }
  if (before.failing_since !== null && facts.failingSince === null) {
    await notify(db, engine, recoveredNews(before, before.failing_since), now)
  }
  if (outcome !== 'failed' || facts.failingSince === null || trouble === undefined) return
  const news =
    facts.verifiedAt === null
      ? unservedNews(before, facts.failingSince, trouble)
      : attentionNews(before, facts.failingSince, trouble, now)
  await notify(db, engine, news, now)
}

async function keepEvidence(db: Db, engine: Engine, input: CheckResult): Promise<void> {
  const { outcome, requestedAt, evidence, now } = input
  const domainId = input.lease.subject
  const problems = JSON.stringify(input.problems)
  const checks = await db
    .selectFrom('domain_checks')
    .select(['id', 'outcome', 'problems', 'times'])
    .where('domain_id', '=', domainId)
    .orderBy('id', 'desc')
    .execute()
  const [newest] = checks
  if (newest && requestedAt === null && newest.outcome === outcome && newest.problems === problems) {
    const again = { last_at: now, times: newest.times + 1, evidence }
    await db.updateTable('domain_checks').set(again).where('id', '=', newest.id).execute()
    return
  }
  const id = await nextNumber(db, engine, 'domain_checks')
  const trigger = requestedAt === null ? ('automatic' as const) : ('verify' as const)
  const row = { id, domain_id: domainId, outcome, problems, trigger, evidence, first_at: now, last_at: now, times: 1 }
  await db.insertInto('domain_checks').values(row).execute()
  const oldest = checks[CHECKS_MAX - 1]
  if (!oldest) return
  await db.deleteFrom('domain_checks').where('domain_id', '=', domainId).where('id', '<=', oldest.id).execute()
}
