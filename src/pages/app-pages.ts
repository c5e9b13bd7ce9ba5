import type { IncomingMessage, ServerResponse } from 'node:http'
import type { BlobReader } from '../edge/site/blob-cache.ts'
import { sendPage, unavailablePage } from '../edge/pages.ts'
import { createSiteHandler } from '../edge/site/handler.ts'
import type { Site, SiteFile } from '../edge/site/site.ts'
import { precompress } from '../features/deploys/files/encodings.ts'
import { sha256Hex } from '../features/deploys/files/manifest.ts'
import { referenceFiles } from '../features/deploys/starter-site.ts'

export interface AppPages {
  /** True when the request was for one of the pages and is being answered. */
  handle(request: IncomingMessage, response: ServerResponse): boolean
}

interface Held {
  file: SiteFile
  bytes: Record<string, Uint8Array | null>
}

interface DocsParts {
  openapiDocument: string
  apiOrigins: readonly string[]
  onError(error: unknown): void
}

/** `/docs` of the production address: the reference, around the document of this installation. */
export function docsPages(parts: DocsParts): AppPages {
  let held: Promise<Map<string, Held>> | undefined
  let site: Site | undefined
  const policy = contentSecurityPolicy(parts.apiOrigins)
  const pageHeaders = ['Content-Security-Policy', policy, 'Referrer-Policy', 'no-referrer']
  const load = () => (held ??= loadReference(parts.openapiDocument, pageHeaders))
  const blobs: BlobReader = {
    read: async (sha256, encoding, start, end) => {
      const found = [...(await load()).values()].find(({ file }) => file.sha256 === sha256)
      return Buffer.from(found?.bytes[encoding] ?? []).subarray(start, end)
    },
  }
  const serve = createSiteHandler({ blobs, onError: parts.onError })

  return {
    handle(request, response) {
      if (!/^\/docs(?:[/?]|$)/.test(request.url ?? '')) return false
      if (site === undefined) void serveFirst(request, response)
      else serve(request, response, site)
      return true
    },
  }

  async function serveFirst(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const files = await load()
      site = { find: (path) => files.get(path)?.file }
      serve(request, response, site)
    } catch (error) {
      held = undefined
      parts.onError(error)
      sendPage(request, response, unavailablePage)
    }
  }
}

/** Under the paths at which they are served: a site is found by the whole path. */
async function loadReference(openapiDocument: string, pageHeaders: readonly string[]): Promise<Map<string, Held>> {
  const files = [...(await referenceFiles()), { path: 'openapi.json', bytes: Buffer.from(openapiDocument) }]
  const held = files.map(async ({ path, bytes }): Promise<[string, Held]> => {
    const identity = new Uint8Array(bytes)
    const { br, gzip } = await precompress(identity)
    const encodings = {
      identity: identity.length,
      ...(br === null ? {} : { br: br.length }),
      ...(gzip === null ? {} : { gzip: gzip.length }),
    }
    const file: SiteFile = {
      path: `docs/${path}`,
      sha256: await sha256Hex(identity),
      encodings,
      headers: path.endsWith('.html') ? pageHeaders : [],
    }
    return [file.path, { file, bytes: { identity, br, gzip } }]
  })
  return new Map(await Promise.all(held))
}

/** The page may speak to the two addresses of the interface and to nobody else. */
const contentSecurityPolicy = (apiOrigins: readonly string[]) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    `connect-src 'self' ${[...new Set(apiOrigins)].join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
