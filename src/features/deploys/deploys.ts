import type { Clock } from '../../platform/clock.ts'
import { conflict, invalid, notFound, type PetstoreError } from '../../platform/errors.ts'
import { newId } from '../../platform/id.ts'
import { iso } from '../../platform/iso-date.ts'
import type { AuditedStorage, Storage } from '../../platform/storage/storage.ts'
import {
  type BlobAddress,
  type Manifest,
  manifestHash,
  missingBlobs,
  type PlannedFile,
  planManifest,
} from './files/manifest.ts'
import { makeWay, PIECE_BYTES } from '../../platform/thread/make-way.ts'
import { DEPLOY_LIMITS } from './archive/limits.ts'
import { type FileDifference, fileDifference } from './files/difference.ts'
import { abandonUpload } from './garbage.ts'
import { findActiveDeploy, findClaimedBlobs, findDeploy, listDeploysOfProject, sumHolds } from './queries.ts'
import { deployedSites } from './sites.ts'
import { quotedPath } from './files/site-path.ts'
import type { DeploySource } from './tables.ts'
import { inGigabytes, planAbove, planName, STORED_BYTES_MAX } from '../projects/plan-shares.ts'
import type { Plan } from '../projects/tables.ts'
import { type DeployVia, type DeployWish, HOME } from './wish.ts'
import { activateDeployRow, deleteDeployRow, insertDeploy, type NewDeploy, weighDeploy } from './writes.ts'

export interface DeployNeeds {
  storage: Storage
  clock: Clock
  contentTypeOf(path: string): string
}

/** Whose deploy it is. */
export interface Deployer {
  projectId: number
  /** An e-mail address, or a word for who is no person. */
  name: string
  /** Leaves an audit entry with every write. */
  audited: AuditedStorage
}

export interface DeployView {
  id: string
  source: DeploySource
  /** Whether the project shows it now. */
  active: boolean
  files: number
  bytes: number
  /** Equal for two deploys exactly when all their files are. */
  hash: string
  createdBy: string
  createdAt: string
  name: string | null
  message: string | null
  /** By what it came; null where that is not known. */
  via: DeployVia | null
  /** Whether the address of the site leads to a page. */
  hasIndex: boolean
}

export type DeployOutcome =
  | { kind: 'deployed'; deploy: DeployView }
  /** Stored for a preview, and not shown. */
  | { kind: 'kept'; deploy: DeployView }
  /** The project shows exactly these files already. */
  | { kind: 'unchanged'; deploy: DeployView }
  /** These contents have to be sent first. */
  | { kind: 'incomplete'; missing: BlobAddress[] }

/** Who has sent the contents of a directory: whoever may deploy the project. */
export const directoryHolder = (projectId: number) => `project ${projectId}`

/** Deploys files whose contents the server has, or says which ones it lacks. */
export async function deployDirectory(
  needs: DeployNeeds,
  deployer: Deployer,
  files: Iterable<PlannedFile>,
  wish?: DeployWish,
): Promise<DeployOutcome> {
  const manifest = await planManifest(files, needs.contentTypeOf)
  const { projectId } = deployer
  const holder = directoryHolder(projectId)
  const hashes = [...new Set(manifest.map(({ sha256 }) => sha256))]
  const held = new Map<string, HeldBlob>()
  for (let start = 0; start < hashes.length; start += HASHES_A_TURN) {
    const some = hashes.slice(start, start + HASHES_A_TURN)
    for (const [sha256, blob] of await findClaimedBlobs(needs.storage.read, { projectId, holder }, some)) {
      held.set(sha256, blob)
    }
    await makeWay((some.length / HASHES_A_TURN) * PIECE_BYTES)
  }
  for (const { path, sha256, bytes } of manifest) {
    const size = held.get(sha256)?.bytes ?? bytes
    if (size !== bytes) throw invalid(`The file ${quotedPath(path)} has ${size} bytes, not ${bytes}. Hash it again.`)
  }
  const missing = missingBlobs(manifest, new Set(held.keys()))
  if (missing.length === 0) return commitDeploy(needs, deployer, { manifest, source: 'directory', holder, wish })
  await makeRoom(needs, { projectId, holder, isShown: isShownBy(wish, manifest), held: [...held.values()], missing })
  return { kind: 'incomplete', missing }
}

/**
 * For contents that are sent next: a deploy that would not fit is refused before, and what was sent for others, which
 * may have been given up, goes where there is not room for all.
 */
async function makeRoom(
  needs: DeployNeeds,
  deploy: { projectId: number; holder: string; isShown: boolean; held: HeldBlob[]; missing: BlobAddress[] },
): Promise<void> {
  const { projectId, holder, isShown, held, missing } = deploy
  const missingBytes = missing.reduce((total, { bytes }) => total + bytes, 0)
  const weighed = await weighDeploy(needs.storage, { projectId, isShown, blobs: held, missingBytes })
  if (weighed.kind === 'over-share') throw overShare(weighed)
  const waiting = await sumHolds(needs.storage.read, holder)
  const blobs = waiting.blobs + missing.length
  if (blobs <= DEPLOY_LIMITS.entriesMax && waiting.bytes + missingBytes <= DEPLOY_LIMITS.inflatedBytesMax) return
  await abandonUpload(
    needs,
    holder,
    held.map(({ id }) => id),
  )
}

type HeldBlob = { id: number; bytes: number }

/** On SQLite they are read by this thread, which takes about a millisecond. */
const HASHES_A_TURN = 250

interface CommittedDeploy extends Pick<NewDeploy, 'source' | 'holder' | 'renews'> {
  manifest: Manifest
  wish?: DeployWish | undefined
}

export async function commitDeploy(
  { clock }: { clock: Clock },
  { projectId, name, audited }: Deployer,
  deploy: CommittedDeploy,
): Promise<DeployOutcome> {
  const { manifest, source, holder, wish, renews } = deploy
  const outcome = await audited.write(insertDeploy, {
    id: newId('dep'),
    projectId,
    source,
    createdBy: name,
    label: wish ?? {},
    isShown: isShownBy(wish, manifest),
    renews,
    holder,
    manifest: {
      hash: manifestHash(manifest),
      bytes: manifest.reduce((total, { bytes }) => total + bytes, 0),
      files: manifest.map(({ path, sha256 }) => ({ path, sha256 })),
    },
    now: clock.now(),
  })
  if (outcome.kind === 'no-project') throw notFound('This project has been deleted.')
  if (outcome.kind === 'over-share') throw overShare(outcome)
  if (outcome.kind === 'missing') {
    const absent = new Set(outcome.hashes)
    return { kind: 'incomplete', missing: manifest.filter(({ sha256 }) => absent.has(sha256)) }
  }
  return { kind: outcome.kind, deploy: deployView(outcome.deploy) }
}

function isShownBy({ publish }: DeployWish = { publish: 'anyway' }, manifest: Manifest): boolean {
  return publish === 'anyway' || (publish === 'yes' && manifest.some(({ path }) => path === HOME))
}

/** Shows an earlier deploy again: its files are all still there, so that it takes no longer than a click. */
export async function activateDeploy(
  { clock }: { clock: Clock },
  { projectId, audited }: Deployer,
  deployId: string,
): Promise<DeployView> {
  const outcome = await audited.write(activateDeployRow, { projectId, deployId, now: clock.now() })
  if (outcome.kind === 'missing') throw noSuchDeploy()
  return deployView(outcome.deploy)
}

/** Takes a deploy out of the history, to make room for others. */
export async function deleteDeploy({ projectId, audited }: Deployer, deployId: string): Promise<void> {
  const { kind } = await audited.write(deleteDeployRow, { projectId, deployId })
  if (kind === 'missing') throw noSuchDeploy()
  if (kind === 'active') throw conflict('The site shows this deploy: activate another one first, then remove it.')
}

function overShare({ stored, plan }: { stored: number; plan: Plan }): PetstoreError {
  const higher = planAbove(plan)
  const share = (of: Plan) => `${planName(of)} has ${inGigabytes(STORED_BYTES_MAX[of])}`
  const instead = higher === undefined ? '' : `, or change the plan: ${share(higher)}`
  return conflict(
    `With this deploy the project would keep ${inGigabytes(stored)} of files, and the plan ${share(plan)}. ` +
      `Nothing was changed. Remove earlier deploys that nobody will go back to${instead}.`,
  )
}

/** Newest first; there are never more than a page of them. */
export async function listDeploys(
  { storage }: { storage: Pick<Storage, 'read'> },
  projectId: number,
): Promise<DeployView[]> {
  return (await listDeploysOfProject(storage.read, projectId)).map(deployView)
}

export async function getDeploy(
  { storage }: { storage: Pick<Storage, 'read'> },
  projectId: number,
  id: string,
): Promise<DeployView> {
  const deploy = await findDeploy(storage.read, projectId, id)
  if (!deploy) throw noSuchDeploy()
  return deployView(deploy)
}

/** The files of a deploy, held against those that the project shows. */
export async function compareDeploy(
  { storage }: { storage: Storage },
  projectId: number,
  id: string,
): Promise<FileDifference & { comparedTo: string | null }> {
  const [deploy, active] = await Promise.all([
    findDeploy(storage.read, projectId, id),
    findActiveDeploy(storage.read, projectId),
  ])
  if (!deploy) throw noSuchDeploy()
  const { filesOf } = deployedSites({ storage })
  const before = active ? filesOf(active.manifest_id) : filesOf(deploy.manifest_id)
  return { comparedTo: active?.id ?? null, ...(await fileDifference(filesOf(deploy.manifest_id), before)) }
}

const noSuchDeploy = () => notFound('This project has no such deploy: it may be older than those that are kept.')

type DeployRow = NonNullable<Awaited<ReturnType<typeof findDeploy>>>

function deployView(row: DeployRow): DeployView {
  return {
    id: row.id,
    source: row.source,
    active: row.activated_at !== null,
    files: row.files,
    bytes: row.bytes,
    hash: row.hash ?? '',
    createdBy: row.created_by,
    createdAt: iso(row.created_at),
    name: row.name,
    message: row.message,
    via: row.via,
    hasIndex: row.home !== null,
  }
}
