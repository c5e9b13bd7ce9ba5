import './tables.ts'
import { randomBytes } from 'node:crypto'
import type { Db, Engine } from '../../platform/storage/tables.ts'
import { takeTurn } from '../../platform/storage/turns.ts'

/** Hostnames that a project may have waiting for their DNS records: enough for any site, too few for a land grab. */
export const PENDING_MAX = 20
export const DOMAINS_MAX = 100

/** What a contested hostname's TXT record must say; nobody can guess another project's. */
export const newProof = () => `petstore-verify=${randomBytes(20).toString('hex')}`

/** Projects that want one hostname take turns: 50 at once have one winner. */
export async function takeHostnameTurn(db: Db, engine: Engine, hostname: string): Promise<void> {
  await takeTurn(db, engine, `hostname ${hostname}`)
}

/** Changes of one project's domains take turns, so that each sees the whole list of redirects. */
export async function takeDomainsTurn(db: Db, engine: Engine, projectId: number): Promise<void> {
  await takeTurn(db, engine, `domains of ${projectId}`)
}

/** Whether another project holds or has ever held the hostname: then pointing at us does not prove whose it is. */
export async function isContested(db: Db, hostname: string, projectId: number): Promise<boolean> {
  const other = await db
    .selectFrom('hostname_holders')
    .select('project_id')
    .where('hostname', '=', hostname)
    .where('project_id', '!=', projectId)
    .limit(1)
    .executeTakeFirst()
  return other !== undefined
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
