import { precompress } from '../features/deploys/files/encodings.ts'
import { referenceFiles } from '../features/deploys/starter-site.ts'
import { type MemoryFile, MemorySite, type Pages } from './memory-site.ts'

interface DocsNeeds {
  openapiDocument: string
  apiOrigins: readonly string[]
  onError(error: unknown): void
}

/** `/docs` of the production address: the reference, around the document of this installation. */
export function docsPages({ openapiDocument, apiOrigins, onError }: DocsNeeds): Pages {
  const site = new MemorySite({ load: () => loadReference(openapiDocument, apiOrigins), onError })
  return {
    handle(request, response) {
      if (!/^\/docs(?:[/?]|$)/.test(request.url ?? '')) return false
      site.serve(request, response)
      return true
    },
  }
}

async function loadReference(openapiDocument: string, apiOrigins: readonly string[]): Promise<MemoryFile[]> {
  const policy = contentSecurityPolicy(apiOrigins)
  const pageHeaders = ['Content-Security-Policy', policy, 'Referrer-Policy', 'no-referrer']
  const files = [...(await referenceFiles()), { path: 'openapi.json', bytes: Buffer.from(openapiDocument) }]
  return Promise.all(
    files.map(async ({ path, bytes }) => ({
      path: `docs/${path}`,
      content: { identity: bytes, ...(await precompress(bytes)) },
      headers: path.endsWith('.html') ? pageHeaders : [],
    })),
  )
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
