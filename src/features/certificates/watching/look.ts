import type { X509Certificate } from 'node:crypto'
import { request as httpsRequest } from 'node:https'
import type { TLSSocket } from 'node:tls'
import { patience } from '../../../platform/clock.ts'
import { whenUnanswered } from '../../../platform/http/wire/unanswered.ts'

/** Where this instance's own edge listens. */
export interface EdgeAddress {
  readonly address: string
  readonly port: number
  /** The port that visitors name; beside a balancer it is another one. */
  readonly publicPort: number
}

/** What a visitor met. */
export interface Seen {
  /** Undefined when there was no handshake. */
  readonly certificate: { serial: string; notAfter: number } | undefined
  /** SHA-256 of every certificate that was shown, the site's own first. */
  readonly chain: readonly string[]
  /** Undefined when there was no answer. */
  readonly status: number | undefined
}

const PATIENCE_MS = 5000
const CHAIN_MAX = 10

/** One connection to the edge of this instance, as a visitor of the name makes it. */
export async function lookAtEdge({ address, port, publicPort }: EdgeAddress, hostname: string): Promise<Seen> {
  using waiting = patience(PATIENCE_MS)
  const { promise, resolve } = Promise.withResolvers<Seen>()
  let seen: Seen = { certificate: undefined, chain: [], status: undefined }
  const request = httpsRequest({
    host: address,
    port,
    method: 'HEAD',
    path: '/',
    headers: {
      Host: publicPort === 443 ? hostname : `${hostname}:${publicPort}`,
      'User-Agent': 'petstore-watch/1',
      Connection: 'close',
    },
    agent: false,
    servername: hostname,
    // A wrong certificate is what is being looked for: it is described instead of being refused.
    rejectUnauthorized: false,
    signal: waiting.signal,
  })
  request.on('socket', (socket) => {
    socket.once('secureConnect', () => (seen = { ...seen, ...shownBy(socket as TLSSocket) }))
  })
  request.on('response', (response) => {
    resolve({ ...seen, status: response.statusCode })
    response.on('error', () => {})
    request.destroy()
  })
  whenUnanswered(request, () => resolve(seen))
  request.end()
  return await promise
}

function shownBy(socket: TLSSocket): Pick<Seen, 'certificate' | 'chain'> {
  const leaf = socket.getPeerX509Certificate()
  if (!leaf) return { certificate: undefined, chain: [] }
  const chain: string[] = []
  for (let each: X509Certificate | undefined = leaf; each && chain.length < CHAIN_MAX; each = each.issuerCertificate) {
    chain.push(each.fingerprint256)
  }
  return { certificate: { serial: leaf.serialNumber, notAfter: leaf.validToDate.getTime() }, chain }
}
