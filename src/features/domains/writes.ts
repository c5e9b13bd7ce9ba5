import './tables.ts'
import { defineWrite } from '../../platform/storage/storage.ts'
import type { Db, Engine } from '../../platform/storage/tables.ts'
import { cancelWork, scheduleWork } from '../../platform/work/lease.ts'
import {
  DOMAINS_MAX,
  endSolitude,
  ensureTargetLabel,
  hasCertificates,
  type Look,
  PENDING_MAX,
  proofNeedOf,
  takeClaimTurns,
  takeDomainsTurn,
  takeHostnameTurn,
  wasAlone,
} from './claims.ts'
import { findProjectForUpdate } from '../projects/queries.ts'
import { isWildcard } from './preparation/challenge-zone.ts'
import { columnsOf, type DomainRow, factsOf, nextStepAt } from './facts.ts'
import { addedDomain, advance, preparedDomain } from './lifecycle.ts'
import { announceDomains, CERTIFICATE_QUEUE } from './topics.ts'
import { CHECK_QUEUE, findDomain, listDomainsOfProject, projectDomains } from './queries.ts'
import {
  attach,
  detach,
  makePrimary,
  type ProjectDomains,
  redirectFor,
  type RedirectRefusal,
  setRedirect,
} from './redirects.ts'
import type { Removal } from './tables.ts'

interface NewDomain {
  id: string
  projectId: number
  hostname: string
  proof: string
  /** The project's target if it has none yet. */
  targetLabel: string
  look: Look
  /** To have its certificate before it leads here. */
  prepare?: boolean
  now: number
}

export const insertDomain = defineWrite(
  'domains.insert',
  async (db, input: NewDomain, engine) => {
    const { id, projectId, hostname, proof, look, now } = input
    await takeClaimTurns(db, engine, projectId, hostname)
    // The look at DNS took its time: the project may have been deleted meanwhile, or have another plan.
    const project = await findProjectForUpdate(db, engine, projectId)
    if (!project) return { kind: 'no_project' as const }
    if (project.plan === 'free') return { kind: 'plan_required' as const }
    const place = placeFor(await listDomainsOfProject(db, projectId), hostname)
    if (place.kind !== 'free') return place
    const redirect = redirectFor(place.domains, hostname)
    const facts = input.prepare ? preparedDomain(addedDomain(now), now) : addedDomain(now)
    const row: DomainRow = {
      id,
      project_id: projectId,
      hostname,
      proof,
      added_at: now,
      redirect_to: redirect?.to ?? null,
      redirect_status: redirect?.status ?? null,
      hsts_seconds: null,
      ...columnsOf(facts),
      alone_at: (await wasAlone(db, look, hostname, projectId)) ? now : null,
      own_zone: look.ownZone === null ? null : Number(look.ownZone),
      removed_at: null,
      removal: null,
      revoke: 0,
    }
    await endSolitude(db, hostname, look)
    await db.insertInto('domains').values(row).execute()
    await ensureTargetLabel(db, projectId, input.targetLabel, now)
    await scheduleWork(db, engine, { queue: CHECK_QUEUE, subject: id, dueAt: nextStepAt(facts) as number, now })
    await announceDomains(db, engine, { projectId, hostnames: [], now })
    return { kind: 'added' as const, row, proof: await proofNeedOf(db, row) }
  },
  {
    note({ hostname, projectId }, outcome) {
      if (outcome.kind !== 'added') return undefined
      const details = { redirectsTo: outcome.row.redirect_to, proof: outcome.proof }
      const verb = outcome.row.prepared_at === null ? 'domain.add' : 'domain.prepare'
      return { verb, subject: hostname, projectId, details }
    },
  },
)

/** Whether the project may have the hostname beside its other domains. */
export function placeFor(rows: readonly DomainRow[], hostname: string) {
  if (rows.some((row) => row.hostname === hostname)) return { kind: 'already_attached' as const }
  if (rows.length >= DOMAINS_MAX) return { kind: 'too_many' as const }
  const pending = rows.filter((row) => row.verified_at === null)
  if (pending.length >= PENDING_MAX) return { kind: 'too_many_pending' as const }
  const before = projectDomains(rows)
  const attached = isWildcard(hostname) ? undefined : attach(before, hostname)
  return { kind: 'free' as const, domains: attached?.ok ? attached.domains : before }
}

interface OneDomain {
  projectId: number
  hostname: string
  now: number
}

/** A person chose Verify or Re-verify: the DNS is looked at now, and a missing certificate is tried for now. */
export const requestCheck = defineWrite(
  'domains.requestCheck',
  async (db, input: OneDomain, engine) => {
    const { projectId, hostname, now } = input
    await takeHostnameTurn(db, engine, hostname)
    const row = await findDomain(db, projectId, hostname)
    if (!row || row.removed_at !== null) return { kind: 'missing' as const }
    const facts = advance(factsOf(row), { type: 'verify' }, now)
    await db.updateTable('domains').set(columnsOf(facts)).where('id', '=', row.id).execute()
    await scheduleWork(db, engine, { queue: CHECK_QUEUE, subject: row.id, dueAt: now, now })
    if (row.verified_at !== null || row.proved_at !== null) {
      await scheduleWork(db, engine, { queue: CERTIFICATE_QUEUE, subject: hostname, dueAt: now, now })
    }
    return { kind: 'requested' as const, row: { ...row, ...columnsOf(facts) } }
  },
  {
    note: ({ hostname, projectId }, { kind }) =>
      kind === 'requested' ? { verb: 'domain.verify', subject: hostname, projectId } : undefined,
  },
)

/** A domain that waits for its record is to have its certificate before. */
export const prepareRow = defineWrite(
  'domains.prepare',
  async (db, input: OneDomain, engine) => {
    const { projectId, hostname, now } = input
    await takeHostnameTurn(db, engine, hostname)
    const row = await findDomain(db, projectId, hostname)
    if (!row || row.removed_at !== null) return { kind: 'missing' as const }
    if (row.verified_at !== null) return { kind: 'verified' as const }
    const facts = preparedDomain({ ...factsOf(row), problems: [], failingSince: null }, now)
    await db.updateTable('domains').set(columnsOf(facts)).where('id', '=', row.id).execute()
    await scheduleWork(db, engine, { queue: CHECK_QUEUE, subject: row.id, dueAt: nextStepAt(facts) as number, now })
    return { kind: 'prepared' as const, row: { ...row, ...columnsOf(facts) } }
  },
  {
    note: ({ hostname, projectId }, { kind }) =>
      kind === 'prepared' ? { verb: 'domain.prepare', subject: hostname, projectId } : undefined,
  },
)

export type RoleOutcome =
  | { kind: 'saved' | 'as-before'; before: ProjectDomains; domains: ProjectDomains }
  | { kind: 'refused'; reason: RedirectRefusal; message: string }

export const makePrimaryRow = defineWrite(
  'domains.makePrimary',
  (db, input: OneDomain, engine) => changeRoles(db, engine, input, (domains) => makePrimary(domains, input.hostname)),
  {
    note({ hostname, projectId }, outcome) {
      if (outcome.kind !== 'saved') return undefined
      return { verb: 'domain.primary', subject: hostname, projectId, details: { before: outcome.before.primary } }
    },
  },
)

export const setRedirectRow = defineWrite(
  'domains.setRedirect',
  (db, input: OneDomain & { to: string; status: number }, engine) =>
    changeRoles(db, engine, input, (domains) =>
      setRedirect(domains, { from: input.hostname, to: input.to, status: input.status }),
    ),
  {
    note: ({ hostname, projectId, to, status }, { kind }) =>
      kind === 'saved' ? { verb: 'domain.redirect', subject: hostname, projectId, details: { to, status } } : undefined,
  },
)

type HstsChange = OneDomain & { seconds: number | null }

export const setHsts = defineWrite(
  'domains.setHsts',
  async (db, input: HstsChange, engine) => {
    const { projectId, hostname, seconds, now } = input
    await takeHostnameTurn(db, engine, hostname)
    const row = await findDomain(db, projectId, hostname)
    if (!row || row.removed_at !== null) return { kind: 'missing' as const }
    if (row.hsts_seconds === seconds) return { kind: 'as-before' as const }
    await db.updateTable('domains').set({ hsts_seconds: seconds }).where('id', '=', row.id).execute()
    await announceDomains(db, engine, { projectId, hostnames: [hostname], now })
    return { kind: 'saved' as const }
  },
  {
    note: ({ hostname, projectId, seconds }, { kind }) =>
      kind === 'saved' ? { verb: 'domain.hsts', subject: hostname, projectId, details: { seconds } } : undefined,
  },
)

/** Traffic stops with this transaction: every instance forgets the hostname within half a second. */
export const removeDomainRow = defineWrite(
  'domains.remove',
  async (db, input: OneDomain & { revoke: boolean }, engine) => {
    const { projectId, hostname, revoke, now } = input
    await takeClaimTurns(db, engine, projectId, hostname)
    const row = await findDomain(db, projectId, hostname)
    if (!row || row.removed_at !== null) return { kind: 'missing' as const }
    const revokes = revoke && (await hasCertificates(db, row))
    await detachRow(db, engine, row, { removal: 'person', revoke: revokes, now })
    return { kind: 'removed' as const, row: { ...row, removed_at: now, removal: 'person' as const }, revokes }
  },
  {
    note({ hostname, projectId }, outcome) {
      if (outcome.kind !== 'removed') return undefined
      return { verb: 'domain.remove', subject: hostname, projectId, details: { revoke: outcome.revokes } }
    },
  },
)

/** For the transaction that deletes a project, while it has the turns of its domains. */
export async function removeDomainsOfProject(db: Db, engine: Engine, projectId: number, now: number): Promise<void> {
  for (const row of await listDomainsOfProject(db, projectId)) {
    await detachRow(db, engine, row, { removal: 'project', revoke: false, now })
  }
}

/** The row stays as a record; what redirected to it leads to the primary. Call it while it is the project's turn. */
export async function detachRow(
  db: Db,
  engine: Engine,
  row: DomainRow,
  { removal, revoke, now }: { removal: Removal; revoke: boolean; now: number },
): Promise<void> {
  const { project_id: projectId, hostname } = row
  const rows = await listDomainsOfProject(db, projectId)
  const left = detach(projectDomains(rows), hostname)
  await db
    .updateTable('domains')
    .set({ removed_at: now, removal, revoke: Number(revoke) })
    .where('id', '=', row.id)
    .execute()
  await cancelWork(db, CHECK_QUEUE, row.id)
  if (row.verified_at !== null || row.proved_at !== null || revoke) {
    await scheduleWork(db, engine, { queue: CERTIFICATE_QUEUE, subject: hostname, dueAt: now, now })
  }
  await lookForTheLast(db, engine, hostname, now)
  const changed = left.ok ? await saveRoles(db, rows, left.domains) : []
  await announceDomains(db, engine, { projectId, hostnames: [hostname, ...changed], now })
}

/** Whoever is left alone with a claim on a hostname may have it without a proof again, if it does not lead here yet. */
async function lookForTheLast(db: Db, engine: Engine, hostname: string, now: number): Promise<void> {
  const left = await db
    .selectFrom('domains')
    .select('id')
    .where('hostname', '=', hostname)
    .where('removed_at', 'is', null)
    .limit(2)
    .execute()
  const [last, another] = left
  if (last && !another) await scheduleWork(db, engine, { queue: CHECK_QUEUE, subject: last.id, dueAt: now, now })
}

async function changeRoles(
  db: Db,
  engine: Engine,
  { projectId, now }: OneDomain,
  change: (domains: ProjectDomains) => ReturnType<typeof makePrimary>,
): Promise<RoleOutcome> {
  await takeDomainsTurn(db, engine, projectId)
  const rows = await listDomainsOfProject(db, projectId)
  const before = projectDomains(rows)
  const outcome = change(before)
  if (!outcome.ok) return { kind: 'refused', reason: outcome.reason, message: outcome.message }
  const hostnames = await saveRoles(db, rows, outcome.domains)
  if (hostnames.length === 0) return { kind: 'as-before', before, domains: before }
  await announceDomains(db, engine, { projectId, hostnames, now })
  return { kind: 'saved', before, domains: outcome.domains }
}

/** Writes the roles that differ, and says whose. */
async function saveRoles(db: Db, rows: readonly DomainRow[], domains: ProjectDomains): Promise<string[]> {
  const changed: string[] = []
  for (const row of rows) {
    const redirect = redirectFor(domains, row.hostname)
    const isAttached = redirect !== undefined || domains.primary === row.hostname
    const role = { redirect_to: redirect?.to ?? null, redirect_status: redirect?.status ?? null }
    const isSame = row.redirect_to === role.redirect_to && row.redirect_status === role.redirect_status
    if (!isAttached || isSame) continue
    await db.updateTable('domains').set(role).where('id', '=', row.id).execute()
    changed.push(row.hostname)
  }
  return changed
}
