import type { IncomingHttpHeaders } from 'node:http'
import { Agent, request as sendRequest } from 'node:https'
import { patience } from '../../../platform/clock.ts'
import { whenUnanswered } from '../../../platform/http/wire/unanswered.ts'
import { AcmeError } from './acme-error.ts'

export interface AcmeRequest {
  method: 'GET' | 'HEAD' | 'POST'
  url: string
  headers?: Record<string, string>
  body?: string
}

export interface AcmeResponse {
  status: number
  url: string
  headers: IncomingHttpHeaders
  body: string
}

/** One request to a CA and its whole answer. Fails only with `AcmeError`. */
export type AcmeTransport = (request: AcmeRequest, signal?: AbortSignal) => Promise<AcmeResponse>

interface AcmeTransportOptions {
  /** PEM of the roots to trust instead of the system's, for a private CA. */
  caPem?: string
  userAgent?: string
  /** For the whole exchange, so that a CA which drips bytes holds nobody. */
  timeoutMs?: number
  /** Orders and chains have a few kilobytes. */
  bodyBytesMax?: number
}

/**
 * HTTPS only, as RFC 8555 demands. Redirects are not followed (a signed request names its address), compression is
 * not offered, and nothing is read past `bodyBytesMax`.
 */
export function createAcmeTransport(options: AcmeTransportOptions = {}): AcmeTransport {
  const { userAgent = 'petstore-acme/1', timeoutMs = 30_000, bodyBytesMax = 256 * 1024 } = options
  const agent = new Agent({
    keepAlive: true,
    maxSockets: 16,
    timeout: timeoutMs,
    ...(options.caPem === undefined ? {} : { ca: options.caPem }),
  })

  return async (request, outerSignal) => {
    const url = parseUrl(request.url)
    using waiting = patience(timeoutMs)
    const signal = outerSignal ? AbortSignal.any([outerSignal, waiting.signal]) : waiting.signal
    try {
      return await exchange(url, request, { agent, signal, userAgent, bodyBytesMax })
    } catch (error) {
      if (error instanceof AcmeError) throw error
      if (waiting.signal.aborted)
        throw AcmeError.unavailable(`${url.host} did not answer within ${timeoutMs} ms`, error)
      throw AcmeError.unavailable(explain(url.host, error), error)
    }
  }
}

interface ExchangeOptions {
  agent: Agent
  signal: AbortSignal
  userAgent: string
  bodyBytesMax: number
}

function exchange(
  url: URL,
  { method, headers, body }: AcmeRequest,
  { agent, signal, userAgent, bodyBytesMax }: ExchangeOptions,
): Promise<AcmeResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<AcmeResponse>()
  const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
  const outgoing = sendRequest(url, {
    method,
    agent,
    signal,
    headers: { 'user-agent': userAgent, ...headers, ...length },
  })
  whenUnanswered(outgoing, reject)
  outgoing.on('response', (incoming) => {
    const chunks: Buffer[] = []
    let bytes = 0
    incoming.on('error', reject)
    incoming.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      if (bytes <= bodyBytesMax) return void chunks.push(chunk)
      reject(AcmeError.badResponse(`${url.host} sent more than ${bodyBytesMax} bytes`))
      outgoing.destroy()
    })
    incoming.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8')
      resolve({ status: incoming.statusCode ?? 0, url: url.href, headers: incoming.headers, body: text })
    })
  })
  outgoing.end(body)
  return promise
}

function parseUrl(text: string): URL {
  const url = URL.parse(text)
  if (url?.protocol === 'https:') return url
  throw AcmeError.badResponse(`"${text.slice(0, 200)}" is no https address`)
}

function explain(host: string, error: unknown): string {
  const code = (error as NodeJS.ErrnoException).code ?? (error as Error).message
  const untrusted = /SELF_SIGNED|UNABLE_TO_(GET|VERIFY)|CERT_/.test(code)
  return untrusted
    ? `the TLS certificate of ${host} is not trusted (${code}); give its root in the ACME CA file`
    : `${host} could not be reached (${code})`
}
