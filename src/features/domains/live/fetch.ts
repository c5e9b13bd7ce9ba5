import type { IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { rootCertificates, type TLSSocket } from 'node:tls'
import { patience, type Clock } from '../../../platform/clock.ts'
import { request as httpRequest } from '../../../platform/http/wire/node-http.ts'
import { whenUnanswered } from '../../../platform/http/wire/unanswered.ts'
import { portOf } from '../../../platform/port-of.ts'
import { type DestinationNeeds, findDestination } from './destination.ts'
import { distrustOf } from './distrust.ts'

/** The certificate that was really shown in the handshake. */
interface SeenCertificate {
  subject: string
  names: string[]
  issuer: string
  serial: string
  notBefore: string
  notAfter: string
  /** SHA-256, colon-separated. */
  fingerprint: string
  /** Why a browser would not trust it; null when it would. */
  distrust: string | null
  /** What to do about that. */
  distrustFix: string | null
}

export interface Hop {
  url: string
  /** Where the connection went; null when there was none. */
  address: string | null
  status: number | null
  /** In the order and spelling in which they came. */
  headers: [string, string][]
  certificate: SeenCertificate | null
  /** What went wrong, in words; null when an answer came. */
  error: string | null
  durationMs: number
}

export interface FetchNeeds extends DestinationNeeds {
  clock: Clock
  /** Roots to trust beside the system's: that of the internal CA. */
  trustedPem: () => Promise<readonly string[]>
  hopTimeoutMs?: number
}

/** An answer with the beginning of its body. */
export interface FetchedPage extends Hop {
  body: string
}

const REDIRECTS_MAX = 10
const HOP_TIMEOUT_MS = 5000
const HEADERS_MAX = 60
const HEADER_CHARACTERS_MAX = 2000

/** Follows an address as a browser with empty caches would, over real connections, and keeps every hop. */
export async function fetchHops(needs: FetchNeeds, start: string): Promise<Hop[]> {
  return (await fetchPages(needs, start, 0)).map(({ body: _, ...hop }) => hop)
}

/** The same with the beginning of every body. */
export async function fetchPages(needs: FetchNeeds, start: string, bodyBytesMax: number): Promise<FetchedPage[]> {
  const hops: FetchedPage[] = []
  for (let url: URL | undefined = new URL(start); url !== undefined && hops.length < REDIRECTS_MAX;) {
    const hop = await fetchPage(needs, url, bodyBytesMax)
    hops.push(hop)
    const target = locationOf(hop)
    url = target !== undefined && hops.every((seen) => seen.url !== target) ? new URL(target) : undefined
  }
  return hops
}

/** Where a hop sends visitors on to. */
export function locationOf({ url, status, headers }: Hop): string | undefined {
  if (status === null || status < 300 || status >= 400 || status === 304) return undefined
  const location = headers.find(([name]) => name.toLowerCase() === 'location')?.[1]
  return location === undefined ? undefined : URL.parse(location, url)?.href
}

/** One connection and one answer; of its body so many bytes are read, and nothing is followed. */
export async function fetchPage(needs: FetchNeeds, url: URL, bodyBytesMax: number): Promise<FetchedPage> {
  const { clock } = needs
  const at = clock.now()
  const finish = (fields: Partial<FetchedPage>): FetchedPage => ({
    url: url.href,
    address: null,
    status: null,
    headers: [],
    certificate: null,
    error: null,
    body: '',
    ...fields,
    durationMs: clock.now() - at,
  })
  const destination = await findDestination(needs, url)
  if (!destination.ok) return finish({ error: destination.reason })
  const { address } = destination
  try {
    return finish({ address, ...(await exchange(needs, url, address, bodyBytesMax)) })
  } catch (error) {
    return finish({ address, error: failureText(error as NodeJS.ErrnoException, url) })
  }
}

async function exchange(
  { trustedPem, hopTimeoutMs = HOP_TIMEOUT_MS }: FetchNeeds,
  url: URL,
  address: string,
  bodyBytesMax: number,
): Promise<Pick<FetchedPage, 'status' | 'headers' | 'certificate' | 'body'>> {
  const isSecure = url.protocol === 'https:'
  const ca = isSecure ? [...rootCertificates, ...(await trustedPem())] : []
  using waiting = patience(hopTimeoutMs)
  return await new Promise((resolve, reject) => {
    const request = (isSecure ? httpsRequest : httpRequest)({
      host: address,
      port: portOf(url),
      path: `${url.pathname}${url.search}`,
      headers: { Host: url.host, 'User-Agent': 'petstore-live-check/1', Accept: '*/*', Connection: 'close' },
      agent: false,
      signal: waiting.signal,
      maxHeaderSize: 64 * 1024,
      // A wrong certificate is what is being looked for: it is described instead of being refused.
      ...(isSecure ? { servername: url.hostname, rejectUnauthorized: false, ca } : {}),
    })
    whenUnanswered(request, reject)
    request.on('response', (response: IncomingMessage) => {
      const certificate = isSecure ? seenCertificate(response.socket as TLSSocket, url.hostname) : null
      const head = { status: response.statusCode ?? null, headers: headersOf(response), certificate }
      // However long the body is, and however slowly it comes.
      const chunks: Buffer[] = []
      const end = () => {
        resolve({ ...head, body: Buffer.concat(chunks).subarray(0, bodyBytesMax).toString() })
        request.destroy()
      }
      response.on('error', end)
      response.on('end', end)
      if (bodyBytesMax === 0) return end()
      let bytes = 0
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        bytes += chunk.length
        if (bytes >= bodyBytesMax) end()
      })
    })
    request.end()
  })
}

function seenCertificate(socket: TLSSocket, hostname: string): SeenCertificate | null {
  const certificate = socket.getPeerX509Certificate()
  if (!certificate) return null
  const error = socket.authorizationError as Error | string | undefined
  const code = error ? String((error as NodeJS.ErrnoException).code ?? error) : undefined
  const distrust = distrustOf(certificate, hostname, code)
  return {
    subject: onOneLine(certificate.subject ?? ''),
    names: (certificate.subjectAltName ?? '').split(', ').map((name) => name.replace(/^(DNS|IP Address):/, '')),
    issuer: onOneLine(certificate.issuer),
    serial: certificate.serialNumber,
    notBefore: certificate.validFromDate.toISOString(),
    notAfter: certificate.validToDate.toISOString(),
    fingerprint: certificate.fingerprint256,
    distrust: distrust?.reason ?? null,
    distrustFix: distrust?.fix ?? null,
  }
}

function headersOf({ rawHeaders }: IncomingMessage): [string, string][] {
  const pairs: [string, string][] = []
  for (let index = 0; index + 1 < rawHeaders.length && pairs.length < HEADERS_MAX; index += 2) {
    pairs.push([rawHeaders[index] as string, (rawHeaders[index + 1] as string).slice(0, HEADER_CHARACTERS_MAX)])
  }
  return pairs
}

function failureText(error: NodeJS.ErrnoException, url: URL): string {
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return `${url.host} did not answer in time.`
  if (error.code === 'ECONNREFUSED') return `Nothing listens at ${url.host}.`
  if (error.code === 'ERR_SSL_TLSV1_UNRECOGNIZED_NAME' || /unrecognized name/i.test(error.message)) {
    return `The server knows no certificate for ${url.hostname}.`
  }
  return `The connection to ${url.host} failed (${error.code ?? error.message}).`
}

const onOneLine = (name: string) => name.split('\n').toReversed().join(', ')
