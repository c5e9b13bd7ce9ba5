import './tables.ts'
import type { Tenant } from '../../../platform/tenant.ts'
import type { Db } from '../../../platform/storage/tables.ts'

/** Every import of this tenant by the command, oldest first: a handful, one for each file. */
export function findImports(db: Db, { projectId, environment }: Tenant) {
  return db
    .selectFrom('pet_imports')
    .select(['fingerprint', 'source', 'size', 'bytes', 'lines', 'animals', 'finished_at'])
    .where('project_id', '=', projectId)
    .where('environment', '=', environment)
    .where('source', '!=', SENT)
    .orderBy('bytes')
    .execute()
}

/** In place of a path: rows that a browser has read from a file and sent. */
export const SENT = 'sent'

/** How far the file with this hash is stored, of those whose rows were sent. */
export function findSentImport(db: Db, { projectId, environment }: Tenant, sha256: string) {
  return db
    .selectFrom('pet_imports')
    .select(['lines', 'animals', 'finished_at'])
    .where('project_id', '=', projectId)
    .where('environment', '=', environment)
    .where('fingerprint', '=', sha256)
    .where('source', '=', SENT)
    .executeTakeFirst()
}

export type StoredImport = Awaited<ReturnType<typeof findImports>>[number]
