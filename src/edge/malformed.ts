import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { ERROR_STATUS, type ErrorCode } from '../platform/errors.ts'
import { requestIds } from '../platform/http/request-id.ts'
import { mayBeSlow } from '../platform/http/slow-body.ts'
import { HEADER_BYTES_MAX, HEADER_LINES_MAX } from './http-limits.ts'
import { answerBeingWritten } from './node-internals.ts'

/** A code of the closed list and a sentence for people. */
export type Refusal = readonly [ErrorCode, string]

/** What Node's parser lets pass and a router must not: no Host or two, another host in the target, odd versions. */
export function malformation(request: IncomingMessage): Refusal | undefined {
  const { rawHeaders, httpVersionMajor, httpVersionMinor } = request
  if (rawHeaders.length > 2 * HEADER_LINES_MAX) return TOO_MANY_LINES
  if (httpVersionMajor !== 1) return ['invalid_request', 'The request must be HTTP/1.1.']
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  if (hosts > 1) return ['invalid_request', 'The request has more than one Host header.']
  if (hosts === 0 && httpVersionMinor === 1) return ['invalid_request', 'The request has no Host header.']
  const target = request.url as string
  return target.charCodeAt(0) === 47 /* / */ || target === '*' ? undefined : reduceToPath(request, target)
}

/** RFC 9112 wants `GET http://host/path` understood; it is, as long as it and the Host header name the same host. */
function reduceToPath(request: IncomingMessage, target: string): Refusal | undefined {
  if (request.method === 'CONNECT') return NO_PROXY
  const [, authority, path] = /^https?:\/\/([^/?#]+)([/?].*)?$/i.exec(target) ?? []
  if (authority === undefined) return ['invalid_request', 'The request target must be a path, such as /v1/pets.']
  if (authority.toLowerCase() !== request.headers.host?.toLowerCase()) {
    return ['invalid_request', 'The request target and the Host header name different hosts.']
  }
  request.url = path?.startsWith('/') ? path : `/${path ?? ''}`
  return undefined
}

/**
 * What a request of HTTP/2 has too much of, by the measure of HTTP/1. Node's own bounds come later, because they end a
 * request without a word; and a browser sends each cookie in a field of its own, which is one line for all of them.
 */
export function oversize(rawHeaders: readonly string[]): Refusal | undefined {
  let lines = 0
  let bytes = 0
  let hasCookies = false
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string
    bytes += (rawHeaders[index + 1] as string).length
    if (hasCookies && name === 'cookie') {
      bytes += '; '.length
      continue
    }
    bytes += name.length
    hasCookies ||= name === 'cookie'
    if (name.charCodeAt(0) !== 58 /* : */ || name === ':authority') lines++
  }
  if (lines > HEADER_LINES_MAX) return TOO_MANY_LINES
  return bytes > HEADER_BYTES_MAX ? TOO_MANY_BYTES : undefined
}

/** Refuses a request that was read but cannot be routed, in its turn behind those that came before it. */
export function refuseMalformed(response: ServerResponse, refusal: Refusal): void {
  const { status, headers, body } = answerOf(refusal)
  response.writeHead(status, [...headers, ...LAST]).end(body)
}

/** The same of HTTP/2, where the other requests of the connection go on. */
export function refuseStream(response: ServerResponse, refusal: Refusal): true {
  const { status, headers, body } = answerOf(refusal)
  response.writeHead(status, headers).end(body)
  return true
}

const TOO_MANY_LINES: Refusal = ['headers_too_large', `The request has more than ${HEADER_LINES_MAX} header lines.`]
const TOO_MANY_BYTES: Refusal = ['headers_too_large', 'The request headers are larger than 16 KiB.']

const UNREADABLE: Record<string, Refusal> = {
  HPE_HEADER_OVERFLOW: TOO_MANY_BYTES,
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', 'The request did not arrive in time.'],
}

const NOT_HTTP: Refusal = ['invalid_request', 'The request is not valid HTTP.']
export const NO_PROXY: Refusal = ['method_not_allowed', 'This is no proxy: CONNECT is not possible here.']
const NO_SUCH_METHOD: Refusal = ['method_not_allowed', 'There is no such method here; method names are in upper case.']
/** Of a refusal that comes before any path is looked at. */
export const EVERY_METHOD = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'

/** Refuses bytes that never became a request, after the answers that are still due on the connection, and ends it. */
export function refuseUnreadable(error: ParserError, socket: Socket): void {
  if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && mayBeSlow(socket)) return
  const refusal = isUnknownMethod(error) ? NO_SUCH_METHOD : (UNREADABLE[error.code ?? ''] ?? NOT_HTTP)
  whenAnswered(socket, () => refuse(socket, refusal))
}

/** What Node's parser says of bytes that it cannot read. */
interface ParserError extends Error {
  code?: string
  rawPacket?: Buffer
  /** Where in the packet it stopped. */
  bytesParsed?: number
}

/** The parser knows some methods only, and says of any other word that the bytes are no HTTP. */
function isUnknownMethod({ code, rawPacket, bytesParsed = 0 }: ParserError): boolean {
  if (code !== 'HPE_INVALID_METHOD' || rawPacket === undefined) return false
  const lineAt = rawPacket.lastIndexOf('\n', bytesParsed) + 1
  return /^[\w!#$%&'*+.^`|~-]+ \S+ HTTP\/1\.[01]\r?\n/.test(rawPacket.toString('latin1', lineAt))
}

function refuse(socket: Socket, refusal: Refusal): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const { status, headers: own, body } = answerOf(refusal)
  const headers = [...own, ...LAST]
  let head = `HTTP/1.1 ${status} ${REASON[status] ?? 'Bad Request'}\r\n`
  for (let index = 0; index < headers.length; index += 2) head += `${headers[index]}: ${headers[index + 1]}\r\n`
  socket.write(`${head}\r\n${body}`)
  closeGently(socket)
}

const REASON: Record<number, string> = {
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
}

const LOOK_EVERY_MS = 500
/** Two, because the first after a busy moment comes before what has arrived meanwhile is read. */
const IDLE_LOOKS_MAX = 2
const LOOKS_MAX = 20

/**
 * Ends our half and goes on reading while the client sends, for ten seconds at most: bytes that arrive at a closed
 * socket reset the connection, and many clients then never see the answer.
 */
export function closeGently(socket: Socket): void {
  if (socket.destroyed) return
  socket.end()
  let { bytesRead } = socket
  let looks = 0
  let idleLooks = 0
  const looking = setInterval(() => {
    idleLooks = socket.bytesRead === bytesRead ? idleLooks + 1 : 0
    bytesRead = socket.bytesRead
    if (idleLooks === IDLE_LOOKS_MAX || ++looks === LOOKS_MAX) socket.destroy()
  }, LOOK_EVERY_MS)
  socket.once('close', () => clearInterval(looking))
}

/** Calls back once every complete request of the connection has its answer. */
function whenAnswered(socket: Socket, then: () => void): void {
  const due = answerBeingWritten(socket)
  if (socket.writableEnded) return
  if (due === undefined || due.destroyed || !due.req.complete) {
    // A body that breaks off behind an answer that has begun: there is nothing left to say.
    if (due?.headersSent) socket.destroy()
    else then()
    return
  }
  due.once('close', () => whenAnswered(socket, then))
}

const LAST = ['Connection', 'close']
const nextRequestId = requestIds()

function answerOf([code, message]: Refusal) {
  const status = ERROR_STATUS[code]
  const body = JSON.stringify({ code, message, status })
  const headers = [
    'X-Request-Id',
    nextRequestId(undefined),
    'Access-Control-Allow-Origin',
    '*',
    'Cache-Control',
    'no-store',
    'Content-Type',
    'application/json',
    'Content-Length',
    String(Buffer.byteLength(body)),
    ...(code === 'method_not_allowed' ? ['Allow', EVERY_METHOD] : []),
  ]
  return { status, headers, body }
}
