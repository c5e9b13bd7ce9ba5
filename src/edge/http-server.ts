import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { HEADER_BYTES_MAX, type HttpTimeouts } from './http-limits.ts'
import { refuse, refuseUnreadable, NO_PROXY } from './malformed.ts'

/** Long enough for a request that was on its way when the idle connection would have been closed. */
const DRAIN_IDLE_MS = 300
const DRAIN_MAX_MS = 30_000

/** An HTTP/1 server that leaves every request and every refusal to us. */
export function createHttpServer(
  timeouts: HttpTimeouts,
  serve: (request: IncomingMessage, response: ServerResponse) => void,
): Server {
  // Node would answer a missing Host itself, without a body, and leave out headers beyond a number, without a word.
  const server = createServer(
    { ...timeouts, maxHeaderSize: HEADER_BYTES_MAX, requireHostHeader: false, optimizeEmptyRequests: true },
    serve,
  )
  server.maxHeadersCount = 0
  // An expectation other than 100-continue may be ignored (RFC 9110), and then the request is one like any other.
  server.on('checkExpectation', serve)
  server.on('connect', (_request, socket) => {
    refuse(socket as Socket, NO_PROXY)
  })
  server.on('clientError', refuseUnreadable)
  return server
}

/**
 * Stops accepting, lets everything in flight finish, and only then closes idle connections: a request that
 * is already on its way on one of them is still answered.
 */
export async function drain(server: Server, closeAll: () => void): Promise<void> {
  const closed = new Promise<void>((resolve) => {
    NetServer.prototype.close.call(server, () => resolve())
  })
  const idle = setInterval(() => server.closeIdleConnections(), DRAIN_IDLE_MS)
  const late = setTimeout(closeAll, DRAIN_MAX_MS)
  await closed
  clearInterval(idle)
  clearTimeout(late)
  // Ends the timer that checks connections; there are none left.
  server.close()
}
