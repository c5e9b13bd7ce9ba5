import { setImmediate } from 'node:timers/promises'
import { PetstoreError } from '../../platform/errors.ts'
import { makeOnce } from '../../platform/single-flight.ts'
import type { AuditedStorage } from '../../platform/storage/storage.ts'
import { commitDeploy, type DeployNeeds } from './deploys.ts'
import { readBlob } from './files/blobs.ts'
import { planManifest, sha256Hex } from './files/manifest.ts'
import { findNewestProjectId } from '../projects/queries.ts'
import { listStarters, listUnpublishedProjects } from './queries.ts'
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
/** A few milliseconds of reading. */
const STARTERS_PER_PAGE = 500
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

  /** Shows the starter site of this start wherever one with other addresses is shown, in the background. */
  renewOthers(): Promise<void> {
    this.#renewing ??= this.#renewAll().catch(this.#needs.onError)
    return this.#renewing
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
    for (const { id } of page) {
      if (this.#stopped) return NONE_LEFT
      await this.#publish(id)
    }
    if (page.length === PROJECTS_PER_PAGE) return page.at(-1)!.id
    this.#done = Math.max(this.#done, this.#newest)
    return NONE_LEFT
  }

  /**
   * By what they hold, and not by what was noted of the last start: one of another version is as good as ours, and in
   * a fleet that gets another address instances with the old one still publish theirs.
   */
  async #renewAll(): Promise<void> {
    const { storage, openapiDocument } = this.#needs
    const own = serversIn(openapiDocument)
    /** By the hash of the document, of which there are a few. */
    const isOwn = new Map<string, boolean>()
    for (let after = 0; !this.#stopped;) {
      const page = await listStarters(storage.read, { after, limit: STARTERS_PER_PAGE })
      for (const { id, deploy_id, sha256, identity_bytes } of page) {
        if (!isOwn.has(sha256!)) {
          const document = await readBlob({ storage }, sha256!, 'identity', 0, identity_bytes)
          isOwn.set(sha256!, serversIn(document.toString()) === own)
        }
        if (!isOwn.get(sha256!) && !this.#stopped) await this.#publish(id, deploy_id)
      }
      if (page.length < STARTERS_PER_PAGE) return
      after = page.at(-1)!.id
      await setImmediate()
    }
  }

  async #publish(projectId: number, renews?: string): Promise<void> {
    const { files, manifest } = await this.#site()
    const { audited, clock } = this.#needs
    const deploy = { manifest, source: 'starter' as const, holder: undefined, renews }
    const deployer = { projectId, name: 'the service', audited }
    for (;;) {
      const outcome = await commitDeploy({ clock }, deployer, deploy).catch(unlessDeleted)
      if (outcome?.kind !== 'incomplete') return
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

/** Meanwhile. */
function unlessDeleted(error: unknown): undefined {
  if (!(error instanceof PetstoreError && error.code === 'not_found')) throw error
}

/** Where the reference sends requests, as text that can be compared. */
function serversIn(openapiDocument: string): string {
  const { servers = [] } = JSON.parse(openapiDocument) as { servers?: { url: string }[] }
  return JSON.stringify(servers.map(({ url }) => url))
}

/** Ids of projects begin at 1. */
const NONE_LEFT = 0
const NEWEST = Number.MAX_SAFE_INTEGER

async function readSite({ contentTypeOf, openapiDocument }: StarterNeeds) {
  const hashed = (await starterSite(openapiDocument)).map(async ({ path, bytes }) => {
    return { path, bytes, sha256: await sha256Hex(bytes) }
  })
  const files = await Promise.all(hashed)
  const planned = files.map(({ path, bytes, sha256 }) => ({ path, bytes: bytes.length, sha256 }))
  return { files, manifest: await planManifest(planned, contentTypeOf) }
}
