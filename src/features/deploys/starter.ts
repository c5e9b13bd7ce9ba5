import { PetstoreError } from '../../platform/errors.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import { commitDeploy, type DeployParts } from './deploys.ts'
import { planManifest, sha256Hex } from './manifest.ts'
import { listUnpublishedProjects } from './queries.ts'
import { starterSite } from './starter-site.ts'
import { storeFiles } from './uploads.ts'

interface StarterParts extends DeployParts {
  /** Leaves an audit entry in the service's own name. */
  audited: Storage
  openapiDocument: string
}

const HOLDER = 'starter site'

/**
 * Publishes the starter site where nothing has been deployed yet. Whoever creates a project need not be there any
 * more when it happens: the next start, or the next project, makes up for it.
 */
export class StarterPublisher {
  readonly #parts: StarterParts
  readonly #site: Promise<Awaited<ReturnType<typeof readSite>>>
  #running: Promise<void> = Promise.resolve()

  constructor(parts: StarterParts) {
    this.#parts = parts
    this.#site = readSite(parts)
    // Told where it is awaited.
    this.#site.catch(() => {})
  }

  /** Resolves when every project that existed at the call has a deploy. */
  publishMissing(): Promise<void> {
    const next = this.#running.catch(() => {}).then(() => this.#publishAll())
    this.#running = next
    return next
  }

  /** Resolves when nothing is being published any more. */
  async idle(): Promise<void> {
    await this.#running.catch(() => {})
  }

  async #publishAll(): Promise<void> {
    for (const { id } of await listUnpublishedProjects(this.#parts.storage.read)) {
      await this.#publish(id).catch((error) => {
        // Deleted meanwhile.
        if (!(error instanceof PetstoreError && error.code === 'not_found')) throw error
      })
    }
  }

  async #publish(projectId: number): Promise<void> {
    const { files, manifest } = await this.#site
    const { audited, clock } = this.#parts
    const deploy = { manifest, source: 'starter' as const, holder: null }
    const deployer = { projectId, name: 'Petstore', audited }
    const outcome = await commitDeploy({ clock }, deployer, deploy)
    if (outcome.kind !== 'incomplete') return
    await storeFiles(this.#parts, HOLDER, files)
    await commitDeploy({ clock }, deployer, deploy)
  }
}

async function readSite({ contentTypeOf, openapiDocument }: StarterParts) {
  const files = await starterSite(openapiDocument)
  const planned = files.map(async ({ path, bytes }) => {
    const content = new Uint8Array(bytes)
    return { path, bytes: content.length, sha256: await sha256Hex(content) }
  })
  return { files, manifest: planManifest(await Promise.all(planned), contentTypeOf) }
}
