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

type Whose = { projectId: number } | { accountId: string }

/** Among so many those are looked for that no index finds: on SQLite nobody else is served meanwhile. */
const LOOKED_THROUGH_MAX = 10_000

const entriesOf = (db: Db, of: Whose, { before, subject }: Pick<AuditPage, 'before' | 'subject'>) =>
  db
    .selectFrom('audit_entries')
    .where((eb) => ('projectId' in of ? eb('project_id', '=', of.projectId) : eb('account_id', '=', of.accountId)))
    .$if(before !== undefined, (query) => query.where('id', '<', before as number))
    .$if(subject !== undefined, (query) => query.where('subject', '=', subject as string))
    .orderBy('id', 'desc')

/** The oldest that a page of them looks at; undefined where it looks at all that there are. */
export async function findEndOfLook(db: Db, of: Whose, page: AuditPage): Promise<number | undefined> {
  const { before, about, environment } = page
  // The subjects of a project have an index; those of an account have none.
  const subject = 'projectId' in of ? page.subject : undefined
  if (about === undefined && environment === undefined && subject === page.subject) return undefined
  const last = entriesOf(db, of, { before, subject })
    .select('id')
    .offset(LOOKED_THROUGH_MAX - 1)
  return (await last.limit(1).executeTakeFirst())?.id
}

/** Newest first; `end` is the oldest that is looked at. */
export async function listAuditEntries(db: Db, of: Whose, page: AuditPage, end?: number): Promise<AuditEntry[]> {
  let query = entriesOf(db, of, page).selectAll().limit(page.limit)
  if (end !== undefined) query = query.where('id', '>=', end)
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
