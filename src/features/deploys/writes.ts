import { insertRows } from '../../platform/storage/rows/insert-rows.ts'
import { publishChange } from '../../platform/storage/change-feed.ts'
import { nextNumber } from '../../platform/storage/sequence.ts'
import { defineWrite, type Storage } from '../../platform/storage/storage.ts'
import type { Db, Engine } from '../../platform/storage/tables.ts'
import { takeTurn } from '../../platform/storage/turns.ts'
import { STORED_BYTES_MAX } from '../projects/plan-shares.ts'
import { findProjectById } from '../projects/queries.ts'
import type { Plan } from '../projects/tables.ts'
import { forgetHolds, keepFromCollection } from './files/blob-writes.ts'
import { forgottenFor } from './history.ts'
import { type Claim, findActiveDeploy, findClaimedBlobs, findDeploy, listHistory } from './queries.ts'
import { sumStoredWith, weighStoredWith } from './stored.ts'
import type { DeploySource } from './tables.ts'
import type { DeployWish } from './wish.ts'

/** Announced with the id of a project whenever it shows another deploy. */
export const DEPLOYS_TOPIC = 'deploys'

export interface NewDeploy extends Claim {
  id: string
  source: DeploySource
  createdBy: string
  label: Pick<DeployWish, 'name' | 'message' | 'via'>
  /** Whether visitors see it from now on. */
  isShown: boolean
  /** The id of the starter site that is to be shown no more. */
  renews?: string | undefined
  manifest: { hash: string; bytes: number; files: { path: string; sha256: string }[] }
  now: number
}

/** A deploy, and its activation where it is to be shown: either all of it is there afterwards, or nothing. */
export const insertDeploy = defineWrite(
  'deploys.insert',
  async (db, deploy: NewDeploy, engine) => {
    const { id, projectId, source, createdBy, label, isShown, renews, holder, manifest, now } = deploy
    await keepFromCollection(db, engine)
    await takeDeployTurn(db, engine, projectId)
    const project = await findProjectById(db, projectId)
    if (!project) return { kind: 'no-project' as const }
    const hashes = [...new Set(manifest.files.map((file) => file.sha256))]
    const blobs = await findClaimedBlobs(db, { projectId, holder }, hashes)
    if (blobs.size < hashes.length) {
      return { kind: 'missing' as const, hashes: hashes.filter((hash) => !blobs.has(hash)) }
    }
    const active = await findActiveDeploy(db, projectId)
    // The starter site never takes the place of anything but the older one that it renews.
    const isTaken = source === 'starter' && active?.id !== renews
    if (active && (isTaken || active.hash === manifest.hash)) {
      return { kind: 'unchanged' as const, deploy: active }
    }
    const forgotten = forgottenFor(isShown, await listHistory(db, projectId))
    if (source !== 'starter') {
      const added = { forgotten, blobs: [...blobs.values()], missingBytes: 0 }
      const over = await findOverShare(project, added, (kept) => sumStoredWith(db, engine, kept))
      if (over) return over
    }
    const manifestId = await storeManifest(db, engine, manifest, blobs)
    const seq = await nextNumber(db, engine, 'deploys')
    await db
      .insertInto('deploys')
      .values({
        id,
        seq,
        project_id: projectId,
        manifest_id: manifestId,
        source,
        created_by: createdBy,
        created_at: now,
        name: label.name ?? null,
        message: label.message ?? null,
        via: label.via ?? null,
      })
      .execute()
    if (isShown) await pointTo(db, engine, { projectId, deployId: id, now })
    // What a deploy refers to needs no hold any more.
    if (holder !== undefined)
      await forgetHolds(
        db,
        holder,
        Array.from(blobs.values(), ({ id: blobId }) => blobId),
      )
    if (forgotten.length > 0) await db.deleteFrom('deploys').where('id', 'in', forgotten).execute()
    return { kind: isShown ? ('deployed' as const) : ('kept' as const), deploy: (await findDeploy(db, projectId, id))! }
  },
  {
    note: ({ projectId, source }, outcome) => {
      if (outcome.kind !== 'deployed' && outcome.kind !== 'kept') return undefined
      const { id, name, files, bytes } = outcome.deploy
      const details = { source, files, bytes, ...(name === null ? {} : { name }) }
      const verb = outcome.kind === 'kept' ? 'deploy.keep' : 'deploy.create'
      return { verb, subject: id, projectId, details }
    },
  },
)

/** Whether the project's share is enough for a deploy of which some contents are still to be sent. */
export async function weighDeploy(storage: Storage, deploy: WeighedDeploy) {
  const { projectId, isShown } = deploy
  const project = await findProjectById(storage.read, projectId)
  const forgotten = forgottenFor(isShown, await listHistory(storage.read, projectId))
  const over =
    project && (await findOverShare(project, { ...deploy, forgotten }, (kept) => weighStoredWith(storage, kept)))
  return over ?? { kind: 'enough' as const }
}

interface WeighedDeploy {
  projectId: number
  isShown: boolean
  /** What the project has of it. */
  blobs: { id: number; bytes: number }[]
  missingBytes: number
}

async function findOverShare(
  { id: projectId, plan }: { id: number; plan: Plan },
  deploy: Pick<WeighedDeploy, 'blobs' | 'missingBytes'> & { forgotten: string[] },
  sum: (kept: Parameters<typeof sumStoredWith>[2]) => Promise<number>,
) {
  const { forgotten, blobs, missingBytes } = deploy
  const bytesMax = STORED_BYTES_MAX[plan]
  const kept = { projectId, without: forgotten, blobs, enough: bytesMax - missingBytes }
  const stored = missingBytes + (await sum(kept))
  return stored > bytesMax ? { kind: 'over-share' as const, stored, plan } : undefined
}

/** Shows an earlier deploy again, or a later one. */
export const activateDeployRow = defineWrite(
  'deploys.activate',
  async (db, input: { projectId: number; deployId: string; now: number }, engine) => {
    await takeDeployTurn(db, engine, input.projectId)
    const deploy = await findDeploy(db, input.projectId, input.deployId)
    if (!deploy || !(await findProjectById(db, input.projectId))) return { kind: 'missing' as const }
    if (deploy.activated_at !== null) return { kind: 'active-already' as const, deploy }
    await pointTo(db, engine, input)
    return { kind: 'activated' as const, deploy: { ...deploy, activated_at: input.now } }
  },
  {
    note: ({ projectId, deployId }, { kind }) =>
      kind === 'activated' ? { verb: 'deploy.activate', subject: deployId, projectId } : undefined,
  },
)

/** What nobody will go back to; its contents are collected within the hour. */
export const deleteDeployRow = defineWrite(
  'deploys.delete',
  async (db, { projectId, deployId }: { projectId: number; deployId: string }, engine) => {
    await takeDeployTurn(db, engine, projectId)
    const deploy = await findDeploy(db, projectId, deployId)
    if (!deploy) return { kind: 'missing' as const }
    if (deploy.activated_at !== null) return { kind: 'active' as const }
    await db.deleteFrom('deploys').where('id', '=', deployId).execute()
    return { kind: 'deleted' as const }
  },
  {
    note: ({ projectId, deployId }, { kind }) =>
      kind === 'deleted' ? { verb: 'deploy.delete', subject: deployId, projectId } : undefined,
  },
)

/** Deploys of one project take turns, so that none is forgotten in the moment that it is activated. */
const takeDeployTurn = (db: Db, engine: Engine, projectId: number) => takeTurn(db, engine, `deploys ${projectId}`)

/** The manifest's id: the same set of files is stored once, however many projects deploy it. */
async function storeManifest(
  db: Db,
  engine: Engine,
  manifest: NewDeploy['manifest'],
  blobs: ReadonlyMap<string, { id: number }>,
): Promise<number> {
  const { hash, bytes, files } = manifest
  const stored = () => db.selectFrom('manifests').select('id').where('hash', '=', hash).executeTakeFirst()
  const known = await stored()
  if (known) return known.id
  const id = await nextNumber(db, engine, 'manifests')
  const inserted = await db
    .insertInto('manifests')
    .values({ id, hash, bytes, files: files.length })
    .onConflict((conflict) => conflict.column('hash').doNothing())
    .returning('id')
    .executeTakeFirst()
  // On PostgreSQL the same manifest may have been stored by somebody else just now, with all its files.
  if (!inserted) return (await stored())!.id
  const rows = files.map(({ path, sha256 }) => ({ manifest_id: id, path, blob_id: blobs.get(sha256)!.id }))
  await insertRows(db, 'manifest_files', rows)
  return id
}

async function pointTo(
  db: Db,
  engine: Engine,
  { projectId, deployId, now }: { projectId: number; deployId: string; now: number },
): Promise<void> {
  const left = db.selectFrom('active_deploys').select('deploy_id').where('project_id', '=', projectId)
  await db
    .updateTable('deploys')
    .set({ shown_at: now })
    .where((eb) => eb.or([eb('id', '=', deployId), eb('id', '=', left)]))
    .execute()
  const pointer = { deploy_id: deployId, activated_at: now }
  await db
    .insertInto('active_deploys')
    .values({ project_id: projectId, ...pointer })
    .onConflict((conflict) => conflict.column('project_id').doUpdateSet(pointer))
    .execute()
  await publishChange(db, engine, DEPLOYS_TOPIC, String(projectId), now)
}
