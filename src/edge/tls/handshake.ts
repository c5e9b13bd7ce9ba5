import type { Socket } from 'node:net'
import { readClientHello, type ClientHello } from './client-hello.ts'

/** Alert descriptions of RFC 8446, section 6. */
export const ALERT = { decodeError: 50, internalError: 80, unrecognizedName: 112 } as const

/**
 * Reads the ClientHello and puts it back, so that TLS can start on the socket as if nobody had looked.
 * Calls back at most once, and never when the connection ends before its hello does.
 */
export function receiveHello(socket: Socket, receive: (hello: ClientHello | 'malformed' | 'plain HTTP') => void): void {
  let received: Buffer | undefined
  const read = (chunk: Buffer) => {
    received = received === undefined ? chunk : Buffer.concat([received, chunk])
    const hello = readClientHello(received)
    if (hello === 'incomplete') return
    socket.off('data', read)
    socket.pause()
    if (hello === 'malformed') return receive(HTTP_METHOD.test(received.toString('latin1')) ? 'plain HTTP' : hello)
    socket.unshift(received)
    receive(hello)
  }
  socket.on('data', read)
}

/** The list of ALPN names as it travels, each preceded by its length. */
export const protocolList = (...names: string[]) =>
  Buffer.concat(names.map((name) => Buffer.concat([Buffer.of(name.length), Buffer.from(name)])))

/** Ends a connection before its handshake has begun, in words that TLS clients show to people. */
export function refuseHandshake(socket: Socket, description: number): void {
  socket.end(Buffer.from([ALERT_RECORD, 3, 3, 0, 2, FATAL, description]))
  discardRest(socket)
}

/** For people who type `http://` with the port of HTTPS. */
export function refusePlainHttp(socket: Socket): void {
  const body = 'This port speaks HTTPS. Use an address that begins with https://.\n'
  socket.end(
    'HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n' +
      `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
  )
  discardRest(socket)
}

/** Unread bytes would turn the close into a reset, and the client would never see the answer. */
function discardRest(socket: Socket): void {
  socket.resume()
  socket.setTimeout(LINGER_MS, () => socket.destroy())
}

const ALERT_RECORD = 21
const FATAL = 2
const LINGER_MS = 2_000
const HTTP_METHOD = /^[A-Z]{1,16}(?: |$)/
