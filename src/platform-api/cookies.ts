import { DAY_MS, SECOND_MS } from '../platform/clock.ts'
import type { OpenedSession } from '../features/accounts/sessions.ts'

/** The server decides when a session ends; the browser only has to keep it long enough. */
const SESSION_MAX_AGE_MS = 90 * DAY_MS
const DEVICE_MAX_AGE_MS = 365 * DAY_MS

type CookieKind = 'session' | 'device'

/** `__Host-` keeps subdomains and plain HTTP from setting it; browsers take it over TLS only. */
const nameOf = (kind: CookieKind, secure: boolean) => `${secure ? '__Host-' : ''}petstore_${kind}`

export function readCookie(header: string | undefined, kind: CookieKind, secure: boolean): string | undefined {
  const name = nameOf(kind, secure)
  for (const pair of header?.split(';') ?? []) {
    const at = pair.indexOf('=')
    if (at !== -1 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim()
  }
  return undefined
}

export function signInCookies({ token, deviceMark }: OpenedSession, secure: boolean): { 'Set-Cookie': string[] } {
  return {
    'Set-Cookie': [
      cookie(nameOf('session', secure), token, SESSION_MAX_AGE_MS, secure),
      cookie(nameOf('device', secure), deviceMark, DEVICE_MAX_AGE_MS, secure),
    ],
  }
}

export function signOutCookies(secure: boolean): { 'Set-Cookie': string[] } {
  return { 'Set-Cookie': [cookie(nameOf('session', secure), '', 0, secure)] }
}

function cookie(name: string, value: string, maxAgeMs: number, secure: boolean): string {
  const attributes = `Path=/; HttpOnly; SameSite=Lax; Max-Age=${maxAgeMs / SECOND_MS}`
  return `${name}=${value}; ${attributes}${secure ? '; Secure' : ''}`
}
