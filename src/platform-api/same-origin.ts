import type { IncomingHttpHeaders } from 'node:http'
import { PetstoreError } from '../platform/errors.ts'

/**
 * A write must come from the dashboard's own pages. Every browser says where a write comes from, so that
 * silence is refused as well: a script of one's own only has to say `Origin`.
 */
export function requireSameOrigin(headers: IncomingHttpHeaders, ownOrigins: readonly string[]): void {
  const { origin, 'sec-fetch-site': site } = headers
  const fromHere = origin === undefined ? site === 'same-origin' : ownOrigins.includes(origin.toLowerCase())
  if (fromHere && (site === undefined || site === 'same-origin')) return
  throw new PetstoreError(
    'forbidden',
    origin === undefined && site === undefined
      ? `The request does not say where it comes from: send the header Origin: ${ownOrigins[0]}.`
      : 'Changes are accepted from the pages of this dashboard only.',
  )
}
