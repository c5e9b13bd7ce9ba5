import type { Clock } from '../platform/clock.ts'
import { SingleFlight } from '../platform/single-flight.ts'
import { LookupCache } from './lookup-cache.ts'
import { Lru } from './lru.ts'
import type { Site, SiteFile } from './site/site.ts'

/** What the edge asks about projects and their deploys. */
interface SiteSource {
  /** The id of the project at a slug. */
  projectAt(slug: string): Promise<number | undefined>
  /** The set of files that the project shows; an id is never used for another set. */
  manifestOf(projectId: number): Promise<number | undefined>
  /** The set of files of the deploy that a preview's name stands for, and whose it is. */
  manifestAtPreview(label: string): Promise<{ projectId: number; manifestId: number } | undefined>
  filesOf(manifestId: number): AsyncIterable<readonly SiteFile[]>
}

const SLUGS_MAX = 20_000
const PROJECTS_MAX = 20_000
/** About 40 MB at most: a file is its path, a hash and three sizes. Heads of files are bounded by themselves. */
const FILES_MAX = 100_000

/** The sites of the projects, kept in memory as long as they are asked for and fit. */
export class PlatformSites {
  readonly #source: SiteSource
  readonly #projects: LookupCache<number | undefined>
  readonly #manifests: LookupCache<number | undefined>
  readonly #sites = new Lru<Site>(FILES_MAX)
  readonly #loading = new SingleFlight<Site>()

  constructor(source: SiteSource, clock: Clock) {
    this.#source = source
    this.#projects = new LookupCache({ look: (slug) => source.projectAt(slug), clock, entriesMax: SLUGS_MAX })
    this.#manifests = new LookupCache({ look: (id) => source.manifestOf(Number(id)), clock, entriesMax: PROJECTS_MAX })
  }

  /** The project at a slug, at once when it is known. */
  projectAt(slug: string): number | undefined | Promise<number | undefined> {
    return this.#projects.get(slug)
  }

  /** What a project shows; nothing when nothing has been deployed. */
  siteOf(projectId: number): Site | undefined | Promise<Site | undefined> {
    const manifest = this.#manifests.get(String(projectId))
    if (manifest instanceof Promise) return manifest.then((id) => (id === undefined ? undefined : this.#site(id)))
    return manifest === undefined ? undefined : this.#site(manifest)
  }

  /** One deploy, whether the project shows it or not; nothing when the name is no preview's. */
  async previewAt(label: string): Promise<{ projectId: number; site: Site } | undefined> {
    const found = await this.#source.manifestAtPreview(label)
    return found && { projectId: found.projectId, site: await this.#site(found.manifestId) }
  }

  /** What the slug leads to has changed. */
  forgetSlug(slug: string): void {
    this.#projects.drop(slug)
  }

  /** The project shows another deploy. */
  forgetProject(projectId: string): void {
    this.#manifests.drop(projectId)
  }

  forgetAll(): void {
    this.#projects.clear()
    this.#manifests.clear()
  }

  #site(manifestId: number): Site | Promise<Site> {
    const key = String(manifestId)
    return this.#sites.get(key) ?? this.#loading.join(key, () => this.#load(manifestId))
  }

  async #load(manifestId: number): Promise<Site> {
    const files = new Map<string, SiteFile>()
    for await (const page of this.#source.filesOf(manifestId)) for (const file of page) files.set(file.path, file)
    const site: Site = { find: (path) => files.get(path) }
    this.#sites.set(String(manifestId), site, files.size + 1)
    return site
  }
}
