import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  createSecureServer,
  type Http2SecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Session,
} from 'node:http2'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { ERROR_STATUS } from '../../platform/errors.ts'
import { canonicalHostname } from '../../platform/hostname.ts'
import { H2_OPTIONS, limitH2Session } from './h2-limits.ts'
import { HEADER_BYTES_MAX, type HttpTimeouts } from '../http-timeouts.ts'
import { closeGently, malformation, refuse, refuseMalformed, refuseUnreadable } from '../malformed.ts'
import { misdirectedPage, sendPage } from '../pages.ts'

export interface TlsHttpOptions {
  /** False only for hosts that are known not to be served, such as one that was just removed. */
  isServed: (host: string) => boolean
  /** Called for requests whose Host agrees with the name that the connection was opened for. */
  handle: (request: IncomingMessage, response: ServerResponse) => void
  timeouts: HttpTimeouts & {
    /** Without a byte in either direction. */
    silenceTimeout: number
  }
}

export interface TlsHttpServer {
  /** Accepts connections on its port, but leaves them to whoever listens to `connection`. */
  readonly server: Http2SecureServer
  readonly sessions: ReadonlySet<ServerHttp2Session>
  /** Serves HTTP on a connection whose handshake for this host is done. */
  serve(socket: TLSSocket, host: string): void
  /** From now on every answer is the last one of its connection. */
  stopKeepingAlive(): void
}

/** HTTP/1.1 and HTTP/2 behind TLS, with the two checks that every request needs and a handshake cannot give. */
export function createTlsHttpServer({ isServed, handle, timeouts }: TlsHttpOptions): TlsHttpServer {
  const sessions = new Set<ServerHttp2Session>()
  const names = new WeakMap<ServerHttp2Session, string>()
  let isStopping = false

  const http1Options = {
    ...timeouts,
    maxHeaderSize: HEADER_BYTES_MAX,
    requireHostHeader: false,
    optimizeEmptyRequests: true,
  }
  const server = createSecureServer({ ...H2_OPTIONS, allowHTTP1: true, http1Options, noDelay: true })
  // Node would leave out HTTP/1 headers beyond a number without a word.
  Object.assign(server, { maxHeadersCount: 0 })
  server.setTimeout(timeouts.silenceTimeout)
  // Node's own listener would start TLS at once, with one context for all names.
  server.removeAllListeners('connection')
  server.on('session', (session: ServerHttp2Session) => {
    names.set(session, (session.socket as TLSSocket).servername as string)
    sessions.add(session)
    session.on('close', () => sessions.delete(session))
    limitH2Session(session, timeouts)
  })
  const answer = (request: Http2ServerRequest | IncomingMessage, response: Http2ServerResponse | ServerResponse) => {
    // Node promises that its HTTP/2 requests and responses can be used like those of HTTP/1.
    check(request as IncomingMessage, response as unknown as ServerResponse)
  }
  server.on('request', answer)
  server.on('checkExpectation', answer)
  server.on('connect', refuseConnect)
  server.on('clientError', refuseUnreadable)

  return {
    server,
    sessions,
    serve(socket, host) {
      // Node leaves it false after resumption on TLS 1.2, and HTTP/2 sessions know their socket by copy only.
      socket.servername = host
      server.emit('secureConnection', socket)
    },
    stopKeepingAlive() {
      isStopping = true
    },
  }

  function check(request: MaybeHttp2Request, response: ServerResponse): void {
    const isHttp2 = request.httpVersionMajor === 2
    if (!isHttp2 && request.socket.writableEnded) return
    const name = isHttp2
      ? names.get(request.stream?.session as ServerHttp2Session)
      : (request.socket as TLSSocket).servername
    if (typeof name !== 'string') return void response.destroy()

    const malformed = isHttp2 ? undefined : malformation(request)
    if (malformed) {
      endGently(request.socket)
      return refuseMalformed(response, malformed)
    }
    // HTTP/2 carries the host in a pseudo header; what follows knows one place only.
    const authority = request.headers[':authority']
    if (typeof authority === 'string') request.headers.host = authority
    const isMisdirected = !agrees(request.headers.host, name) || !isServed(name)
    if (!isHttp2 && (isMisdirected || isStopping)) {
      endGently(request.socket)
      response.setHeader('Connection', 'close')
    }
    if (isMisdirected) return refuseMisdirected(request, response)
    handle(request, response)
  }
}

type MaybeHttp2Request = IncomingMessage & { stream?: { session?: ServerHttp2Session } }

/** For answers that end a connection on which the client may still be sending; costs 5 % of a handshake otherwise. */
function endGently(socket: Socket): void {
  socket.destroySoon = () => closeGently(socket)
}

function agrees(host: string | undefined, name: string): boolean {
  if (host === undefined) return false
  if (host.startsWith(name) && (host.length === name.length || PORT.test(host.slice(name.length)))) return true
  return canonicalHostname(host) === name
}

function refuseMisdirected(request: IncomingMessage, response: ServerResponse): void {
  if (request.headers.accept?.includes('text/html')) return sendPage(request, response, misdirectedPage)
  response.writeHead(MISDIRECTED.status, [
    'Content-Type',
    'application/json',
    'Content-Length',
    String(MISDIRECTED_BODY.length),
    'Cache-Control',
    'no-store',
  ])
  response.end(MISDIRECTED_BODY)
}

function refuseConnect(_request: unknown, peer: Socket | Http2ServerResponse): void {
  if ('writeHead' in peer) peer.writeHead(ERROR_STATUS.method_not_allowed).end()
  else refuse(peer, ['invalid_request', 'This is no proxy: CONNECT is not possible here.'])
}

const PORT = /^:\d{1,5}$/
const MISDIRECTED = {
  code: 'misdirected_request',
  message: 'This connection was opened for another host, or its host is no longer served. Open a new connection.',
  status: ERROR_STATUS.misdirected_request,
} as const
const MISDIRECTED_BODY = JSON.stringify(MISDIRECTED)
