import type { Config } from '../config.ts'
import { type Clock, DAY_MS } from '../platform/clock.ts'
import { iso } from '../platform/iso-date.ts'
import type { Pages } from './memory-site.ts'

const PATH = '/.well-known/security.txt'
/** RFC 9116 asks for less than a year. */
const LIFE_MS = 180 * DAY_MS

interface SecurityTxtNeeds {
  config: Pick<Config, 'baseUrl' | 'securityContact'>
  clock: Clock
}

/** Where weaknesses are reported (RFC 9116), at the production address; nothing where the operator has not said. */
export function securityTxt({ config, clock }: SecurityTxtNeeds): Pages {
  const { baseUrl, securityContact } = config
  return {
    handle(request, response) {
      if (securityContact === undefined || request.url !== PATH) return false
      if (request.method !== 'GET' && request.method !== 'HEAD') return false
      const lines = [
        `Contact: ${securityContact}`,
        `Expires: ${iso(clock.now() + LIFE_MS)}`,
        `Canonical: ${new URL(PATH, baseUrl).href}`,
        'Preferred-Languages: en',
      ]
      const body = `${lines.join('\n')}\n`
      response.writeHead(200, [
        'Content-Type',
        'text/plain; charset=utf-8',
        'Content-Length',
        String(Buffer.byteLength(body)),
        'Cache-Control',
        'public, max-age=86400',
        'X-Content-Type-Options',
        'nosniff',
      ])
      response.end(request.method === 'HEAD' ? undefined : body)
      return true
    },
  }
}
