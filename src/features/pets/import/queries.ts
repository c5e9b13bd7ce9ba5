import './tables.ts'
import type { Tenant } from '../../../platform/tenant.ts'
import type { Db } from '../../../platform/storage/tables.ts'

/** Every import of this tenant, oldest first: a handful, one for each file. */
export function findImports(db: Db, { projectId, environment }: Tenant) {
  return db
    .selectFrom('pet_imports')
    .select(['fingerprint', 'source', 'size', 'bytes', 'lines', 'animals', 'finished_at'])
    .where('project_id', '=', projectId)
    .where('environment', '=', environment)
    .orderBy('bytes')
    .execute()
}

export type StoredImport = Awaited<ReturnType<typeof findImports>>[number]
