import './tables.ts'
import type { Db } from '../../platform/storage/tables.ts'

interface Wanted {
  projectId: number
  subject: string
  verbs: readonly string[]
  limit: number
}

/** What happened to one thing of a project, newest first. */
export function listEntriesOfSubject(db: Db, { projectId, subject, verbs, limit }: Wanted) {
  return db
    .selectFrom('audit_entries')
    .select(['at', 'verb', 'details'])
    .where('project_id', '=', projectId)
    .where('subject', '=', subject)
    .where('verb', 'in', verbs)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}
