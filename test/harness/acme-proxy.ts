import { once } from 'node:events'
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { Agent, createServer, request as sendRequest } from 'node:https'
import type { AddressInfo } from 'node:net'
import { createInternalCa, createRoot } from '../../src/features/certificates/authority/internal-ca.ts'
import { type Clock, DAY_MS, systemClock } from '../../src/platform/clock.ts'

export interface ProxyFault {
  /** Answer with this instead of asking the CA. */
  answer?: { status: number; headers?: Record<string, string>; body?: string }
  /** Ask the CA only then. */
  hold?: Promise<void>
  /** Let the CA work, then send half of its answer and cut the connection. */
  cut?: boolean
}

/** One request as the proxy saw it. */
export interface ProxiedRequest {
  method: string
  path: string
  /** The protected header and the payload of the JWS; both absent on unsigned requests. */
  header?: { nonce: string; url: string; kid?: string; alg: string }
  payload?: Record<string, unknown> | undefined
  fault: ProxyFault
  status?: number
}

export interface AcmeProxyOptions {
  upstream: { directoryUrl: string; caPem: string }
  /** Called for every request except those that `renewalInfo` answers. */
  fault?: (request: ProxiedRequest) => ProxyFault
  /** Adds renewal information (ARI) to a CA that lacks it; called with the certificate's identifier. */
  renewalInfo?: (identifier: string) => NonNullable<ProxyFault['answer']>
  /** Offers these profiles at a CA that has none; it ignores which of them an order names. */
  profiles?: Record<string, string>
  /** Orders expire a day later by this clock; the CA has its own, and is months behind one that a test has moved. */
  clock?: Pick<Clock, 'now'>
}

export interface AcmeProxy extends AsyncDisposable {
  readonly directoryUrl: string
  readonly caPem: string
  readonly requests: ProxiedRequest[]
  /** How many were made, without those that the authority itself was too late to check. */
  ordersFor(hostname: string): number
}

const RENEWAL_INFO_PATH = '/renewal-info'

/** Stands in front of an ACME server: records what clients send, and does to them what bad networks and busy CAs do. */
export async function startAcmeProxy(options: AcmeProxyOptions): Promise<AcmeProxy> {
  const ca = createInternalCa({ clock: systemClock }, { root: await createRoot({ clock: systemClock }) })
  const { chainPem, privateKeyPem } = await ca.issue(['localhost', '127.0.0.1'])
  const upstream = new URL(options.upstream.directoryUrl)
  const agent = new Agent({ ca: options.upstream.caPem, keepAlive: true })
  const requests: ProxiedRequest[] = []
  /** By their addresses: pebble waits for an answer of DNS for two seconds, in which a machine can stand still. */
  const uncheckable = new Map<string, string>()

  const server = createServer({ cert: chainPem, key: privateKeyPem }, (request, response) => {
    handle(request, response).catch(() => response.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const base = `https://127.0.0.1:${(server.address() as AddressInfo).port}`

  return {
    directoryUrl: base + upstream.pathname,
    caPem: ca.rootPem,
    requests,
    ordersFor(hostname) {
      const names = (text: string | undefined) => text?.includes(`"${hostname}"`) ?? false
      const made = requests.filter(({ path, status, payload }) => {
        return path.startsWith('/order-plz') && status === 201 && names(JSON.stringify(payload))
      })
      return made.length - uncheckable.values().filter(names).toArray().length
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      agent.destroy()
    },
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await readBody(request)
    const seen: ProxiedRequest = { method: request.method ?? '', path: request.url ?? '', fault: {}, ...readJws(body) }
    requests.push(seen)
    if (options.renewalInfo && seen.path.startsWith(`${RENEWAL_INFO_PATH}/`)) {
      return finish(seen, response, options.renewalInfo(seen.path.slice(RENEWAL_INFO_PATH.length + 1)))
    }
    seen.fault = options.fault?.(seen) ?? {}
    if (seen.fault.answer) return finish(seen, response, seen.fault.answer)
    await seen.fault.hold

    const answer = await forward(seen, request.headers, body)
    seen.status = answer.status
    const isOrder = seen.path.startsWith('/my-order/')
    if (isOrder && /i\/o timeout/.test(answer.body.toString())) uncheckable.set(seen.path, answer.body.toString())
    const text = seen.path === upstream.pathname ? extendDirectory(answer.body) : movedExpiry(answer.body)
    response.writeHead(answer.status, { ...answer.headers, 'content-length': String(text.length) })
    if (!seen.fault.cut) return void response.end(text)
    const half = text.subarray(0, text.length >> 1)
    if (half.length === 0) return void response.socket?.destroy()
    response.write(half, () => response.socket?.destroy())
  }

  function finish(seen: ProxiedRequest, response: ServerResponse, answer: NonNullable<ProxyFault['answer']>): void {
    seen.status = answer.status
    response.writeHead(answer.status, answer.headers).end(answer.body)
  }

  function extendDirectory(body: Buffer): Buffer {
    const directory = JSON.parse(body.toString('utf8')) as { meta?: object }
    return Buffer.from(
      JSON.stringify({
        ...directory,
        ...(options.renewalInfo ? { renewalInfo: base + RENEWAL_INFO_PATH } : {}),
        ...(options.profiles ? { meta: { ...directory.meta, profiles: options.profiles } } : {}),
      }),
    )
  }

  function movedExpiry(body: Buffer): Buffer {
    if (!options.clock) return body
    const expires = new Date(options.clock.now() + DAY_MS).toISOString()
    return Buffer.from(body.toString().replace(/("expires":\s*)"[^"]+"/, `$1"${expires}"`))
  }

  /** The Host header stays as it came, so that the addresses which the CA hands out lead through the proxy. */
  async function forward({ method, path }: ProxiedRequest, headers: IncomingHttpHeaders, body: Buffer) {
    const outgoing = sendRequest({ agent, host: upstream.hostname, port: upstream.port, method, path, headers })
    outgoing.end(body)
    const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage]
    const { 'transfer-encoding': _chunked, connection: _connection, ...kept } = incoming.headers
    // Pebble asks for 3 or 5 s, and is ready in a few milliseconds.
    if (kept['retry-after'] !== undefined) kept['retry-after'] = '0'
    return { status: incoming.statusCode ?? 502, headers: kept, body: await readBody(incoming) }
  }
}

async function readBody(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

function readJws(body: Buffer): Pick<ProxiedRequest, 'header' | 'payload'> {
  if (body.length === 0) return {}
  const jws = JSON.parse(body.toString('utf8')) as { protected: string; payload: string }
  return { header: decode(jws.protected), payload: jws.payload ? decode(jws.payload) : undefined }
}

const decode = (part: string) => JSON.parse(Buffer.from(part, 'base64url').toString('utf8'))
