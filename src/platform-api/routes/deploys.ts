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
import { archiveTooLarge } from '../../features/deploys/archive/spool.ts'
import { previewLabel } from '../../features/deploys/preview.ts'
import { deployArchive, receiveBlob, type UploadNeeds } from '../../features/deploys/uploads.ts'
import { type DeployWish, missingHome, readWish, WishQuery } from '../../features/deploys/wish.ts'
import { validator } from '../../platform/http/validator.ts'
import { array, integer, object, type Static, text } from '../../platform/schema.ts'
import type { ChangeFeed } from '../../platform/storage/change-feed.ts'
import { done, ok, parameter, type ProjectCall, type Reply, route } from '../route.ts'
import { uploadedJson, uploadOf } from '../upload-body.ts'

export interface DeploysRouteNeeds {
  uploads: UploadNeeds
  changes: Pick<ChangeFeed, 'catchUp'>
  siteUrl(slug: string): string
}

/** Twenty thousand files with paths of an average length. */
const MANIFEST_BYTES_MAX = 8_000_000

const PlannedFile = object({
  path: text({ description: 'Where it is in the site, such as `css/site.css`.' }),
  sha256: text({ description: 'Of its content, in hexadecimal.' }),
  bytes: integer({ description: 'Its size.' }),
})
const Directory = object({ files: array(PlannedFile, { rule: 'must list the files of the directory' }) })
const readDirectory = validator(Directory, 'Nothing was deployed')

/**
 * Publishing: an archive in one request, or a directory in three steps: its list of files, the contents that the
 * answer names as missing, and the same list again.
 */
export function deployRoutes({ uploads, changes, siteUrl }: DeploysRouteNeeds) {
  const deployerOf = ({ storage, who, project }: ProjectCall) => ({
    projectId: project.projectId,
    accountId: who.id,
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
      summary: 'List the deploys',
      description: 'Newest first.',
      method: 'GET',
      path: '/projects/{project}/deploys',
      role: 'viewer',
      handle: async ({ storage, project }) => ok(await listDeploys({ storage }, project.projectId)),
    }),
    route({
      id: 'getDeploy',
      summary: 'Get a deploy',
      method: 'GET',
      path: '/projects/{project}/deploys/{deploy}',
      role: 'viewer',
      handle: async (call) => ok(await getDeploy(call, call.project.projectId, parameter(call, 'deploy'))),
    }),
    route({
      id: 'listDeployFiles',
      summary: 'List the files of a deploy',
      description: 'Held against those that the project shows now.',
      method: 'GET',
      path: '/projects/{project}/deploys/{deploy}/files',
      role: 'viewer',
      handle: async (call) => ok(await compareDeploy(uploads, call.project.projectId, parameter(call, 'deploy'))),
    }),
    route({
      id: 'deployArchive',
      summary: 'Deploy an archive',
      description: 'A zip or tar file, as the body.',
      answers: [200, 201],
      method: 'POST',
      path: '/projects/{project}/deploys/archive',
      role: 'editor',
      streams: true,
      query: WishQuery,
      async handle(call) {
        // Said before the first byte: a client that is still sending may never see a later answer.
        if (bytesOf(call) > DEPLOY_LIMITS.archiveBytesMax) throw archiveTooLarge(DEPLOY_LIMITS.archiveBytesMax)
        return answer(call, await deployArchive(uploads, deployerOf(call), uploadOf(call), wishOf(call)))
      },
    }),
    route({
      id: 'deployDirectory',
      summary: 'Deploy a directory',
      description: 'Send the list of its files, then what the answer names as missing as blobs, then the list again.',
      answers: [200, 201],
      method: 'POST',
      path: '/projects/{project}/deploys',
      role: 'editor',
      streams: true,
      streamed: Directory,
      query: WishQuery,
      async handle(call) {
        const deployer = deployerOf(call)
        const wish = wishOf(call)
        const announcedBytes = bytesOf(call) || MANIFEST_BYTES_MAX
        return uploads.gate.run({ ...deployer, announcedBytes }, async (keep) => {
          const { files } = readDirectory(await uploadedJson(call, MANIFEST_BYTES_MAX, keep))
          return answer(call, await deployDirectory(uploads, deployer, files, wish))
        })
      },
    }),
    route({
      id: 'sendBlob',
      summary: 'Send a file of a deploy',
      description: 'Its content, under the SHA-256 of it.',
      method: 'PUT',
      path: '/projects/{project}/blobs/{sha256}',
      role: 'editor',
      streams: true,
      uncounted: true,
      async handle(call) {
        const announced = { sha256: parameter(call, 'sha256'), bytes: bytesOf(call) }
        await receiveBlob(uploads, deployerOf(call), announced, uploadOf(call))
        return done()
      },
    }),
    route({
      id: 'deleteDeploy',
      summary: 'Delete a deploy',
      description: 'Not the one that the project shows.',
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
      summary: 'Show a deploy',
      description: 'Publishes one that was kept for a preview, or goes back to an earlier one.',
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
function wishOf({ query, request, visitor }: ProjectCall & { query: Static<typeof WishQuery> }): DeployWish {
  const isToken = request.headers.authorization !== undefined
  const via = isToken ? 'token' : visitor.userAgent.startsWith('petstore command') ? 'command line' : 'dashboard'
  return readWish(query, via)
}

/** NaN where the request does not say. */
const bytesOf = ({ request }: ProjectCall) => Number(request.headers['content-length'] ?? NaN)
