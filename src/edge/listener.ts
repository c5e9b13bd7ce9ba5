import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { ERROR_STATUS, type ErrorCode } from '../platform/errors.ts'
import type { Destination } from './hosts.ts'
import { HEADER_BYTES_MAX, HTTP_TIMEOUTS } from './http-timeouts.ts'

export type RequestHandler = (request: IncomingMessage, response: ServerResponse, destination: Destination) => void

export interface Listener extends AsyncDisposable {
  readonly address: string
  readonly port: number
}

/** Long enough for a request that was on its way when the idle connection would have been closed. */
const DRAIN_IDLE_MS = 300
const DRAIN_MAX_MS = 30_000

/** One plain HTTP port on one address. */
export async function listen(
  address: string,
  port: number,
  resolve: (host: string | undefined) => Destination,
  handle: RequestHandler,
): Promise<Listener> {
  let draining = false
  const server = createServer({ ...HTTP_TIMEOUTS, maxHeaderSize: HEADER_BYTES_MAX }, (request, response) => {
    if (draining) response.setHeader('Connection', 'close')
    const malformed = malformation(request)
    if (malformed) return refuse(request.socket, 'invalid_request', malformed)
    handle(request, response, resolve(request.headers.host))
  })
  server.on('clientError', refuseUnreadable)
  await bind(server, address, port)

  return {
    address,
    port: (server.address() as { port: number }).port,
    async [Symbol.asyncDispose]() {
      draining = true
      await drain(server)
    },
  }
}

/**
 * Stops accepting, lets everything in flight finish, and only then closes idle connections: a request that
 * is already on its way on one of them is still answered.
 */
async function drain(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    NetServer.prototype.close.call(server, () => resolve())
  })
  const idle = setInterval(() => server.closeIdleConnections(), DRAIN_IDLE_MS)
  const late = setTimeout(() => server.closeAllConnections(), DRAIN_MAX_MS)
  await closed
  clearInterval(idle)
  clearTimeout(late)
  // Ends the timer that checks connections; there are none left.
  server.close()
}

function bind(server: Server, address: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, address, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

/** What Node's parser lets pass and a router must not: two Hosts, and targets that name another host. */
function malformation(request: IncomingMessage): string | undefined {
  const { rawHeaders } = request
  let hosts = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] as string
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  if (hosts > 1) return 'The request has more than one Host header.'
  const target = request.url as string
  if (target.charCodeAt(0) !== 47 /* / */ && target !== '*') return 'The request target must be a path, such as /v1/pets.'
  return undefined
}

const UNREADABLE: Record<string, [ErrorCode, string]> = {
  HPE_HEADER_OVERFLOW: ['headers_too_large', 'The request headers are larger than 16 KiB.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['request_timeout', 'The request did not arrive in time.'],
}

function refuseUnreadable(error: Error & { code?: string }, socket: Socket): void {
  const [code, message] = UNREADABLE[error.code ?? ''] ?? ['invalid_request', 'The request is not valid HTTP.']
  refuse(socket, code, message)
}

/** Answers a request that never became one, and ends its connection. */
function refuse(socket: Socket, code: ErrorCode, message: string): void {
  if (!socket.writable) {
    socket.destroy()
    return
  }
  const status = ERROR_STATUS[code]
  const body = JSON.stringify({ code, message, status })
  socket.end(
    `HTTP/1.1 ${status} ${REASON[status] ?? 'Bad Request'}\r\nContent-Type: application/json\r\n` +
      `Content-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
  )
}

const REASON: Record<number, string> = { 408: 'Request Timeout', 431: 'Request Header Fields Too Large' }
