import { hash } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { sendPage, unavailablePage } from '../edge/pages.ts'
import { createSiteHandler } from '../edge/site/handler.ts'
import type { Encoding } from '../platform/http/encoding/negotiate.ts'
import type { SiteFile } from '../edge/site/site.ts'

/** Pages beside the interfaces. */
export interface Pages {
  /** True when the request was for one of the pages and is being answered. */
  handle(request: IncomingMessage, response: ServerResponse): boolean
}

export interface MemoryFile {
  /** As it is served, without the leading slash. */
  path: string
  /** The plain bytes, and what is ready of the other encodings. */
  content: { identity: Uint8Array } & { [Other in Encoding]?: Uint8Array | undefined }
  headers?: readonly string[]
}

interface LoadedSite {
  has(path: string): boolean
  text(path: string): string
  serve(request: IncomingMessage, response: ServerResponse): void
}

interface MemorySiteNeeds {
  /** Nothing where there is no site yet. */
  load(): Promise<readonly MemoryFile[] | undefined>
  onError(error: unknown): void
}

/** Files that are loaded when they are first asked for, and served from memory like those of any site. */
export class MemorySite {
  readonly #needs: MemorySiteNeeds
  #loaded: LoadedSite | undefined
  #loading: Promise<LoadedSite | undefined> | undefined

  constructor(needs: MemorySiteNeeds) {
    this.#needs = needs
  }

  /** Loads anew for the next who asks; answers that have begun go on with what they began with. */
  reload(): void {
    this.#loaded = undefined
    this.#loading = undefined
  }

  /** Calls back at once where the site is in memory. What is not there or failed is tried again for the next. */
  async open(answer: (site: LoadedSite | undefined) => void): Promise<void> {
    if (this.#loaded !== undefined) return answer(this.#loaded)
    const loading = (this.#loading ??= this.#load())
    const site = await loading
    if (this.#loading === loading) {
      this.#loaded = site
      this.#loading = undefined
    }
    answer(site)
  }

  serve(request: IncomingMessage, response: ServerResponse): void {
    if (this.#loaded !== undefined) return this.#loaded.serve(request, response)
    void this.open((site) => {
      if (site === undefined) sendPage(request, response, unavailablePage)
      else site.serve(request, response)
    })
  }

  async #load(): Promise<LoadedSite | undefined> {
    try {
      const files = await this.#needs.load()
      return files && loadedSite(files, this.#needs.onError)
    } catch (error) {
      this.#needs.onError(error)
      return undefined
    }
  }
}

function loadedSite(given: readonly MemoryFile[], onError: (error: unknown) => void): LoadedSite {
  const files = new Map<string, SiteFile>()
  const contents = new Map<string, MemoryFile['content']>()
  for (const { path, content, headers = [] } of given) {
    const sha256 = hash('sha256', content.identity)
    files.set(path, { path, sha256, encodings: sizesOf(content), headers })
    contents.set(sha256, content)
  }
  const contentOf = (sha256: string | undefined, encoding: Encoding) =>
    Buffer.from(contents.get(sha256 ?? '')?.[encoding] ?? [])
  const serve = createSiteHandler({
    blobs: { read: async (sha256, encoding, start, end) => contentOf(sha256, encoding).subarray(start, end) },
    onError,
  })
  const site = { find: (path: string) => files.get(path) }
  return {
    has: (path) => files.has(path),
    text: (path) => contentOf(files.get(path)?.sha256, 'identity').toString(),
    serve: (request, response) => serve(request, response, site),
  }
}

function sizesOf({ identity, br, gzip }: MemoryFile['content']): SiteFile['encodings'] {
  return { identity: identity.length, ...(br && { br: br.length }), ...(gzip && { gzip: gzip.length }) }
}
