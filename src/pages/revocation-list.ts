import type { IncomingMessage } from 'node:http'
import type { Config } from '../config.ts'
import { portOf } from '../platform/port-of.ts'
import { MemorySite, type Pages } from './memory-site.ts'

const LIST_PATH = '/ca.crl'

type Addresses = Pick<Config, 'baseUrl' | 'stagingUrl' | 'httpPort'>

/**
 * Plain HTTP only: a client that is about to judge a certificate cannot fetch the list with the help of one. Where the
 * production address is https, the plain port beside it has the list, or that of the staging address.
 */
export function revocationListUrl({ baseUrl, stagingUrl, httpPort }: Addresses): string | undefined {
  if (baseUrl.protocol === 'http:') return new URL(LIST_PATH, baseUrl).href
  const port = httpPort ?? (stagingUrl.protocol === 'http:' ? portOf(stagingUrl) : 0)
  return port === 0 ? undefined : new URL(LIST_PATH, `http://${baseUrl.hostname}:${port}`).href
}

/** A plain request for the list, which an https production address has on another port. */
export function isRevocationList({ url, headers }: IncomingMessage, { baseUrl }: Pick<Config, 'baseUrl'>): boolean {
  if (url !== LIST_PATH || baseUrl.protocol === 'http:') return false
  return headers.host?.toLowerCase().replace(/:\d*$/, '') === baseUrl.hostname
}

/** `/ca.crl` of the production address: the certificates that the internal CA has revoked. */
export function revocationList(needs: { list(): Promise<Uint8Array>; onError(error: unknown): void }): Pages {
  const load = async () => [{ path: LIST_PATH.slice(1), content: { identity: await needs.list() } }]
  const site = new MemorySite({ load, onError: needs.onError })
  return {
    handle(request, response) {
      if (request.url !== LIST_PATH || (request.method !== 'GET' && request.method !== 'HEAD')) return false
      // The authority knows for how long its list holds.
      site.reload()
      site.serve(request, response)
      return true
    },
  }
}
