import type { ServerResponse } from 'node:http'

export type RedirectStatus = 301 | 302 | 307 | 308

/** Where a redirect leads: a host of ours, never something out of the request. */
export interface Origin {
  scheme: 'http' | 'https'
  host: string
  port?: number
}

/** The absolute address of the same path and query on another origin. */
export function locationOn(origin: Origin, target: string): string {
  const port = origin.port === undefined || origin.port === DEFAULT_PORTS[origin.scheme] ? '' : `:${origin.port}`
  return `${origin.scheme}://${origin.host}${port}${pathAndQueryOf(target)}`
}

/**
 * Redirects are asked about again every time: browsers would otherwise keep a 301 or 308 for good, and people who
 * change their primary domain would meet the old chain.
 */
export function sendRedirect(
  response: ServerResponse,
  status: RedirectStatus,
  location: string,
  extraHeaders: readonly string[] = [],
): void {
  response.writeHead(status, [
    'Location',
    location,
    'Cache-Control',
    'public, max-age=0, must-revalidate',
    'Content-Length',
    '0',
    'X-Content-Type-Options',
    'nosniff',
    ...extraHeaders,
  ])
  response.end()
}

interface Hsts {
  maxAgeSeconds: number
  includeSubDomains?: boolean
}

/** The value of `Strict-Transport-Security`, for answers over TLS only. */
export function hstsValue({ maxAgeSeconds, includeSubDomains = false }: Hsts): string {
  return `max-age=${maxAgeSeconds}${includeSubDomains ? '; includeSubDomains' : ''}`
}

function pathAndQueryOf(target: string): string {
  const originForm = target.replace(ABSOLUTE_FORM, '')
  const relative = originForm.startsWith('/') || originForm.startsWith('?') ? originForm : ''
  const [path = ''] = relative.split('?', 1)
  return `/${path.replace(LEADING_SLASHES, '')}${relative.slice(path.length)}`.replaceAll(UNSAFE, percentEncoded)
}

/** Request targets hold one character per byte, so that raw UTF-8 keeps its bytes. */
const percentEncoded = (character: string) =>
  `%${(character.charCodeAt(0) & 0xff).toString(16).toUpperCase().padStart(2, '0')}`

const DEFAULT_PORTS = { http: 80, https: 443 }
const ABSOLUTE_FORM = /^https?:\/\/[^/?#]*/i
const LEADING_SLASHES = /^[/\\]+/
const UNSAFE = /[^\x21-\x7e]|["<>\\^`{|}]/g
