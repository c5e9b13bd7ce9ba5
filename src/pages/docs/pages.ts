import type { IncomingMessage, ServerResponse } from 'node:http'
import { MemorySite, type MemoryFile } from '../memory-site.ts'
import { type Entry, PAGES } from './contents.ts'

interface DocumentationNeeds {
  /** Of every page. */
  headers: readonly string[]
  onError(error: unknown): void
}

interface Documentation {
  serve(request: IncomingMessage, response: ServerResponse): void
}

/**
 * The documentation. Each page is made when it is first asked for, so that nobody waits for the others, and whoever
 * starts the service for none; what it takes to make them is loaded with the first.
 */
export function documentation({ headers, onError }: DocumentationNeeds): Documentation {
  const siteOf = (load: (make: typeof import('./site.ts')) => Promise<MemoryFile[]>) =>
    new MemorySite({ load: async () => load(await import('./site.ts')), onError })
  const pages = new Map(
    PAGES.map((entry) => [keyOf(entry), siteOf(async (make) => [await make.pageFile(entry, headers)])]),
  )
  const search = siteOf(async (make) => [await make.searchFile()])
  const pictures = siteOf((make) => make.pictureFiles())
  const shared = siteOf((make) => make.sharedFiles(headers))

  return {
    serve(request, response) {
      const [path = ''] = (request.url ?? '').split('?', 1)
      if (path === '/docs/search.json') search.serve(request, response)
      else if (path.startsWith('/docs/images/')) pictures.serve(request, response)
      else (pages.get(keyIn(path)) ?? shared).serve(request, response)
    },
  }
}

const keyOf = ({ path }: Entry) => path.replace(/\/$/, '')

/** A page also answers at its address with a slash too many or too few, or as a file: by leading to the right one. */
const keyIn = (path: string) => path.replace(/^\/docs\/?/, '').replace(/\/$|\.html$/, '')
