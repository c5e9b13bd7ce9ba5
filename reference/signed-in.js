/**
 * Whoever is signed in at this origin, and what they can do for the reference.
 *
 * @typedef {{ slug: string, name: string, role: string, suspension: unknown }} Project
 * @typedef {{ name: string, projects: Project[] }} SignedIn
 */
import { waysBack } from './ways-back.js'

const KEY_LIFE_MS = 3_600_000
const PLATFORM = '/platform/v1'

/**
 * Null where nobody is signed in, where they may make no keys, and where the reference stands alone, as the site of a
 * project does.
 *
 * @type {() => Promise<SignedIn | null>}
 */
export async function whoIsSignedIn() {
  if (waysBack().length === 0) return null
  try {
    const { account } = await call('GET', '/session')
    if (account === null) return null
    const projects = /** @type {Project[]} */ (await call('GET', '/projects'))
    const usable = projects.filter(({ role, suspension }) => role !== 'viewer' && suspension === null)
    return usable.length === 0 ? null : { name: account.name, projects: usable }
  } catch {
    return null
  }
}

/**
 * A key of the project's staging environment that ends by itself in an hour: keys are shown once, so that those which
 * there are cannot be shown here.
 *
 * @type {(slug: string) => Promise<string>}
 */
export async function makeTestKey(slug) {
  const expiresAt = new Date(Date.now() + KEY_LIFE_MS).toISOString()
  const body = { environment: 'staging', name: 'API reference', expiresAt }
  const { key } = await call('POST', `/projects/${encodeURIComponent(slug)}/keys`, body)
  return key
}

/** @type {(method: string, path: string, body?: unknown) => Promise<any>} */
async function call(method, path, body) {
  const response = await fetch(PLATFORM + path, {
    method,
    ...(body === undefined ? {} : { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
  })
  const answer = await response.json()
  if (!response.ok) throw new Error(answer.message)
  return answer
}
