import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { BrevityOf } from './brief-exchanges.ts'
import type { ConnectionGate } from './connection-gate.ts'
import type { Destination } from './hosts.ts'
import { HTTP_TIMEOUTS, type HttpTimeouts } from './http-limits.ts'
import { createHttpServer, type Listener, openPort } from './http-server.ts'
import { closeGently, malformation, refuseMalformed } from './malformed.ts'
import { acceptFirst, onLastAnswer } from './node-internals.ts'

export type RequestHandler = (request: IncomingMessage, response: ServerResponse, destination: Destination) => void

export interface HttpNeeds {
  /** Of all ports. */
  gate: ConnectionGate
  handle: (request: IncomingMessage, response: ServerResponse) => void
  brevityOf?: BrevityOf | undefined
  timeouts?: HttpTimeouts
}

/** One plain HTTP port on one address. */
export async function listen(
  address: string,
  port: number,
  { gate, handle, brevityOf, timeouts = HTTP_TIMEOUTS }: HttpNeeds,
): Promise<Listener> {
  let draining = false
  const serveRequest = (request: IncomingMessage, response: ServerResponse) => {
    // What is still read from a connection that has been ended is not served: nobody could be told.
    if (request.socket.writableEnded) return
    if (draining) response.setHeader('Connection', 'close')
    const malformed = malformation(request)
    if (malformed) return refuseMalformed(response, malformed)
    handle(request, response)
  }
  const server = createHttpServer(timeouts, serveRequest, brevityOf)
  server.on('connection', (socket: Socket) => onLastAnswer(socket, closeGently))
  const serve = acceptFirst(server, (socket) => gate.admit(socket, () => serve(socket)))

  return openPort(
    server,
    { address, port },
    {
      stopKeepingAlive: () => void (draining = true),
      closeIdle: () => server.closeIdleConnections(),
      closeAll: () => server.closeAllConnections(),
    },
  )
}
