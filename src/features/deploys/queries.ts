import './tables.ts'
import '../projects/tables.ts'
import type { ExpressionBuilder } from 'kysely'
import { prepare } from '../../platform/storage/prepared.ts'
import type { Db, Tables } from '../../platform/storage/tables.ts'
import type { KeptDeploy } from './history.ts'
import { DOCUMENT } from './starter-site.ts'
import { HOME } from './wish.ts'

export function findBlob(db: Db, sha256: string) {
  return db.selectFrom('blobs').select(['id', 'identity_bytes']).where('sha256', '=', sha256).executeTakeFirst()
}

/** What the holder has sent and not deployed yet. */
export async function sumHolds(db: Db, holder: string): Promise<{ blobs: number; bytes: number }> {
  const held = await db
    .selectFrom('blob_holds')
    .select((eb) => [eb.fn.countAll<number>().as('blobs'), eb.fn.sum<number | null>('bytes').as('bytes')])
    .where('holder', '=', holder)
    .executeTakeFirstOrThrow()
  return { blobs: held.blobs, bytes: Number(held.bytes ?? 0) }
}

export const findChunk = prepare('findChunk', (db, chunk: { sha256: string; encoding: string; place: number }) =>
  db
    .selectFrom('blobs')
    .innerJoin('blob_chunks', 'blob_chunks.blob_id', 'blobs.id')
    .select('blob_chunks.content')
    .where('blobs.sha256', '=', chunk.sha256)
    .where('blob_chunks.encoding', '=', chunk.encoding)
    .where('blob_chunks.place', '=', chunk.place),
)

export interface Claim {
  projectId: number
  /** Who has sent contents; undefined for the service itself, which knows what it publishes. */
  holder: string | undefined
}

/** Within what a statement takes on both engines. */
const HASHES_PER_QUERY = 500

/**
 * Those of the contents, by hash, that may be deployed without being sent: the project has deployed them before, or
 * the holder has sent them. What only others have counts as missing, so that nobody can fetch by its hash what they
 * have never seen.
 */
export async function findClaimedBlobs(db: Db, claim: Claim, hashes: readonly string[]) {
  const found = new Map<string, { id: number; bytes: number }>()
  for (let start = 0; start < hashes.length; start += HASHES_PER_QUERY) {
    const some = hashes.slice(start, start + HASHES_PER_QUERY)
    const blobs = db.selectFrom('blobs').select(['id', 'sha256', 'identity_bytes']).where('sha256', 'in', some)
    const { holder } = claim
    const rows = await (
      holder === undefined ? blobs : blobs.where((eb) => mayClaim(eb, { ...claim, holder }))
    ).execute()
    for (const { id, sha256, identity_bytes } of rows) found.set(sha256!, { id, bytes: identity_bytes })
  }
  return found
}

function mayClaim(eb: ExpressionBuilder<Tables, 'blobs'>, { projectId, holder }: Claim & { holder: string }) {
  const held = eb
    .selectFrom('blob_holds')
    .select('blob_holds.blob_id')
    .where('blob_holds.holder', '=', holder)
    .whereRef('blob_holds.blob_id', '=', 'blobs.id')
  const deployed = eb
    .selectFrom('manifest_files')
    .innerJoin('deploys', 'deploys.manifest_id', 'manifest_files.manifest_id')
    .select('manifest_files.path')
    .whereRef('manifest_files.blob_id', '=', 'blobs.id')
    .where('deploys.project_id', '=', projectId)
  return eb.or([eb.exists(held), eb.exists(deployed)])
}

/** Newest first. */
export function listDeploysOfProject(db: Db, projectId: number) {
  return deploysOf(db, projectId).orderBy('deploys.seq', 'desc').execute()
}

/** What is kept, for the choice of what is not any more. */
export function listHistory(db: Db, projectId: number): Promise<KeptDeploy[]> {
  return db
    .selectFrom('deploys')
    .leftJoin('active_deploys', 'active_deploys.deploy_id', 'deploys.id')
    .select(['deploys.id', 'deploys.seq', 'deploys.shown_at', 'active_deploys.activated_at'])
    .where('deploys.project_id', '=', projectId)
    .execute()
}

export function findDeploy(db: Db, projectId: number, id: string) {
  return deploysOf(db, projectId).where('deploys.id', '=', id).executeTakeFirst()
}

export function findActiveDeploy(db: Db, projectId: number) {
  return deploysOf(db, projectId).where('active_deploys.deploy_id', 'is not', null).executeTakeFirst()
}

function deploysOf(db: Db, projectId: number) {
  return db
    .selectFrom('deploys')
    .innerJoin('manifests', 'manifests.id', 'deploys.manifest_id')
    .leftJoin('active_deploys', 'active_deploys.deploy_id', 'deploys.id')
    .leftJoin('manifest_files', (join) =>
      join.onRef('manifest_files.manifest_id', '=', 'manifests.id').on('manifest_files.path', '=', HOME),
    )
    .select(['deploys.id', 'deploys.source', 'deploys.created_by', 'deploys.created_at'])
    .select(['deploys.name', 'deploys.message', 'deploys.via', 'deploys.manifest_id', 'manifest_files.path as home'])
    .select(['manifests.hash', 'manifests.files', 'manifests.bytes', 'active_deploys.activated_at'])
    .where('deploys.project_id', '=', projectId)
}

/** The manifest that the project shows, if it shows any. */
export const findActiveManifest = prepare('findActiveManifest', (db, project: { id: number }) =>
  db
    .selectFrom('active_deploys')
    .innerJoin('deploys', 'deploys.id', 'active_deploys.deploy_id')
    .select('deploys.manifest_id')
    .where('active_deploys.project_id', '=', project.id),
)

/** Of any deploy that is kept, as long as its project is there. */
export function findDeployManifest(db: Db, id: string) {
  return db
    .selectFrom('deploys')
    .innerJoin('projects', 'projects.id', 'deploys.project_id')
    .select(['deploys.manifest_id', 'deploys.project_id'])
    .where('deploys.id', '=', id)
    .where('projects.deleted_at', 'is', null)
    .executeTakeFirst()
}

/** A page of a manifest: a site of 20,000 files would stall everybody for a tenth of a second. */
export const findManifestPage = prepare(
  'findManifestPage',
  (db, page: { manifestId: number; after: string; limit: number }) =>
    db
      .selectFrom('manifest_files')
      .innerJoin('blobs', 'blobs.id', 'manifest_files.blob_id')
      .select(['manifest_files.path', 'blobs.sha256', 'blobs.identity_bytes', 'blobs.br_bytes', 'blobs.gzip_bytes'])
      .where('manifest_files.manifest_id', '=', page.manifestId)
      .where('manifest_files.path', '>', page.after)
      .orderBy('manifest_files.path')
      .limit(page.limit),
)

/** Some projects that have never been deployed, the newest first: the starter site is due there. */
export function listUnpublishedProjects(db: Db, page: { after: number; before: number; limit: number }) {
  return db
    .selectFrom('projects')
    .leftJoin('active_deploys', 'active_deploys.project_id', 'projects.id')
    .select('projects.id')
    .where('projects.id', '>', page.after)
    .where('projects.id', '<', page.before)
    .where('projects.deleted_at', 'is', null)
    .where('active_deploys.project_id', 'is', null)
    .orderBy('projects.id', 'desc')
    .limit(page.limit)
    .execute()
}

/** Some projects that show a starter site, the next ones after an id, with the document of its reference. */
export function listStarters(db: Db, page: { after: number; limit: number }) {
  return db
    .selectFrom('active_deploys')
    .innerJoin('deploys', 'deploys.id', 'active_deploys.deploy_id')
    .innerJoin('projects', 'projects.id', 'active_deploys.project_id')
    .innerJoin('manifest_files', 'manifest_files.manifest_id', 'deploys.manifest_id')
    .innerJoin('blobs', 'blobs.id', 'manifest_files.blob_id')
    .select(['projects.id', 'active_deploys.deploy_id', 'blobs.sha256', 'blobs.identity_bytes'])
    .where('active_deploys.project_id', '>', page.after)
    .where('projects.deleted_at', 'is', null)
    .where('deploys.source', '=', 'starter')
    .where('manifest_files.path', '=', DOCUMENT)
    .orderBy('active_deploys.project_id')
    .limit(page.limit)
    .execute()
}
