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

/** The end of a server, in two steps. */
export interface Ending extends AsyncDisposable {
  /** From now on nobody new is connected; whoever is, is served as ever. */
  stopAccepting(): void
}

/**
 * Stops accepting, lets everything in flight finish, and only then closes idle connections: a request that
 * is already on its way on one of them is still answered.
 */
export function endingOf(server: Server, { stopKeepingAlive, closeAll }: EndingNeeds): Ending {
  let closed: Promise<void> | undefined
  const stopAccepting = () =>
    (closed ??= new Promise<void>((resolve) => void NetServer.prototype.close.call(server, () => resolve())))
  return {
    stopAccepting: () => void stopAccepting(),
    async [Symbol.asyncDispose]() {
      stopKeepingAlive()
      // What has arrived is read between the timer and this: a connection with an unread request is not idle.
      const closeIdle = () => setImmediate(() => server.closeIdleConnections())
      const idle = setInterval(closeIdle, DRAIN_IDLE_MS)
      const late = setTimeout(closeAll, DRAIN_MAX_MS)
      await stopAccepting()
      clearInterval(idle)
      clearTimeout(late)
      // Ends the timer that checks connections; there are none left.
      server.close()
    },
  }
}

interface EndingNeeds {
  /** Makes every answer from now on the last one of its connection. */
  stopKeepingAlive(): void
  closeAll(): void
}
