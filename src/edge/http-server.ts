import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { Server as NetServer, type Socket } from 'node:net'
import { briefExchanges, type BrevityOf } from './brief-exchanges.ts'
import { HEADER_BYTES_MAX, type HttpTimeouts } from './http-limits.ts'
import { refuseUnreadable } from './malformed.ts'
import { NeverUpgraded } from './node-internals.ts'
import { createServer } from '../platform/http/wire/node-http.ts'
import { bind } from './ports.ts'

/** Long enough for a request that was on its way when the idle connection would have been closed. */
const DRAIN_QUIET_MS = 300
const DRAIN_LOOK_EVERY_MS = 50
/** Node accepts one connection in a turn, and turns are long on a busy machine; who never stops coming is left then. */
const ACCEPT_MAX_MS = 5000
const DRAIN_MAX_MS = 30_000

/** An HTTP/1 server that leaves every request and every refusal to us. */
export function createHttpServer(
  timeouts: HttpTimeouts,
  given: (request: IncomingMessage, response: ServerResponse) => void,
  brevityOf: BrevityOf | undefined,
): Server {
  const brief = brevityOf && briefExchanges(given, brevityOf)
  const serve = brief?.serve ?? given
  // Node would answer a missing Host itself, without a body, and leave out headers beyond a number, without a word.
  const server = createServer(
    {
      ...timeouts,
      maxHeaderSize: HEADER_BYTES_MAX,
      requireHostHeader: false,
      optimizeEmptyRequests: true,
      IncomingMessage: NeverUpgraded,
    },
    serve,
  )
  server.maxHeadersCount = 0
  // An expectation other than 100-continue may be ignored (RFC 9110), and then the request is one like any other.
  server.on('checkExpectation', serve)
  server.on('clientError', refuseUnreadable)
  brief?.attach(server)
  return server
}

/** The end of a server, in two steps. */
export interface Ending extends AsyncDisposable {
  /** Once it resolves nobody new is connected; whoever is, is served as ever. */
  stopAccepting(): Promise<void>
}

interface EndingNeeds {
  /** Makes every answer from now on the last one of its connection. */
  stopKeepingAlive(): void
  /** Ends what waits for a next request. */
  closeIdle(): void
  closeAll(): void
}

export interface Listener extends Ending {
  readonly address: string
  readonly port: number
}

/**
 * At its end it stops accepting, lets everything in flight finish, and closes idle connections only when nobody has
 * said anything for a while. Whatever the kernel had received by then is answered: a port is closed behind a look at it
 * that found nobody waiting, and idle connections behind several looks at all of them that found nothing. Time alone
 * would not do: under load much lies there unread when a timer fires, and an answer to what came before may just have
 * gone out.
 */
export async function openPort(
  server: Server,
  at: { address: string; port: number },
  { stopKeepingAlive, closeIdle, closeAll }: EndingNeeds,
): Promise<Listener> {
  // Before anybody can come.
  const open = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  const { address, port, sockets } = await bind(server, at.address, at.port)
  const closed = sockets.map(() => Promise.withResolvers<void>())
  let accepted: Promise<void> | undefined
  const stopAccepting = () => (accepted ??= closePort())
  /** One by one, each behind a look of its own: who comes meanwhile is given to those that are open. */
  const closePort = async () => {
    const late = performance.now() + ACCEPT_MAX_MS
    for (const [index, socket] of sockets.entries()) {
      await untilNobodyComes(socket, late)
      NetServer.prototype.close.call(socket, () => closed[index]?.resolve())
    }
  }

  let passed = 0
  let quietLooks = 0
  const look = () => {
    let bytes = 0
    for (const socket of open) bytes += socket.bytesRead + socket.bytesWritten
    quietLooks = bytes === passed ? quietLooks + 1 : 0
    passed = bytes
    if (quietLooks * DRAIN_LOOK_EVERY_MS >= DRAIN_QUIET_MS) closeIdle()
  }
  return {
    address,
    port,
    stopAccepting,
    async [Symbol.asyncDispose]() {
      // First: whoever is told to go comes back at once, and must not find a port that is about to close.
      await stopAccepting()
      stopKeepingAlive()
      // Behind the sockets' turn, not before it.
      const looks = setInterval(() => setImmediate(look), DRAIN_LOOK_EVERY_MS)
      const late = setTimeout(closeAll, DRAIN_MAX_MS)
      await Promise.all(closed.map(({ promise }) => promise))
      clearInterval(looks)
      clearTimeout(late)
      // Ends the timer that checks connections; there are none left.
      server.close()
    },
  }
}

/** A connection that waits to be accepted is reset when its port closes, with the request that it may have brought. */
async function untilNobodyComes(socket: NetServer, late: number): Promise<void> {
  let came = 0
  const count = () => came++
  socket.on('connection', count)
  // The first turn may be one whose connections have been looked at already.
  await turn()
  let before: number
  do {
    before = came
    await turn()
  } while (came !== before && performance.now() < late)
  socket.off('connection', count)
}

/** Until the event loop has looked at every socket. */
const turn = () => new Promise((resolve) => setImmediate(resolve))
