import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect as connectTcp, type Socket } from 'node:net'
import { connect, type ConnectionOptions, type TLSSocket } from 'node:tls'
import { ConnectionGate } from '../../src/edge/connection-gate.ts'
import { ManualClock } from '../../src/platform/clock.ts'
import type { HostCertificate } from '../../src/edge/tls/context-cache.ts'
import { listenTls, type TlsListener, type TlsNeeds } from '../../src/edge/tls/listener.ts'

/** For tests: a real listener on loopback, and clients that say exactly what they are told. */

export interface TestEdge extends AsyncDisposable {
  listener: TlsListener
  port: number
  clock: ManualClock
  certificates: Map<string, HostCertificate>
  lookups: string[]
  errors: unknown[]
}

/** An edge that answers with the Host that it was asked for. */
export async function startEdge(certificates: Record<string, HostCertificate>, options: Partial<TlsNeeds> = {}) {
  const clock = new ManualClock(0)
  const known = new Map(Object.entries(certificates))
  const lookups: string[] = []
  const errors: unknown[] = []
  const listener = await listenTls('127.0.0.1', 0, {
    clock,
    gate: new ConnectionGate(),
    certificateFor: async (host) => {
      lookups.push(host)
      return known.get(host)
    },
    handle: echoHost,
    onError: (error) => errors.push(error),
    ...options,
  })
  const edge: TestEdge = {
    listener,
    port: listener.port,
    clock,
    certificates: known,
    lookups,
    errors,
    [Symbol.asyncDispose]: () => listener[Symbol.asyncDispose](),
  }
  return edge
}

export function echoHost(request: IncomingMessage, response: ServerResponse): void {
  const body = `host ${request.headers.host}, HTTP/${request.httpVersionMajor}`
  response.writeHead(200, ['Content-Type', 'text/plain', 'Content-Length', String(body.length)])
  response.end(body)
}

export interface Handshake {
  /** `secure`, or why there was no handshake. */
  outcome: string
  socket: TLSSocket
  session: Promise<Buffer>
}

export function handshake(port: number, options: ConnectionOptions): Promise<Handshake> {
  const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: options.ca !== undefined, ...options })
  const session = new Promise<Buffer>((resolve) => socket.once('session', resolve))
  return new Promise((resolve) => {
    const finish = (outcome: string) => resolve({ outcome, socket, session })
    socket.once('secureConnect', () => finish('secure'))
    socket.on('error', (error: Error & { code?: string }) => finish(error.code ?? error.message))
    socket.once('close', () => finish('closed'))
  })
}

/** One request over HTTP/1.1 on an open connection; resolves with the raw answer once its body is complete. */
export function askHttp1(socket: TLSSocket, host: string, path = '/'): Promise<string> {
  return new Promise((resolve) => {
    let answer = ''
    const finish = () => {
      socket.off('data', read)
      socket.off('close', finish)
      resolve(answer)
    }
    const read = (chunk: Buffer) => {
      answer += chunk.toString('latin1')
      const [head, body] = answer.split('\r\n\r\n', 2)
      const length = Number(/content-length: (\d+)/i.exec(head!)?.[1] ?? Number.NaN)
      if (body !== undefined && body.length >= length) finish()
    }
    socket.on('data', read)
    socket.on('close', finish)
    socket.write(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\n\r\n`)
  })
}

export const statusOf = (answer: string) => Number(answer.split(' ', 2)[1])

/** The session that the server hands out: with the handshake on TLS 1.2, after it on TLS 1.3. */
export async function sessionOf(port: number, options: ConnectionOptions): Promise<Buffer> {
  const { outcome, session, socket } = await handshake(port, options)
  assert.equal(outcome, 'secure')
  await askHttp1(socket, options.servername!)
  const ticket = await session
  socket.destroy()
  return ticket
}

/** Node's clients offer a session only to the name that they got it from; this takes the name off. */
export const sessionForAnyName = (session: Buffer, name: string) =>
  session.subarray(session.indexOf(name) + name.length)

/** Sends bytes as they are and collects what comes back: the first bytes, or all until the server closes. */
export async function sendRaw(port: number, bytes: Buffer | string, until: 'first bytes' | 'close' = 'close') {
  const socket: Socket = connectTcp({ host: '127.0.0.1', port })
  const chunks: Buffer[] = []
  socket.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    if (until === 'first bytes') socket.destroy()
  })
  socket.on('error', () => {})
  socket.write(bytes)
  // Also by a reset, as when the server lets go before it has read everything; `once` would fail by it.
  await new Promise((resolve) => socket.once('close', resolve))
  return Buffer.concat(chunks)
}

/** A ClientHello with any name in it, also one that no library would send. */
export function clientHello(serverName: string | undefined): Buffer {
  const name = Buffer.from(serverName ?? '', 'latin1')
  const extensions = Buffer.concat([
    ...(serverName === undefined ? [] : [extension(0, vector(2, Buffer.concat([Buffer.of(0), vector(2, name)])))]),
    extension(10, vector(2, Buffer.of(0, 29, 0, 23))),
    extension(13, vector(2, Buffer.of(4, 3, 8, 4))),
    extension(43, vector(1, Buffer.of(3, 4, 3, 3))),
    extension(51, vector(2, Buffer.alloc(0))),
  ])
  const body = Buffer.concat([
    Buffer.of(3, 3),
    Buffer.alloc(32, 7),
    vector(1, Buffer.alloc(0)),
    vector(2, Buffer.of(0x13, 1, 0xc0, 0x2b)),
    vector(1, Buffer.of(0)),
    vector(2, extensions),
  ])
  return Buffer.concat([Buffer.of(22, 3, 1), vector(2, Buffer.concat([Buffer.of(1), vector(3, body)]))])
}

const extension = (type: number, body: Buffer) => Buffer.concat([Buffer.of(0, type), vector(2, body)])

function vector(lengthWidth: number, body: Buffer): Buffer {
  const length = Buffer.alloc(lengthWidth)
  length.writeUIntBE(body.length, 0, lengthWidth)
  return Buffer.concat([length, body])
}
