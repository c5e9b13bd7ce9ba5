import './tables.ts'
import '../projects/tables.ts'
import { prepare } from '../../platform/storage/prepared.ts'
import type { Db } from '../../platform/storage/tables.ts'
import type { DomainRow } from './facts.ts'
import { isWildcard, wildcardOver } from './preparation/challenge-zone.ts'
import type { ProjectDomains, RedirectStatus } from './redirects.ts'

/** Subjects are ids of domains. */
export const CHECK_QUEUE = 'domain checks'

export function listDomainsOfProject(db: Db, projectId: number): Promise<DomainRow[]> {
  return db
    .selectFrom('domains')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('removed_at', 'is', null)
    .orderBy('added_at')
    .orderBy('hostname')
    .execute()
}

export function listRemovedDomains(db: Db, projectId: number, since: number): Promise<DomainRow[]> {
  return db
    .selectFrom('domains')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('removed_at', '>=', since)
    .orderBy('removed_at', 'desc')
    .limit(50)
    .execute()
}

/** By its hostname; the one that is attached before any that was removed. */
export function findDomain(db: Db, projectId: number, hostname: string): Promise<DomainRow | undefined> {
  return db
    .selectFrom('domains')
    .selectAll()
    .where('project_id', '=', projectId)
    .where('hostname', '=', hostname)
    .orderBy((eb) => eb.case().when('removed_at', 'is', null).then(0).else(1).end())
    .orderBy('removed_at', 'desc')
    .limit(1)
    .executeTakeFirst()
}

export function findDomainById(db: Db, id: string): Promise<DomainRow | undefined> {
  return db.selectFrom('domains').selectAll().where('id', '=', id).executeTakeFirst()
}

const findVerifiedDomain = prepare('findVerifiedDomain', (db, { hostname }: { hostname: string }) =>
  heldDomains(db, hostname).where('domains.verified_at', 'is not', null),
)

/** One at most: whoever is proved or verified ends the preparations of others. */
const findPreparedDomain = prepare('findPreparedDomain', (db, { hostname }: { hostname: string }) =>
  heldDomains(db, hostname).where('domains.proved_at', 'is not', null),
)

const heldDomains = (db: Db, hostname: string) =>
  db
    .selectFrom('domains')
    .innerJoin('projects', 'projects.id', 'domains.project_id')
    .selectAll('domains')
    .where('domains.hostname', '=', hostname)
    .where('domains.removed_at', 'is', null)
    .where('projects.deleted_at', 'is', null)

/**
 * The domain that the hostname is served for, by any project that exists: whoever it has been verified for, else
 * whoever has prepared it, so that visitors are served from the moment of the switch.
 */
export async function findServedDomain(db: Db, { hostname }: { hostname: string }): Promise<DomainRow[]> {
  const verified = await findVerifiedDomain(db, { hostname })
  return verified.length > 0 ? verified : findPreparedDomain(db, { hostname })
}

/** The same for whatever a visitor may ask for: the name itself, else the wildcard that it stands below. */
export async function findServing(db: Db, hostname: string): Promise<DomainRow | undefined> {
  const [exact] = await findServedDomain(db, { hostname })
  if (exact) return exact
  const [wildcard] = await findServedDomain(db, { hostname: wildcardOver(hostname) })
  return wildcard
}

/** Hostnames that are served, those that are prepared too, in order, from behind the last one seen. */
export async function listServedHostnames(db: Db, after: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('domains')
    .innerJoin('projects', 'projects.id', 'domains.project_id')
    .select('domains.hostname')
    // Somebody else may have prepared one that is verified.
    .distinct()
    .where('domains.hostname', '>', after)
    .where((eb) => eb.or([eb('domains.verified_at', 'is not', null), eb('domains.proved_at', 'is not', null)]))
    .where('domains.removed_at', 'is', null)
    .where('projects.deleted_at', 'is', null)
    .orderBy('domains.hostname')
    .limit(limit)
    .execute()
  return rows.map(({ hostname }) => hostname)
}

export async function countDomains(db: Db, projectId: number): Promise<number> {
  const { attached } = await db
    .selectFrom('domains')
    .select((eb) => eb.fn.countAll<number>().as('attached'))
    .where('project_id', '=', projectId)
    .where('removed_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(attached)
}

/** What the project's CNAMEs must point to; every project with a domain has one. */
export async function findTarget(db: Db, projectId: number, platformHost: string): Promise<string> {
  const { label } = await targetLabels(db, projectId).executeTakeFirstOrThrow()
  return `${label}.${platformHost}`
}

export async function findTargetLabel(db: Db, projectId: number): Promise<string | undefined> {
  return (await targetLabels(db, projectId).executeTakeFirst())?.label
}

const targetLabels = (db: Db, projectId: number) =>
  db.selectFrom('project_targets').select('label').where('project_id', '=', projectId)

export function listChecks(db: Db, domainId: string, limit: number) {
  return db
    .selectFrom('domain_checks')
    .select(['id', 'outcome', 'problems', 'trigger', 'first_at', 'last_at', 'times'])
    .where('domain_id', '=', domainId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

/** The evidence of one check, or of the newest. */
export function findEvidence(db: Db, domainId: string, checkId?: number) {
  const checks = db.selectFrom('domain_checks').selectAll().where('domain_id', '=', domainId)
  const wanted = checkId === undefined ? checks.orderBy('id', 'desc').limit(1) : checks.where('id', '=', checkId)
  return wanted.executeTakeFirst()
}

/** The contract's shape, from the rows of one project; a wildcard shows the site and has no part in it. */
export function projectDomains(rows: readonly DomainRow[]): ProjectDomains {
  const named = rows.filter((row) => !isWildcard(row.hostname))
  return {
    primary: named.find((row) => row.redirect_to === null)?.hostname ?? null,
    redirects: named.flatMap((row) =>
      row.redirect_to === null
        ? []
        : [{ from: row.hostname, to: row.redirect_to, status: row.redirect_status as RedirectStatus }],
    ),
  }
}
