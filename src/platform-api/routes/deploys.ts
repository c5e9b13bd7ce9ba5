import {
  activateDeploy,
  compareDeploy,
  deleteDeploy,
  deployDirectory,
  type DeployOutcome,
  getDeploy,
  listDeploys,
} from '../../features/deploys/deploys.ts'
import { DEPLOY_LIMITS } from '../../features/deploys/archive/limits.ts'
import type { PlannedFile } from '../../features/deploys/files/manifest.ts'
import { archiveTooLarge } from '../../features/deploys/archive/spool.ts'
import { previewLabel } from '../../features/deploys/preview.ts'
import { deployArchive, receiveBlob, type UploadNeeds } from '../../features/deploys/uploads.ts'
import { type DeployWish, missingHome, readWish } from '../../features/deploys/wish.ts'
import { invalid } from '../../platform/errors.ts'
import { readQuery } from '../../platform/http/query-string.ts'
import type { ChangeFeed } from '../../platform/storage/change-feed.ts'
import { done, ok, parameter, type ProjectCall, type Reply, route } from '../route.ts'
import { uploadBody, uploadedJson } from '../upload-body.ts'

export interface DeploysRouteNeeds {
  uploads: UploadNeeds
  changes: Pick<ChangeFeed, 'catchUp'>
  siteUrl(slug: string): string
}

/** Twenty thousand files with paths of an average length. */
const MANIFEST_BYTES_MAX = 8_000_000

/**
 * Publishing: an archive in one request, or a directory in three steps: its list of files, the contents that the
 * answer names as missing, and the same list again.
 */
export function deployRoutes({ uploads, changes, siteUrl }: DeploysRouteNeeds) {
  const deployerOf = ({ storage, who, project }: ProjectCall) => ({
    projectId: project.projectId,
    name: who.email,
    audited: storage,
  })

  async function answer({ project: { slug } }: ProjectCall, outcome: DeployOutcome): Promise<Reply> {
    const { kind: state, ...rest } = outcome
    const url = siteUrl(slug)
    if (!('deploy' in outcome)) return ok({ state, url, ...rest })
    const isNew = state !== 'unchanged'
    // Whoever deployed sees it on the next request, at least here.
    if (isNew) await changes.catchUp()
    const { id, active, hasIndex } = outcome.deploy
    const label = previewLabel(id)
    const preview = label === undefined ? null : siteUrl(label)
    const warning = missingHome(hasIndex, active) ?? null
    return { status: isNew ? 201 : 200, value: { state, url, preview, warning, ...rest } }
  }

  return [
    route({
      id: 'listDeploys',
      method: 'GET',
      path: '/projects/{project}/deploys',
      role: 'viewer',
      handle: async ({ storage, project }) => ok(await listDeploys({ storage }, project.projectId)),
    }),
    route({
      id: 'getDeploy',
      method: 'GET',
      path: '/projects/{project}/deploys/{deploy}',
      role: 'viewer',
      handle: async (call) => ok(await getDeploy(call, call.project.projectId, parameter(call, 'deploy'))),
    }),
    route({
      id: 'listDeployFiles',
      method: 'GET',
      path: '/projects/{project}/deploys/{deploy}/files',
      role: 'viewer',
      handle: async (call) => ok(await compareDeploy(uploads, call.project.projectId, parameter(call, 'deploy'))),
    }),
    route({
      id: 'deployArchive',
      method: 'POST',
      path: '/projects/{project}/deploys/archive',
      role: 'editor',
      streams: true,
      async handle(call) {
        // Said before the first byte: a client that is still sending may never see a later answer.
        if (bytesOf(call) > DEPLOY_LIMITS.archiveBytesMax) throw archiveTooLarge(DEPLOY_LIMITS.archiveBytesMax)
        return answer(call, await deployArchive(uploads, deployerOf(call), uploadBody(call.request), wishOf(call)))
      },
    }),
    route({
      id: 'deployDirectory',
      method: 'POST',
      path: '/projects/{project}/deploys',
      role: 'editor',
      streams: true,
      async handle(call) {
        const { projectId } = call.project
        const wish = wishOf(call)
        return uploads.gate.run({ projectId, announcedBytes: bytesOf(call) || MANIFEST_BYTES_MAX }, async (keep) => {
          const files = plannedFiles(await uploadedJson(call.request, MANIFEST_BYTES_MAX, keep))
          return answer(call, await deployDirectory(uploads, deployerOf(call), files, wish))
        })
      },
    }),
    route({
      id: 'sendBlob',
      method: 'PUT',
      path: '/projects/{project}/blobs/{sha256}',
      role: 'editor',
      streams: true,
      uncounted: true,
      async handle(call) {
        const announced = { sha256: parameter(call, 'sha256'), bytes: bytesOf(call) }
        await receiveBlob(uploads, call.project.projectId, announced, uploadBody(call.request))
        return done()
      },
    }),
    route({
      id: 'deleteDeploy',
      method: 'DELETE',
      path: '/projects/{project}/deploys/{deploy}',
      role: 'editor',
      async handle(call) {
        await deleteDeploy(deployerOf(call), parameter(call, 'deploy'))
        return done()
      },
    }),
    route({
      id: 'activateDeploy',
      method: 'POST',
      path: '/projects/{project}/deploys/{deploy}/activate',
      role: 'editor',
      async handle(call) {
        const deploy = await activateDeploy(uploads, deployerOf(call), parameter(call, 'deploy'))
        await changes.catchUp()
        return ok(deploy)
      },
    }),
  ]
}

/** Name, message and whether to publish stand in the query, because the body may be an archive. */
function wishOf({ url, request, visitor }: ProjectCall): DeployWish {
  const isToken = request.headers.authorization !== undefined
  const via = isToken ? 'token' : visitor.userAgent.startsWith('petstore command') ? 'command line' : 'dashboard'
  return readWish(readQuery(url, ['name', 'message', 'publish']), via)
}

/** NaN where the request does not say. */
const bytesOf = ({ request }: ProjectCall) => Number(request.headers['content-length'] ?? NaN)

function plannedFiles(body: unknown): PlannedFile[] {
  const files = (body as { files?: unknown } | null)?.files
  if (!Array.isArray(files)) {
    throw invalid('The body must list the files of the directory: {"files": [{"path", "sha256", "bytes"}]}.')
  }
  return files.map((file: unknown) => {
    const { path, sha256, bytes } = (file ?? {}) as Record<string, unknown>
    if (typeof path !== 'string' || typeof sha256 !== 'string' || typeof bytes !== 'number') {
      throw invalid('Every file needs a path, its sha256 and its size in bytes.')
    }
    return { path, sha256, bytes }
  })
}
