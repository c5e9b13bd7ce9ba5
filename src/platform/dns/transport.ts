import { createSocket } from 'node:dgram'
import { connect, isIPv4 } from 'node:net'
import { canonicalAddress, type ServerAddress } from './address.ts'

/** Why no answer came: `closed` means the port refused us, `unreachable` that no packet could even leave. */
export type TransportFailure = 'closed' | 'unreachable' | 'aborted' | 'too large'

export class TransportError extends Error {
  readonly kind: TransportFailure
  /** Of the reply that was not read. */
  readonly bytes: number

  constructor(kind: TransportFailure, message: string, bytes = 0) {
    super(message)
    this.kind = kind
    this.bytes = bytes
  }
}

/**
 * Sends one packet from a fresh random port and waits for a packet that `accept` takes (returns not undefined).
 * The socket is connected, so that the kernel drops packets of other senders and reports a closed port.
 */
export function askByUdp<T>(
  server: ServerAddress,
  packet: Buffer,
  accept: (reply: Buffer, fromServer: boolean) => T | undefined,
  signal: AbortSignal,
): Promise<T> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(aborted())
    const socket = createSocket(isIPv4(server.address) ? 'udp4' : 'udp6')
    let finished = false
    const finish = (settle: () => void) => {
      if (finished) return
      finished = true
      signal.removeEventListener('abort', onAbort)
      socket.removeAllListeners().on('error', () => {})
      socket.close()
      settle()
    }
    const onAbort = () => finish(() => reject(aborted()))
    const onError = (error: NodeJS.ErrnoException) => finish(() => reject(failureOf(error)))
    signal.addEventListener('abort', onAbort)
    socket.on('error', onError)
    socket.on('message', (reply, sender) => {
      const fromServer = sender.port === server.port && canonicalAddress(sender.address) === server.address
      const accepted = accept(reply, fromServer)
      if (accepted !== undefined) finish(() => resolve(accepted))
    })
    // Without a route to the address it is this callback that learns of it, not the error event.
    const onConnect = (error?: Error) => {
      if (error) return onError(error)
      socket.send(packet, (failed) => failed && onError(failed))
    }
    socket.connect(server.port, server.address, onConnect as () => void)
  })
}

/**
 * One question over a connection of its own: two bytes of length, then the message; nothing is read beyond it, and
 * nothing at all of a message that says that it is longer than `bytesMax`.
 */
export function askByTcp(
  server: ServerAddress,
  packet: Buffer,
  bytesMax: number,
  signal: AbortSignal,
): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(aborted())
    const socket = connect(server.port, server.address)
    const chunks: Buffer[] = []
    let received = 0
    let end = Infinity
    const finish = (settle: () => void) => {
      signal.removeEventListener('abort', onAbort)
      socket.removeAllListeners().on('error', () => {})
      socket.destroy()
      settle()
    }
    const onAbort = () => finish(() => reject(aborted()))
    signal.addEventListener('abort', onAbort)
    socket.on('error', (error) => finish(() => reject(failureOf(error))))
    socket.on('close', () => finish(() => reject(new TransportError('closed', 'the connection was closed early'))))
    socket.on('connect', () => socket.write(withLength(packet)))
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk)
      received += chunk.length
      if (end === Infinity && received >= 2) {
        const bytes = Buffer.concat(chunks).readUInt16BE(0)
        if (bytes > bytesMax) return finish(() => reject(longerThan(bytesMax, bytes)))
        end = 2 + bytes
      }
      if (received >= end) finish(() => resolve(Buffer.concat(chunks).subarray(2, end)))
    })
  })
}

export function withLength(message: Buffer): Buffer {
  const framed = Buffer.alloc(2 + message.length)
  framed.writeUInt16BE(message.length)
  message.copy(framed, 2)
  return framed
}

function failureOf(error: NodeJS.ErrnoException): TransportError {
  const closed = error.code === 'ECONNREFUSED' || error.code === 'ECONNRESET' || error.code === 'EPIPE'
  return new TransportError(closed ? 'closed' : 'unreachable', error.code ?? error.message)
}

const longerThan = (bytesMax: number, bytes: number) =>
  new TransportError('too large', `a reply of ${bytes} bytes, and at most ${bytesMax} are read`, bytes)

const aborted = () => new TransportError('aborted', 'no answer in time')
