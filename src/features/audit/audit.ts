import { iso } from '../../platform/iso-date.ts'
import './tables.ts'
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

/** Newest first. `before` is the id of the last entry seen. */
export async function listAuditEntries(
  db: Db,
  of: { projectId: number } | { accountId: string },
  page: { before: number | undefined; limit: number },
): Promise<AuditEntry[]> {
  let query = db.selectFrom('audit_entries').selectAll().orderBy('id', 'desc').limit(page.limit)
  if ('projectId' in of) query = query.where('project_id', '=', of.projectId)
  else query = query.where('account_id', '=', of.accountId)
  if (page.before !== undefined) query = query.where('id', '<', page.before)
  return (await query.execute()).map((row) => ({
    id: row.id,
    at: iso(row.at),
    actor: { kind: row.actor_kind as Actor['kind'], id: row.actor_id, name: row.actor_name },
    verb: row.verb,
    subject: row.subject,
    details: JSON.parse(row.details) as AuditEntry['details'],
  }))
}
