import type { EventEmitter } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import {
  createServer as createHttp2Server,
  type Http2ServerResponse,
  type IncomingHttpHeaders,
  type ServerHttp2Session,
  type ServerHttp2Stream,
} from 'node:http2'
import type { Socket } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { ERROR_STATUS } from '../../platform/errors.ts'
import { canonicalHostname } from '../../platform/hostname.ts'
import type { BrevityOf } from '../brief-exchanges.ts'
import type { HttpTimeouts } from '../http-limits.ts'
import { createHttpServer } from '../http-server.ts'
import {
  closeGently,
  EVERY_METHOD,
  malformation,
  NO_PROXY,
  oversize,
  refuseMalformed,
  refuseStream,
} from '../malformed.ts'
import { acceptFirst, onLastAnswer, streamsFirst, withoutBody } from '../node-internals.ts'
import { misdirectedPage, sendPage } from '../pages.ts'
import { h2Exchange } from './h2-exchange.ts'
import { H2_OPTIONS, limitH2Session } from './h2-limits.ts'

export interface TlsHttpNeeds {
  /** Called for every new connection, before its handshake. */
  accept: (socket: Socket) => void
  /** Called for requests whose Host agrees with the name that the connection was opened for. */
  handle: (request: IncomingMessage, response: ServerResponse) => void
  brevityOf?: BrevityOf | undefined
  timeouts: HttpTimeouts & {
    /** Without a byte in either direction. */
    silenceTimeout: number
  }
}

interface TlsHttpServer {
  /** Accepts the connections of the port. */
  readonly server: Server
  /** Serves HTTP on a connection whose handshake for this host is done. */
  serve(socket: TLSSocket, host: string): void
  /** From now on every answer is the last one of its connection. */
  stopKeepingAlive(): void
  /** Ends what waits for a next request, or will have its last answer soon. */
  closeIdle(): void
}

/** HTTP/1.1 and HTTP/2 behind TLS, with the check that every request needs and a handshake cannot give. */
export function createTlsHttpServer({ accept, handle, brevityOf, timeouts }: TlsHttpNeeds): TlsHttpServer {
  const sessions = new Map<ServerHttp2Session, { name: string; admit(stream: ServerHttp2Stream): void }>()
  let isStopping = false

  const http1 = createHttpServer(timeouts, check, brevityOf)
  http1.setTimeout(timeouts.silenceTimeout)
  const serveHttp1 = acceptFirst(http1, accept)
  const http2 = createHttp2Server(H2_OPTIONS)
  http2.setTimeout(timeouts.silenceTimeout)
  http2.on('session', (session) => {
    const name = (session.socket as TLSSocket).servername as string
    sessions.set(session, { name, admit: limitH2Session(session, timeouts) })
    session.on('close', () => sessions.delete(session))
  })
  // Node promises that its HTTP/2 requests and responses can be used like those of HTTP/1; the types do not know it.
  const compatible: EventEmitter = http2
  compatible.on('request', check)
  streamsFirst(http2, (stream, headers, rawHeaders) => {
    const session = sessions.get(stream.session as ServerHttp2Session)
    if (session === undefined) return endUnheard(stream)
    session.admit(stream)
    const tooMuch = oversize(rawHeaders)
    if (tooMuch) return refuseStream(h2Exchange(stream, headers).response, tooMuch)
    if (!stream.endAfterHeaders || !isPlainRead(headers)) return false
    withoutBody(stream)
    const { request, response } = h2Exchange(stream, headers)
    check(request, response)
    return true
  })
  compatible.on('checkExpectation', check)
  compatible.on('connect', (_request, response: Http2ServerResponse) => {
    const [code, message] = NO_PROXY
    const status = ERROR_STATUS[code]
    const headers = { 'Content-Type': 'application/json', Allow: EVERY_METHOD }
    response.writeHead(status, headers).end(JSON.stringify({ code, message, status }))
  })

  return {
    server: http1,
    serve(socket, host) {
      // Node leaves it false after resumption on TLS 1.2, and HTTP/2 sessions know their socket by copy only.
      socket.servername = host
      if (socket.alpnProtocol === 'h2') http2.emit('connection', socket)
      else serveHttp1(socket)
    },
    stopKeepingAlive() {
      isStopping = true
    },
    closeIdle() {
      http1.closeIdleConnections()
      for (const session of sessions.keys()) session.close()
    },
  }

  function check(request: MaybeHttp2Request, response: ServerResponse): void {
    const isHttp2 = request.httpVersionMajor === 2
    if (!isHttp2 && request.socket.writableEnded) return
    const name = isHttp2
      ? sessions.get(request.stream?.session as ServerHttp2Session)?.name
      : (request.socket as TLSSocket).servername
    if (typeof name !== 'string') return void response.destroy()

    const malformed = isHttp2 ? undefined : malformation(request)
    if (malformed) {
      onLastAnswer(request.socket, closeGently)
      return refuseMalformed(response, malformed)
    }
    // HTTP/2 carries the host in a pseudo header; what follows knows one place only.
    const authority = request.headers[':authority']
    if (typeof authority === 'string') request.headers.host = authority
    const isMisdirected = !agrees(request.headers.host, name)
    if (!isHttp2 && (isMisdirected || isStopping)) {
      // Not for every connection: it costs 5 % of a handshake, and only here may the client still be sending.
      onLastAnswer(request.socket, closeGently)
      response.setHeader('Connection', 'close')
    }
    if (isHttp2 && isStopping) closeBehind(request.stream?.session as ServerHttp2Session)
    if (isMisdirected) return refuseMisdirected(request, response)
    handle(request, response)
  }
}

/**
 * Says that this request was the last. Whoever sends one at a time has no other on its way then; what else is on its
 * way is refused as not processed, which tells the client that it may ask again elsewhere (RFC 9113, 8.7). Not before
 * the others that came in the same bytes have been read, or they would count among those.
 */
const closeBehind = (session: ServerHttp2Session) => void setImmediate(() => session.close())

/** Of a connection that ended in the turn in which the request came: nobody can be answered. */
function endUnheard(stream: ServerHttp2Stream): true {
  stream.on('error', () => {}).destroy()
  return true
}

/** Most requests, and those that need nothing of what Node does for the others. */
const isPlainRead = ({ ':method': method, expect }: IncomingHttpHeaders) =>
  (method === 'GET' || method === 'HEAD') && expect === undefined

type MaybeHttp2Request = IncomingMessage & { stream?: { session?: ServerHttp2Session } }

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

const PORT = /^:\d{1,5}$/
const MISDIRECTED = {
  code: 'misdirected_request',
  message: 'This connection was opened for another host, or its host is no longer served. Open a new connection.',
  status: ERROR_STATUS.misdirected_request,
} as const
const MISDIRECTED_BODY = JSON.stringify(MISDIRECTED)
