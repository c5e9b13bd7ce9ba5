import type { AppPages } from './app-pages.ts'
import type { Config } from './config.ts'
import { sendPage, unavailablePage } from './edge/pages.ts'

const LIST_PATH = '/ca.crl'

/** Plain HTTP only: a client that is about to judge a certificate cannot fetch the list with the help of one. */
export function revocationListUrl({ baseUrl }: Pick<Config, 'baseUrl'>): string | undefined {
  return baseUrl.protocol === 'http:' ? new URL(LIST_PATH, baseUrl).href : undefined
}

/** `/ca.crl` of the production address: the certificates that the internal CA has revoked. */
export function revocationPage(parts: { list(): Promise<Uint8Array>; onError(error: unknown): void }): AppPages {
  return {
    handle(request, response) {
      if (request.url !== LIST_PATH || (request.method !== 'GET' && request.method !== 'HEAD')) return false
      parts.list().then(
        (list) => {
          response.writeHead(200, {
            'Content-Type': 'application/pkix-crl',
            'Content-Length': list.length,
            'Cache-Control': 'no-cache',
            'X-Content-Type-Options': 'nosniff',
          })
          response.end(request.method === 'HEAD' ? undefined : list)
        },
        (error: unknown) => {
          parts.onError(error)
          sendPage(request, response, unavailablePage)
        },
      )
      return true
    },
  }
}
