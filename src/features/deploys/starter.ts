import { PetstoreError } from '../../platform/errors.ts'
import { makeOnce } from '../../platform/single-flight.ts'
import type { AuditedStorage } from '../../platform/storage/storage.ts'
import { commitDeploy, type DeployNeeds } from './deploys.ts'
import { manifestHash, planManifest, sha256Hex } from './files/manifest.ts'
import { findNewestProjectId } from '../projects/queries.ts'
import { listOtherStarters, listUnpublishedProjects } from './queries.ts'
import { starterSite } from './starter-site.ts'
import { storeFiles } from './uploads.ts'

interface StarterNeeds extends DeployNeeds {
  /** Leaves an audit entry in the service's own name. */
  audited: AuditedStorage
  openapiDocument: string
  onError(error: unknown): void
}

const HOLDER = 'starter site'
/** Some tenths of a second of work, which whoever has just created a project may wait for. */
const PROJECTS_PER_PAGE = 50
/** A hundred thousand projects take 40 ms to look through, so that is done once; ids may become visible late. */
const LOOKED_AT_AGAIN = 1000

/**
 * Publishes the starter site where nothing has been deployed yet: in the background, one project after another, the
 * newest first. Whoever creates a project need not be there any more when it happens: the next start, or the next
 * project, makes up for it.
 */
export class StarterPublisher implements AsyncDisposable {
  readonly #needs: StarterNeeds
  /** Most starts publish nothing, and need not read it. */
  readonly #site: () => ReturnType<typeof readSite>
  #waiting: PromiseWithResolvers<void> | undefined
  #running: Promise<void> | undefined
  #renewing: Promise<void> | undefined
  /** Up to this one, all have been seen to. */
  #done = 0
  /** Of the look through them that is under way. */
  #newest = 0
  #stopped = false

  constructor(needs: StarterNeeds) {
    this.#needs = needs
    this.#site = makeOnce(() => readSite(needs))
  }

  /**
   * Resolves when the newest projects that existed at the call have been seen to, or the error has been told. Older
   * ones follow by themselves.
   */
  publishMissing(): Promise<void> {
    if (this.#stopped) return Promise.resolve()
    this.#waiting ??= Promise.withResolvers()
    const { promise } = this.#waiting
    this.#running ??= this.#run()
    return promise
  }

  /** Shows the starter site of this start wherever an older one is shown, in the background, and then calls back. */
  renewOthers(done: () => Promise<unknown>): void {
    this.#renewing = this.#renewAll(done).catch(this.#needs.onError)
  }

  /** Ends after the project that is being published. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stopped = true
    await this.#running
    await this.#renewing
    this.#takeWaiting()?.resolve()
  }

  async #run(): Promise<void> {
    let before = NEWEST
    do {
      const waiting = this.#takeWaiting()
      // Whoever has come meanwhile is among the newest.
      if (waiting) before = NEWEST
      before = await this.#publishPage(before).catch((error: unknown) => {
        this.#needs.onError(error)
        return NONE_LEFT
      })
      waiting?.resolve()
    } while (!this.#stopped && (before !== NONE_LEFT || this.#waiting))
    this.#running = undefined
  }

  #takeWaiting(): PromiseWithResolvers<void> | undefined {
    const waiting = this.#waiting
    this.#waiting = undefined
    return waiting
  }

  /** Where the next page begins. */
  async #publishPage(before: number): Promise<number> {
    const { read } = this.#needs.storage
    if (before === NEWEST) this.#newest = await findNewestProjectId(read)
    const after = this.#done - LOOKED_AT_AGAIN
    const page = await listUnpublishedProjects(read, { after, before, limit: PROJECTS_PER_PAGE })
    await this.#publishAll(page)
    if (this.#stopped) return NONE_LEFT
    if (page.length === PROJECTS_PER_PAGE) return page.at(-1)!.id
    this.#done = Math.max(this.#done, this.#newest)
    return NONE_LEFT
  }

  async #renewAll(done: () => Promise<unknown>): Promise<void> {
    let page: { id: number }[] | undefined
    while (!this.#stopped && page?.length !== 0) page = await this.#renewPage(page?.at(-1)?.id ?? 0)
    if (!this.#stopped) await done()
  }

  async #renewPage(after: number): Promise<{ id: number }[]> {
    const hash = manifestHash((await this.#site()).manifest)
    const page = await listOtherStarters(this.#needs.storage.read, { hash, after, limit: PROJECTS_PER_PAGE })
    await this.#publishAll(page)
    return page
  }

  async #publishAll(projects: { id: number }[]): Promise<void> {
    for (const { id } of projects) {
      if (this.#stopped) return
      await this.#publish(id).catch((error) => {
        // Deleted meanwhile.
        if (!(error instanceof PetstoreError && error.code === 'not_found')) throw error
      })
    }
  }

  async #publish(projectId: number): Promise<void> {
    const { files, manifest } = await this.#site()
    const { audited, clock } = this.#needs
    const deploy = { manifest, source: 'starter' as const, holder: undefined }
    const deployer = { projectId, name: 'the service', audited }
    for (;;) {
      const outcome = await commitDeploy({ clock }, deployer, deploy)
      if (outcome.kind !== 'incomplete') return
      // What has been stored is held; what nobody held may have been collected meanwhile, and comes in the next round.
      const missing = new Set(outcome.missing.map(({ sha256 }) => sha256))
      await storeFiles(
        this.#needs,
        HOLDER,
        files.filter(({ sha256 }) => missing.has(sha256)),
      )
    }
  }
}

/** Ids of projects begin at 1. */
const NONE_LEFT = 0
const NEWEST = Number.MAX_SAFE_INTEGER

async function readSite({ contentTypeOf, openapiDocument }: StarterNeeds) {
  const hashed = (await starterSite(openapiDocument)).map(async ({ path, bytes }) => {
    return { path, bytes, sha256: await sha256Hex(new Uint8Array(bytes)) }
  })
  const files = await Promise.all(hashed)
  const planned = files.map(({ path, bytes, sha256 }) => ({ path, bytes: bytes.length, sha256 }))
  return { files, manifest: planManifest(planned, contentTypeOf) }
}
