import './tables.ts'
import { randomBytes } from 'node:crypto'
import type { Db, Engine } from '../../platform/storage/tables.ts'
import { takeTurn } from '../../platform/storage/turns.ts'
import type { Lead } from './diagnosis/lead.ts'
import type { DomainRow } from './facts.ts'
import { findServedDomain, listDomainsOfProject } from './queries.ts'

/** Hostnames that a project may have waiting for their DNS records: enough for any site, too few for a land grab. */
export const PENDING_MAX = 20
export const DOMAINS_MAX = 100

export const PROOF_PREFIX = 'petstore-verify='

/** What the TXT record must say where a proof is needed; nobody can guess another project's. */
export const newProof = () => `${PROOF_PREFIX}${randomBytes(20).toString('hex')}`

/**
 * Projects that want one hostname take turns: 50 at once have one winner. So does whatever reads the facts of a domain
 * to write them: they are written as a whole, and would take back what was written in between.
 */
export async function takeHostnameTurn(db: Db, engine: Engine, hostname: string): Promise<void> {
  await takeTurn(db, engine, hostnameTurn(hostname))
}

/** Changes of one project's domains take turns, so that each sees the whole list of redirects. */
export async function takeDomainsTurn(db: Db, engine: Engine, projectId: number): Promise<void> {
  await takeTurn(db, engine, domainsTurn(projectId))
}

/** For a claim that comes or goes: the project's and the hostname's at once, in the order in which turns are taken. */
export async function takeClaimTurns(db: Db, engine: Engine, projectId: number, hostname: string): Promise<void> {
  await takeTurn(db, engine, [domainsTurn(projectId), hostnameTurn(hostname)])
}

/** For the end of a project, which takes all its hostnames along. */
export async function takeTurnsOfProject(db: Db, engine: Engine, projectId: number): Promise<void> {
  await takeDomainsTurn(db, engine, projectId)
  const hostnames = (await listDomainsOfProject(db, projectId)).map(({ hostname }) => hostnameTurn(hostname))
  await takeTurn(db, engine, hostnames)
}

const hostnameTurn = (hostname: string) => `hostname ${hostname}`
const domainsTurn = (projectId: number) => `domains of ${projectId}`

/** `address`: only if the hostname leads here by address, and not by the project's own target. */
export type ProofNeed = 'none' | 'address' | 'always'

/**
 * Whether a hostname needs its TXT record before it is given to this claim. An address proves nothing about who: it
 * is enough only for the claim that was alone when the hostname began to lead here. Everybody else, and whoever wants
 * what another project holds or held, shows the record, which only the owner of the zone can.
 */
export async function proofNeedOf(db: Db, row: DomainRow): Promise<ProofNeed> {
  if (row.verified_at !== null) return 'none'
  if (await wasHeldByAnother(db, row.hostname, row.project_id)) return 'always'
  return row.alone_at === null ? 'address' : 'none'
}

/** Other projects' claims on a hostname, verified or not. */
export interface Rivals {
  open: number
  /** With those that have ended: whoever comes and goes leaves a trace. */
  ever: number
}

export async function rivalsOf(db: Db, hostname: string, projectId: number): Promise<Rivals> {
  const { open, ever } = await db
    .selectFrom('domains')
    .select((eb) => [
      eb.fn.countAll<number>().as('ever'),
      eb.fn.countAll<number>().filterWhere('removed_at', 'is', null).as('open'),
    ])
    .where('hostname', '=', hostname)
    .where('project_id', '!=', projectId)
    .executeTakeFirstOrThrow()
  return { open: Number(open), ever: Number(ever) }
}

/** A look at DNS for one claim, with who else was there when it began. */
export interface Look {
  startedAt: number
  lead: Lead
  ownZone: boolean | null
  rivals: Rivals
}

/** Whether the look shows that what leads here later is meant for this claim. Ask while it is the hostname's turn. */
export async function wasAlone(db: Db, look: Look, hostname: string, projectId: number): Promise<boolean> {
  if (look.lead !== 'elsewhere' || look.rivals.open > 0) return false
  const rivals = await rivalsOf(db, hostname, projectId)
  return rivals.open === 0 && rivals.ever === look.rivals.ever
}

/**
 * Another project comes. If the hostname has begun to lead here, be it at one nameserver, it did so for whoever was
 * alone until now. If not, nobody will be alone when it begins to; where nobody can tell, nobody was. A claim's look
 * that is newer than this one has seen it lead elsewhere since.
 */
export async function endSolitude(db: Db, hostname: string, { lead, startedAt }: Look): Promise<void> {
  const isBegun = lead === 'by address' || lead === 'partly by address'
  await db
    .updateTable('domains')
    .set({ alone_at: null })
    .where('hostname', '=', hostname)
    .where('removed_at', 'is', null)
    .where('alone_at', '>', isBegun ? startedAt : 0)
    .execute()
}

/** Whether another project holds or has ever held the hostname: then pointing at us does not prove whose it is. */
async function wasHeldByAnother(db: Db, hostname: string, projectId: number): Promise<boolean> {
  const other = await db
    .selectFrom('hostname_holders')
    .select('project_id')
    .where('hostname', '=', hostname)
    .where('project_id', '!=', projectId)
    .limit(1)
    .executeTakeFirst()
  return other !== undefined
}

/** Whether the certificates of the hostname are this claim's: it is served, or nobody is and its project was last. */
export async function hasCertificates(db: Db, { id, hostname, project_id }: DomainRow): Promise<boolean> {
  const [served] = await findServedDomain(db, { hostname })
  if (served) return served.id === id
  const last = await db
    .selectFrom('hostname_holders')
    .select('project_id')
    .where('hostname', '=', hostname)
    .orderBy('held_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return last?.project_id === project_id
}

/** Whether somebody who removed the hostname wants its certificates revoked, and nobody has taken that on. */
export async function isRevocationWanted(db: Db, hostname: string): Promise<boolean> {
  const query = db.selectFrom('domains').select('id').where('hostname', '=', hostname).where('revoke', '=', 1)
  return (await query.limit(1).executeTakeFirst()) !== undefined
}

/** Whether people of a project want that for some hostname, and nobody has taken it on. */
export async function hasRevocationWish(db: Db, projectId: number): Promise<boolean> {
  const query = db.selectFrom('domains').select('id').where('project_id', '=', projectId).where('revoke', '=', 1)
  return (await query.limit(1).executeTakeFirst()) !== undefined
}

/** Who wants that, and since when; from now on it is the caller's to keep. */
export async function takeRevocationWishes(db: Db, hostname: string) {
  const rows = await db
    .updateTable('domains')
    .set({ revoke: 0 })
    .where('hostname', '=', hostname)
    .where('revoke', '=', 1)
    .returning(['project_id', 'removed_at'])
    .execute()
  return rows
    .map(({ project_id, removed_at }) => ({ projectId: project_id, askedAt: removed_at ?? 0 }))
    .toSorted((a, b) => a.askedAt - b.askedAt)
}

export async function rememberHolder(db: Db, hostname: string, projectId: number, now: number): Promise<void> {
  await db
    .insertInto('hostname_holders')
    .values({ hostname, project_id: projectId, held_at: now })
    .onConflict((conflict) => conflict.columns(['hostname', 'project_id']).doUpdateSet({ held_at: now }))
    .execute()
}

/** The project's target, made with its first domain from the label given here. */
export async function ensureTargetLabel(db: Db, projectId: number, label: string, now: number): Promise<string> {
  await db
    .insertInto('project_targets')
    .values({ project_id: projectId, label, created_at: now })
    .onConflict((conflict) => conflict.column('project_id').doNothing())
    .execute()
  const row = await db
    .selectFrom('project_targets')
    .select('label')
    .where('project_id', '=', projectId)
    .executeTakeFirstOrThrow()
  return row.label
}
