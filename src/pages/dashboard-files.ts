import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join, relative, sep } from 'node:path'
import type { AppPages } from './app-pages.ts'
import type { BlobReader } from '../edge/site/blob-cache.ts'
import { createSiteHandler } from '../edge/site/handler.ts'
import type { Site, SiteFile } from '../edge/site/site.ts'
import { sha256Hex } from '../features/deploys/files/manifest.ts'

interface Held {
  file: SiteFile
  bytes: Partial<Record<string, Buffer>>
}

interface Pages {
  index: string
  files: Map<string, Held>
}

interface DashboardFilesParts {
  /** The folder of the build, or nothing where there is none. */
  directory(): Promise<string | undefined>
  onError(error: unknown): void
}

/** First segments of the addresses that the pages themselves understand. */
const CLIENT_ROUTES = new Set([
  '',
  'sign-in',
  'sign-up',
  'forgot',
  'join',
  'password',
  'projects',
  'account',
  'sandbox',
  'operator',
  'dashboard',
])

export interface DashboardPages extends AppPages {
  /** Serves from now on what has been built meanwhile. */
  reload(): void
}

/** `/` of the production address: the dashboard's pages, from memory. */
export function dashboardFiles({ directory, onError }: DashboardFilesParts): DashboardPages {
  let loading: Promise<Pages | undefined> | undefined
  const load = () => (loading ??= loadPages(directory))
  const blobs: BlobReader = {
    async read(sha256, encoding, start, end) {
      const held = [...((await load())?.files.values() ?? [])].find(({ file }) => file.sha256 === sha256)
      return (held?.bytes[encoding] ?? Buffer.alloc(0)).subarray(start, end)
    },
  }
  const serve = createSiteHandler({ blobs, onError })

  return {
    handle(request, response) {
      const wanted = wantedOf(request)
      if (wanted === undefined) return false
      load().then(
        (pages) => {
          // What has not been built yet may be built at any moment.
          if (!pages) loading = undefined
          const held = pages?.files.get(wanted)
          if (pages && held) return serve(request, response, siteOf(pages))
          const known = CLIENT_ROUTES.has(wanted.split('/', 1)[0] as string)
          if (!pages) return sendHtml(request, response, 503, NOT_BUILT, '')
          const nonce = randomBytes(16).toString('base64')
          sendHtml(request, response, known ? 200 : 404, pages.index.replaceAll('{{style-nonce}}', nonce), nonce)
        },
        (error: unknown) => {
          loading = undefined
          onError(error)
          sendHtml(request, response, 503, NOT_BUILT, '')
        },
      )
      return true
    },
    reload() {
      loading = undefined
    },
  }
}

/** The path that is asked for, where it can be one of ours: a page that a person opens, or a file of the build. */
function wantedOf({ method, url = '/', headers }: IncomingMessage): string | undefined {
  if (method !== 'GET' && method !== 'HEAD') return undefined
  const path = (url.split(/[?#]/, 1)[0] as string).slice(1)
  if (path === 'v1' || path.startsWith('v1/')) return undefined
  const isOurs = CLIENT_ROUTES.has(path.split('/', 1)[0] as string) || FILES.test(path)
  // Browsers ask for HTML when somebody goes to a page; programs get the interface's own 404.
  return isOurs || headers.accept?.includes('text/html') ? path : undefined
}

const FILES = /^(?:_app\/immutable\/[\w.-]+|favicon\.svg|color-scheme\.js)$/

const siteOf = ({ files }: Pages): Site => ({ find: (path) => files.get(path)?.file })

async function loadPages(directory: DashboardFilesParts['directory']): Promise<Pages | undefined> {
  const folder = await directory()
  if (folder === undefined) return undefined
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  const known = new Set(paths)
  const plain = paths.filter((path) => !/\.(?:br|gz)$/.test(path) && !path.endsWith('index.html'))
  const read = (path: string) => (known.has(path) ? readFile(path) : undefined)
  const files = await Promise.all(
    plain.map(async (path): Promise<[string, Held]> => {
      const [identity, br, gzip] = await Promise.all([readFile(path), read(`${path}.br`), read(`${path}.gz`)])
      const encodings = {
        identity: identity.length,
        ...(br ? { br: br.length } : {}),
        ...(gzip ? { gzip: gzip.length } : {}),
      }
      const name = relative(folder, path).replaceAll(sep, '/')
      const file: SiteFile = { path: name, sha256: await sha256Hex(new Uint8Array(identity)), encodings }
      return [name, { file, bytes: { identity, ...(br ? { br } : {}), ...(gzip ? { gzip } : {}) } }]
    }),
  )
  return { index: await readFile(join(folder, 'index.html'), 'utf8'), files: new Map(files) }
}

function sendHtml(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  html: string,
  nonce: string,
): void {
  response.writeHead(status, {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Length': Buffer.byteLength(html),
    'Content-Security-Policy': policyFor(nonce),
    // The nonce is of this answer alone: a stored page would carry the wrong one.
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'Referrer-Policy': 'no-referrer',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), microphone=(), geolocation=(), payment=()',
  })
  response.end(request.method === 'HEAD' ? undefined : html)
}

/**
 * Scripts come from our own files only. Mantine writes its variables and the styles of responsive props into style
 * elements, hence the nonce; style attributes in markup are refused, and React sets styles without them.
 */
const policyFor = (nonce: string) =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self'${nonce === '' ? '' : ` 'nonce-${nonce}'`}`,
    "img-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

/** Loads itself again; the token of a link stays in the address meanwhile. */
const NOT_BUILT = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta http-equiv="refresh" content="2">
<title>The dashboard is being built</title>
<h1>The dashboard is being built</h1>
<p>This happens once, takes some seconds, and this page then opens by itself. If it does not, the terminal in which the
service was started says why; <code>npm ci</code> installs what a build needs. The interface is served all the same.</p>
</html>
`
