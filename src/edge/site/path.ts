/**
 * The path inside a site that a request target names: decoded once, NFC, no leading slash, dots and repeated
 * slashes resolved, `''` or a trailing slash for a directory. Null for what no file can be called.
 * It cannot climb: a site is a map, not a file system, and `..` stops at its root all the same.
 */
export function sitePathOf(target: string): string | undefined {
  const query = target.indexOf('?')
  const path = query < 0 ? target : target.slice(0, query)
  if (!path.startsWith('/')) return undefined
  if (PLAIN.test(path) && !path.includes('//') && !path.includes('/.')) return path.slice(1)

  const segments: string[] = []
  for (const raw of path.split('/')) {
    const segment = decoded(raw)
    if (segment === undefined) return undefined
    if (segment === '..') segments.pop()
    else if (segment !== '' && segment !== '.') segments.push(segment)
  }
  const isDirectory = segments.length > 0 && /\/(?:\.{1,2}|%2e|\.%2e|%2e\.|%2e%2e)?$/i.test(path)
  return segments.join('/') + (isDirectory ? '/' : '')
}

/** The way back: an absolute path that a browser cannot read as another host, whatever the file is called. */
export function urlPathOf(sitePath: string): string {
  return `/${sitePath.split('/').map(encodeURIComponent).join('/')}`
}

function decoded(segment: string): string | undefined {
  if (!segment.includes('%')) return UNNAMEABLE.test(segment) ? undefined : segment.normalize('NFC')
  try {
    const text = decodeURIComponent(segment)
    return UNNAMEABLE.test(text) ? undefined : text.normalize('NFC')
  } catch {
    return undefined
  }
}

const PLAIN = /^[\w.~/-]*$/
// An encoded slash must not become a separator, nor a backslash, which browsers read as one.
const UNNAMEABLE = /[/\\\p{Cc}]/u
