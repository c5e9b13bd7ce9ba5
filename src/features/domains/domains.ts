import { randomBytes } from 'node:crypto'
import { conflict, invalid, notFound, PetstoreError } from '../../platform/errors.ts'
import { newId } from '../../platform/id.ts'
import { enterOrRefuse, refuseUsedUp } from '../../platform/share.ts'
import type { ChangeFeed } from '../../platform/storage/change-feed.ts'
import type { AuditedStorage } from '../../platform/storage/storage.ts'
import type { Plan } from '../projects/tables.ts'
import { DOMAINS_MAX, type Look, newProof, PENDING_MAX, rivalsOf } from './claims.ts'
import {
  type DomainDetailsNeeds,
  type DomainViewNeeds,
  loadDomainDetails,
  loadDomainView,
  loadDomainViews,
} from './details.ts'
import type { NameserverRow } from './diagnosis/diagnose.ts'
import type { DnsCheck } from './dns-check.ts'
import type { DomainRow } from './facts.ts'
import { readHostnameInput, refuseReserved } from './hostname-input.ts'
import { isWildcard } from './preparation/challenge-zone.ts'
import { type Evidence, unpackEvidence } from './observation/evidence.ts'
import { findDomain, findEvidence, findTargetLabel, listDomainsOfProject, projectDomains } from './queries.ts'
import type { ProjectDomains } from './redirects.ts'
import type { DomainShares } from './observation/shares.ts'
import type { WatchMove } from './switch/move-writes.ts'
import type { DomainDetails, DomainView } from './view.ts'
import {
  insertDomain,
  makePrimaryRow,
  placeFor,
  removeDomainRow,
  requestCheck,
  type RoleOutcome,
  setHsts,
  setRedirectRow,
} from './writes.ts'

/** Who asks, as the request's own check of the session found out. */
export interface DomainActor {
  projectId: number
  role: 'viewer' | 'editor' | 'owner'
}

/** What adding a domain depends on outside of this feature. */
interface ProjectFacts {
  plan: Plan
  /** Whether it shows a deploy of its own; the starter site is none. */
  deployed: boolean
}

export interface DomainsNeeds extends DomainDetailsNeeds {
  changes: ChangeFeed
  check: DnsCheck
  shares: DomainShares
  /** Names that belong to the platform itself and cannot be added. */
  ownNames: readonly string[]
  projectFacts: (projectId: number) => Promise<ProjectFacts>
  watchMove: WatchMove
}

interface NewDomain {
  hostname: string
  /** It is to have its certificate before it leads here. */
  prepare?: boolean
}

export async function addDomain(needs: DomainsNeeds, actor: DomainActor, input: NewDomain): Promise<DomainDetails> {
  const { storage, clock, changes, ownNames, platformHost } = needs
  requireEditor(actor, 'Adding a domain')
  const { plan, deployed } = await needs.projectFacts(actor.projectId)
  if (plan === 'free') throw noPlace('plan_required', input.hostname)
  if (!deployed) {
    const how = 'Deploy a site of your own first: in the dashboard under Deploys, or with petstore deploy DIRECTORY.'
    throw conflict(`This project shows no site of its own yet. ${how} Then add the domain.`)
  }
  const wildcards = needs.challengeZone !== undefined
  const name = readHostnameInput(input.hostname, [...ownNames, platformHost], { wildcards })
  if (!name.ok) throw invalid(name.message)
  const { hostname } = name
  const reserved = refuseReserved(hostname, platformHost)
  if (reserved !== undefined) throw invalid(reserved)
  refuseUsedUp(needs.shares.questions, actor.projectId, 'DNS questions')
  using _ = enterOrRefuse(needs.shares.verify, actor.projectId, 'Adding and verifying domains')
  const place = placeFor(await listDomainsOfProject(storage.read, actor.projectId), hostname)
  if (place.kind !== 'free') throw noPlace(place.kind, hostname)
  const targetLabel = (await findTargetLabel(storage.read, actor.projectId)) ?? randomBytes(12).toString('hex')
  const { look, nameservers } = await firstLook(needs, actor, { hostname, target: `${targetLabel}.${platformHost}` })
  const outcome = await storage.write(insertDomain, {
    id: newId('dom'),
    projectId: actor.projectId,
    hostname,
    proof: newProof(),
    targetLabel,
    look,
    prepare: input.prepare ?? false,
    now: clock.now(),
  })
  if (outcome.kind !== 'added') throw noPlace(outcome.kind, hostname)
  await needs.watchMove(outcome.row, nameservers)
  await changes.catchUp()
  return loadDomainDetails(needs, outcome.row)
}

/** Whether the hostname leads here already, before it is anybody's doing. */
async function firstLook(
  { storage, clock, check }: DomainsNeeds,
  { projectId }: DomainActor,
  subject: { hostname: string; target: string },
): Promise<{ look: Look; nameservers: NameserverRow[] }> {
  const rivals = await rivalsOf(storage.read, subject.hostname, projectId)
  const startedAt = clock.now()
  const { lead, ownZone, nameservers } = (await check({ projectId, ...subject })).diagnosis
  return { look: { startedAt, lead, ownZone, rivals }, nameservers }
}

type NoPlace = 'no_project' | 'plan_required' | 'already_attached' | 'too_many' | 'too_many_pending'

function noPlace(kind: NoPlace, hostname: string): PetstoreError {
  switch (kind) {
    case 'no_project':
      return notFound('This project has been deleted.')
    case 'plan_required':
      return new PetstoreError(
        'plan_required',
        'Custom domains need the plan Pro or above, and this project is on Free: change its plan first.',
      )
    case 'already_attached':
      return conflict(`${hostname} is attached to this project already.`)
    case 'too_many':
      return conflict(`This project has ${DOMAINS_MAX} domains, which is the most: remove one first.`)
    case 'too_many_pending':
      return conflict(`${PENDING_MAX} domains of this project wait for their DNS records: verify or remove some first.`)
  }
}

/** In the contract's shape. */
export async function listDomains(
  { storage }: { storage: AuditedStorage },
  { projectId }: DomainActor,
): Promise<ProjectDomains> {
  return projectDomains(await listDomainsOfProject(storage.read, projectId))
}

/** Every domain of the project with its state. */
export async function listDomainViews(needs: DomainViewNeeds, { projectId }: DomainActor): Promise<DomainView[]> {
  return loadDomainViews(needs, await listDomainsOfProject(needs.storage.read, projectId))
}

export async function showDomain(
  needs: DomainDetailsNeeds,
  actor: DomainActor,
  hostname: string,
): Promise<DomainDetails> {
  return loadDomainDetails(needs, await requireDomain(needs, actor, hostname, { removedToo: true }))
}

/** Verify and Re-verify: the check, and the try for a missing certificate, start at once on any free instance. */
export async function verifyDomain(needs: DomainsNeeds, actor: DomainActor, hostname: string): Promise<DomainView> {
  const { storage, clock, changes } = needs
  requireEditor(actor, 'Verifying a domain')
  refuseUsedUp(needs.shares.questions, actor.projectId, 'DNS questions')
  using _ = enterOrRefuse(needs.shares.verify, actor.projectId, 'Adding and verifying domains')
  const row = await requireDomain(needs, actor, hostname)
  const request = { projectId: actor.projectId, hostname: row.hostname, now: clock.now() }
  const outcome = await storage.write(requestCheck, request)
  if (outcome.kind === 'missing') throw noSuchDomain(hostname)
  await changes.catchUp()
  return loadDomainView(needs, outcome.row)
}

export async function makePrimary(needs: DomainsNeeds, actor: DomainActor, hostname: string): Promise<ProjectDomains> {
  requireEditor(actor, 'Choosing the primary domain')
  const row = await requireDomain(needs, actor, hostname)
  refuseWildcard(row)
  const { storage, clock } = needs
  const input = { projectId: actor.projectId, hostname: row.hostname, now: clock.now() }
  return settled(needs, await storage.write(makePrimaryRow, input))
}

export async function redirectDomain(
  needs: DomainsNeeds,
  actor: DomainActor,
  input: { from: string; to: string; status?: number | undefined },
): Promise<ProjectDomains> {
  requireEditor(actor, 'Setting a redirect')
  const row = await requireDomain(needs, actor, input.from)
  refuseWildcard(row)
  const { storage, clock } = needs
  const redirect = {
    projectId: actor.projectId,
    hostname: row.hostname,
    to: canonical(input.to),
    status: input.status ?? row.redirect_status ?? 301,
    now: clock.now(),
  }
  return settled(needs, await storage.write(setRedirectRow, redirect))
}

export async function changeHsts(
  needs: DomainsNeeds,
  actor: DomainActor,
  input: { hostname: string; seconds: number | null },
): Promise<DomainView> {
  requireEditor(actor, 'Changing a domain')
  const { storage, clock, changes } = needs
  const { hostname } = await requireDomain(needs, actor, input.hostname)
  const change = { projectId: actor.projectId, hostname, seconds: input.seconds, now: clock.now() }
  const outcome = await storage.write(setHsts, change)
  if (outcome.kind === 'missing') throw noSuchDomain(input.hostname)
  await changes.catchUp()
  return loadDomainView(needs, await requireDomain(needs, actor, hostname))
}

/** Traffic stops at once. */
export async function removeDomain(
  needs: DomainsNeeds,
  actor: DomainActor,
  input: { hostname: string; revoke?: boolean | undefined },
): Promise<{ domains: ProjectDomains; removed: DomainView }> {
  requireEditor(actor, 'Removing a domain')
  const { storage, clock, changes } = needs
  const { hostname } = await requireDomain(needs, actor, input.hostname)
  const outcome = await storage.write(removeDomainRow, {
    projectId: actor.projectId,
    hostname,
    revoke: input.revoke ?? false,
    now: clock.now(),
  })
  if (outcome.kind === 'missing') throw noSuchDomain(input.hostname)
  await changes.catchUp()
  return { domains: await listDomains(needs, actor), removed: await loadDomainView(needs, outcome.row) }
}

/** The bundle from which a check can be diagnosed again, offline: of one check, or of the newest. */
export async function domainEvidence(
  needs: { storage: AuditedStorage },
  actor: DomainActor,
  input: { hostname: string; checkId?: number | undefined },
): Promise<Evidence> {
  const row = await requireDomain(needs, actor, input.hostname, { removedToo: true })
  const check = await findEvidence(needs.storage.read, row.id, input.checkId)
  if (!check) throw notFound(`${row.hostname} has not been checked yet: choose Verify first.`)
  return unpackEvidence(check.evidence)
}

export async function requireDomain(
  { storage }: { storage: AuditedStorage },
  { projectId }: DomainActor,
  hostname: string,
  { removedToo = false }: { removedToo?: boolean } = {},
): Promise<DomainRow> {
  const row = await findDomain(storage.read, projectId, canonical(hostname))
  if (!row || (row.removed_at !== null && !removedToo)) throw noSuchDomain(hostname)
  return row
}

async function settled({ changes }: DomainsNeeds, outcome: RoleOutcome): Promise<ProjectDomains> {
  if (outcome.kind !== 'refused') {
    await changes.catchUp()
    return outcome.domains
  }
  const isAbsent = outcome.reason === 'not_attached' || outcome.reason === 'target_not_attached'
  throw new PetstoreError(isAbsent || outcome.reason === 'bad_status' ? 'invalid_request' : 'conflict', outcome.message)
}

export function requireEditor({ role }: DomainActor, what: string): void {
  if (role !== 'viewer') return
  const message = `${what} needs the role editor, and you are viewer of this project: ask an owner.`
  throw new PetstoreError('forbidden', message)
}

function refuseWildcard({ hostname }: DomainRow): void {
  if (!isWildcard(hostname)) return
  throw conflict(`${hostname} shows the site at every name that it stands for: it is no primary and no redirect.`)
}

/** People paste addresses here too; what cannot be a hostname simply is not found. */
function canonical(hostname: string): string {
  const name = readHostnameInput(hostname, [], { wildcards: true })
  return name.ok ? name.hostname : hostname.toLowerCase()
}

const noSuchDomain = (hostname: string) => notFound(`${hostname} is not attached to this project. Add it first.`)
