import { request as httpRequest, type IncomingMessage } from 'node:http'
import { request as httpsRequest } from 'node:https'
import { isIP } from 'node:net'
import { rootCertificates, type TLSSocket } from 'node:tls'
import type { Clock } from '../../../platform/clock.ts'
import { canonicalAddress, isPublicAddress } from '../../../platform/dns/address.ts'
import { canonicalHostname } from '../../../platform/hostname.ts'
import type { AddressesOf } from '../observation/addresses.ts'

/** The certificate that was really shown in the handshake. */
export interface SeenCertificate {
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

export interface ServedFetchOptions {
  clock: Clock
  addressesOf: AddressesOf
  /** The platform's own addresses and ports, which may be private ones. */
  own: { addresses: readonly string[]; ports: { http: number; https: number } }
  /** Roots to trust beside the system's: that of the internal CA. */
  trustedPem: () => Promise<readonly string[]>
  hopTimeoutMs?: number
}

const HOPS_MAX = 10
const HOP_TIMEOUT_MS = 5000
const HEADERS_MAX = 60
const HEADER_CHARACTERS_MAX = 2000

/**
 * Follows an address as a browser with empty caches would, over real connections, and keeps every hop. Somebody else's
 * DNS or redirect decides where it goes, so it connects only to the public internet and to the platform's own ports.
 */
export async function fetchServed(options: ServedFetchOptions, start: string): Promise<Hop[]> {
  const hops: Hop[] = []
  for (let url: URL | null = new URL(start); url !== null && hops.length < HOPS_MAX;) {
    const hop = await fetchHop(options, url)
    hops.push(hop)
    const location = hop.headers.find(([name]) => name.toLowerCase() === 'location')?.[1]
    const isRedirect = hop.status !== null && hop.status >= 300 && hop.status < 400 && hop.status !== 304
    const next: URL | null = isRedirect && location !== undefined ? URL.parse(location, url) : null
    url = next && hops.every((seen) => seen.url !== next.href) ? next : null
  }
  return hops
}

async function fetchHop(options: ServedFetchOptions, url: URL): Promise<Hop> {
  const { clock } = options
  const at = clock.now()
  const finish = (fields: Partial<Hop>): Hop => ({
    url: url.href,
    address: null,
    status: null,
    headers: [],
    certificate: null,
    error: null,
    ...fields,
    durationMs: clock.now() - at,
  })
  const refusal = refuseUrl(options, url)
  if (refusal !== null) return finish({ error: refusal })
  const { v4, v6 } = await options.addressesOf(canonicalHostname(url.hostname) as string)
  const found = [...v4, ...v6].map(canonicalAddress)
  const address = found.find((candidate) => mayConnect(options, candidate, portOf(url)))
  if (address === undefined) {
    if (found.length === 0) return finish({ error: `${url.hostname} has no address in DNS.` })
    return finish({ error: `${url.hostname} leads to ${found.join(', ')}, which is not on the public internet.` })
  }
  try {
    return finish({ address, ...(await exchange(options, url, address)) })
  } catch (error) {
    return finish({ address, error: words(error as NodeJS.ErrnoException, url) })
  }
}

function refuseUrl({ own }: ServedFetchOptions, url: URL): string | null {
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return `${url.protocol} is not followed.`
  if (url.username !== '' || url.password !== '') return 'An address with a password in it is not followed.'
  if (isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0 || canonicalHostname(url.hostname) === null) {
    return `${url.hostname} is no hostname and is not followed.`
  }
  const allowed = [80, 443, own.ports.http, own.ports.https]
  return allowed.includes(portOf(url)) ? null : `Port ${portOf(url)} is not followed.`
}

function mayConnect({ own }: ServedFetchOptions, address: string, port: number): boolean {
  if (isPublicAddress(address)) return true
  const isOwnPort = port === own.ports.http || port === own.ports.https
  return isOwnPort && own.addresses.map(canonicalAddress).includes(address)
}

async function exchange(
  { trustedPem, hopTimeoutMs = HOP_TIMEOUT_MS }: ServedFetchOptions,
  url: URL,
  address: string,
): Promise<Pick<Hop, 'status' | 'headers' | 'certificate'>> {
  const isSecure = url.protocol === 'https:'
  const ca = isSecure ? [...rootCertificates, ...(await trustedPem())] : []
  return new Promise((resolve, reject) => {
    const request = (isSecure ? httpsRequest : httpRequest)({
      host: address,
      port: portOf(url),
      path: `${url.pathname}${url.search}`,
      headers: { Host: url.host, 'User-Agent': 'petstore-live-check/1', Accept: '*/*', Connection: 'close' },
      agent: false,
      signal: AbortSignal.timeout(hopTimeoutMs),
      maxHeaderSize: 64 * 1024,
      // A wrong certificate is what is being looked for: it is described instead of being refused.
      ...(isSecure ? { servername: url.hostname, rejectUnauthorized: false, ca } : {}),
    })
    request.on('error', reject)
    request.on('response', (response: IncomingMessage) => {
      const certificate = isSecure ? seenCertificate(response.socket as TLSSocket, url.hostname) : null
      resolve({ status: response.statusCode ?? null, headers: headersOf(response), certificate })
      // Nobody reads the body, however long it is.
      response.on('error', () => {})
      request.destroy()
    })
    request.end()
  })
}

function seenCertificate(socket: TLSSocket, hostname: string): SeenCertificate | null {
  const certificate = socket.getPeerX509Certificate()
  if (!certificate) return null
  const fits = certificate.checkHost(hostname) !== undefined
  const trust = socket.authorizationError as Error | string | undefined
  const reason = trust ? String((trust as Error).message ?? trust) : null
  return {
    subject: onOneLine(certificate.subject ?? ''),
    names: (certificate.subjectAltName ?? '').split(', ').map((name) => name.replace(/^(DNS|IP Address):/, '')),
    issuer: onOneLine(certificate.issuer),
    serial: certificate.serialNumber,
    notBefore: certificate.validFromDate.toISOString(),
    notAfter: certificate.validToDate.toISOString(),
    fingerprint: certificate.fingerprint256,
    distrust: reason ?? (fits ? null : `it is not for ${hostname}`),
  }
}

function headersOf({ rawHeaders }: IncomingMessage): [string, string][] {
  const pairs: [string, string][] = []
  for (let index = 0; index + 1 < rawHeaders.length && pairs.length < HEADERS_MAX; index += 2) {
    pairs.push([rawHeaders[index] as string, (rawHeaders[index + 1] as string).slice(0, HEADER_CHARACTERS_MAX)])
  }
  return pairs
}

function words(error: NodeJS.ErrnoException, url: URL): string {
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return `${url.host} did not answer in time.`
  if (error.code === 'ECONNREFUSED') return `Nothing listens at ${url.host}.`
  if (error.code === 'ERR_SSL_TLSV1_UNRECOGNIZED_NAME' || /unrecognized name/i.test(error.message)) {
    return `The server knows no certificate for ${url.hostname}.`
  }
  return `The connection to ${url.host} failed (${error.code ?? error.message}).`
}

const portOf = (url: URL) => Number(url.port) || (url.protocol === 'https:' ? 443 : 80)
const onOneLine = (name: string) => name.split('\n').toReversed().join(', ')
