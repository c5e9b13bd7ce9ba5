import { iso } from '../../platform/iso-date.ts'
import './tables.ts'
import type { Environment } from '../../platform/http/operation.ts'
import type { Actor } from '../../platform/storage/audit-note.ts'
import type { Db } from '../../platform/storage/tables.ts'

export interface AuditEntry {
  id: number
  at: string
  actor: Actor
  verb: string
  subject: string
  details: Record<string, string | number | boolean | null>
}

/** What entries can be about: the noun of their verbs. */
export const AUDIT_NOUNS = [
  'account',
  'address',
  'certificate',
  'deploy',
  'domain',
  'invitation',
  'key',
  'member',
  'order',
  'password',
  'pet',
  'project',
  'recovery-codes',
  'second-factor',
  'session',
  'token',
  'webhook',
] as const

interface AuditFilter {
  about?: (typeof AUDIT_NOUNS)[number] | undefined
  subject?: string | undefined
  environment?: Environment | undefined
}

interface AuditPage extends AuditFilter {
  /** The id of the last entry seen. */
  before: number | undefined
  limit: number
}

/** Newest first. */
export async function listAuditEntries(
  db: Db,
  of: { projectId: number } | { accountId: string },
  page: AuditPage,
): Promise<AuditEntry[]> {
  let query = db.selectFrom('audit_entries').selectAll().orderBy('id', 'desc').limit(page.limit)
  if ('projectId' in of) query = query.where('project_id', '=', of.projectId)
  else query = query.where('account_id', '=', of.accountId)
  if (page.before !== undefined) query = query.where('id', '<', page.before)
  if (page.subject !== undefined) query = query.where('subject', '=', page.subject)
  if (page.about !== undefined) query = query.where('verb', 'like', `${page.about}.%`)
  // As JSON.stringify wrote it; a quotation mark within a value has a backslash before it.
  if (page.environment !== undefined) query = query.where('details', 'like', `%"environment":"${page.environment}"%`)
  return (await query.execute()).map((row) => ({
    id: row.id,
    at: iso(row.at),
    actor: { kind: row.actor_kind as Actor['kind'], id: row.actor_id, name: row.actor_name },
    verb: row.verb,
    subject: row.subject,
    details: JSON.parse(row.details) as AuditEntry['details'],
  }))
}
