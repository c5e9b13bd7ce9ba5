import { sendRedirect } from '../edge/redirect.ts'
import { precompress } from '../features/deploys/files/encodings.ts'
import { referenceFiles } from '../features/deploys/starter-site.ts'
import { documentation } from './docs/pages.ts'
import { type MemoryFile, MemorySite, type Pages } from './memory-site.ts'

export interface DocsNeeds {
  /** The OpenAPI documents of the two interfaces, as JSON. */
  documents: { animals: string; management(): Promise<string> }
  apiOrigins: readonly string[]
  onError(error: unknown): void
}

/** `/docs` of the production address: the documentation, and beside it the references of this installation. */
export function docsPages({ documents, apiOrigins, onError }: DocsNeeds): Pages {
  const referenceOf = (folder: string, document: () => string | Promise<string>) =>
    new MemorySite({ load: async () => loadReference(`docs/${folder}`, await document(), apiOrigins), onError })
  const animals = referenceOf('animals', () => documents.animals)
  const platform = referenceOf('platform', documents.management)
  const pages = documentation({ headers: pageHeaders([]), onError })
  return {
    handle(request, response) {
      const { url = '' } = request
      if (!/^\/docs(?:[/?]|$)/.test(url)) return false
      const moved = MOVED[url]
      if (moved !== undefined) sendRedirect(response, 308, moved)
      else if (/^\/docs\/animals(?:[/?]|$)/.test(url)) animals.serve(request, response)
      else if (/^\/docs\/platform(?:[/?]|$)/.test(url)) platform.serve(request, response)
      else pages.serve(request, response)
      return true
    },
  }
}

/** Where the reference had it while it was all of `/docs`. Its sections move by reference/docs/moved.js. */
const MOVED: Record<string, string> = { '/docs/openapi.json': '/docs/animals/openapi.json' }

async function loadReference(
  folder: string,
  openapiDocument: string,
  apiOrigins: readonly string[],
): Promise<MemoryFile[]> {
  const headers = pageHeaders(apiOrigins)
  const files = [...(await referenceFiles()), { path: 'openapi.json', bytes: Buffer.from(openapiDocument) }]
  return Promise.all(
    files.map(async ({ path, bytes: read }) => {
      const bytes = path === 'index.html' ? besideDocs(read) : read
      return {
        path: `${folder}/${path}`,
        content: { identity: bytes, ...(await precompress(bytes)) },
        headers: path.endsWith('.html') ? headers : [],
      }
    }),
  )
}

/** As the site of a project the reference stands alone; here it leads back to the documentation. */
const besideDocs = (page: Buffer) =>
  Buffer.from(page.toString().replace('<meta name="openapi"', '<meta name="docs" content="/docs/">\n    $&'))

/** It may speak to its own origin, to the two addresses of the interface if it tries them, and to nobody else. */
function pageHeaders(apiOrigins: readonly string[]): string[] {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self'",
    "font-src 'self'",
    `connect-src ${["'self'", ...new Set(apiOrigins)].join(' ')}`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ]
  return ['Content-Security-Policy', policy.join('; '), 'Referrer-Policy', 'no-referrer']
}
