import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import type { Destination } from './hosts.ts'
import { HEADER_BYTES_MAX, HTTP_TIMEOUTS, type HttpTimeouts } from './http-timeouts.ts'
import { closeGently, malformation, refuse, refuseMalformed, refuseUnreadable } from './malformed.ts'

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
  timeouts: HttpTimeouts = HTTP_TIMEOUTS,
): Promise<Listener> {
  let draining = false
  const serve = (request: IncomingMessage, response: ServerResponse) => {
    // What is still read from a connection that has been ended is not served: nobody could be told.
    if (request.socket.writableEnded) return
    if (draining) response.setHeader('Connection', 'close')
    const malformed = malformation(request)
    if (malformed) return refuseMalformed(response, malformed)
    handle(request, response, resolve(request.headers.host))
  }
  // Node would answer a missing Host itself, without a body, and leave out headers beyond a number, without a word.
  const server = createServer(
    { ...timeouts, maxHeaderSize: HEADER_BYTES_MAX, requireHostHeader: false, optimizeEmptyRequests: true },
    serve,
  )
  server.maxHeadersCount = 0
  server.on('connection', (socket: Socket) => {
    socket.destroySoon = () => closeGently(socket)
  })
  // An expectation other than 100-continue may be ignored (RFC 9110), and then the request is one like any other.
  server.on('checkExpectation', serve)
  server.on('connect', (_request, socket) => {
    refuse(socket as Socket, ['invalid_request', 'This is no proxy: CONNECT is not possible here.'])
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
