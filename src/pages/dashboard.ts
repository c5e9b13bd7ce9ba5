import { randomBytes } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { join, relative, sep } from 'node:path'
import { makePage, type Page, sendPage } from '../edge/pages.ts'
import { type MemoryFile, MemorySite, type Pages } from './memory-site.ts'

interface DashboardNeeds {
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

export interface DashboardPages extends Pages {
  /** Serves from now on what has been built meanwhile. */
  reload(): void
  /** Says why there are no pages to whoever opens one. */
  buildFailed(reason: string): void
}

/** `/` of the production address: the dashboard's pages, from memory. */
export function dashboardPages({ directory, onError }: DashboardNeeds): DashboardPages {
  const site = new MemorySite({ load: () => loadBuild(directory), onError })
  let notBuilt = BEING_BUILT
  return {
    handle(request, response) {
      const wanted = wantedOf(request)
      if (wanted === undefined) return false
      void site.open((build) => {
        if (build === undefined) return sendPage(request, response, notBuilt)
        if (wanted !== TEMPLATE && build.has(wanted)) return build.serve(request, response)
        const nonce = randomBytes(16).toString('base64')
        const html = build.text(TEMPLATE).replaceAll('{{style-nonce}}', nonce)
        sendHtml(request, response, isClientRoute(wanted) ? 200 : 404, html, nonce)
      })
      return true
    },
    reload: () => site.reload(),
    buildFailed(reason) {
      notBuilt = failedPage(reason)
    },
  }
}

/** Every page of the dashboard, once the nonce of the answer is in it. */
const TEMPLATE = 'index.html'

const isClientRoute = (path: string) => CLIENT_ROUTES.has(path.split('/', 1)[0] as string)

/** The path that is asked for, where it can be one of ours: a page that a person opens, or a file of the build. */
function wantedOf({ method, url = '/', headers }: IncomingMessage): string | undefined {
  if (method !== 'GET' && method !== 'HEAD') return undefined
  const path = (url.split(/[?#]/, 1)[0] as string).slice(1)
  if (path === 'v1' || path.startsWith('v1/')) return undefined
  const isOurs = isClientRoute(path) || FILES.test(path)
  // Browsers ask for HTML when somebody goes to a page; programs get the interface's own 404.
  return isOurs || headers.accept?.includes('text/html') ? path : undefined
}

const FILES = /^(?:_app\/immutable\/[\w.-]+|favicon\.svg|color-scheme\.js)$/

async function loadBuild(directory: DashboardNeeds['directory']): Promise<MemoryFile[] | undefined> {
  const folder = await directory()
  if (folder === undefined) return undefined
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const paths = new Set(entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name)))
  const read = (path: string) => (paths.has(path) ? readFile(path) : undefined)
  return Promise.all(
    [...paths]
      .filter((path) => !/\.(?:br|gz)$/.test(path))
      .map(async (path) => ({
        path: relative(folder, path).replaceAll(sep, '/'),
        content: { identity: await readFile(path), br: await read(`${path}.br`), gzip: await read(`${path}.gz`) },
      })),
  )
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
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

const SERVED_ALL_THE_SAME = 'The interface and the published sites are served all the same.'

/** Loads itself again; the token of a link stays in the address meanwhile. */
const BEING_BUILT = makePage(
  503,
  'The dashboard is being built',
  ['This happens once, takes some seconds, and this page then opens by itself.', SERVED_ALL_THE_SAME],
  ['Refresh', '2'],
)

function failedPage(reason: string): Page {
  const escaped = reason.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
  return makePage(503, 'The dashboard could not be built', [
    escaped,
    'Install what a build needs with <code>npm ci</code>, then start the service again; its log has the whole story.',
    SERVED_ALL_THE_SAME,
  ])
}
