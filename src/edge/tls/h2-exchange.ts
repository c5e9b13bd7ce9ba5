import type { IncomingMessage, ServerResponse } from 'node:http'
import { constants, type IncomingHttpHeaders, type ServerHttp2Stream } from 'node:http2'
import type { Socket } from 'node:net'
import type { Head } from '../../platform/http/operation.ts'
import { endWithWrite, writeOneByOne } from '../node-internals.ts'
import { H2_WRITE_BYTES } from './h2-limits.ts'
import { respondReady } from './ready-head.ts'

/**
 * A request without a body and its answer on a stream of HTTP/2, with as much of Node's interface for HTTP/1 as the
 * handlers of such requests use. Node's own layer makes a stream of each half and a map of the headers: a quarter of
 * the processor time of a small file (173 µs against 133 with ten streams on a connection).
 */
export function h2Exchange(
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
): { request: IncomingMessage; response: ServerResponse } {
  const request = new H2Request(stream, headers)
  const response = new H2Response(stream)
  return { request: request as unknown as IncomingMessage, response: response as unknown as ServerResponse }
}

class H2Request {
  readonly httpVersion = '2.0'
  readonly httpVersionMajor = 2
  readonly complete = true
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly stream: ServerHttp2Stream

  constructor(stream: ServerHttp2Stream, headers: IncomingHttpHeaders) {
    this.stream = stream
    this.headers = headers
    this.method = headers[':method'] as string
    this.url = headers[':path'] as string
  }

  get socket(): Partial<Socket> {
    return this.stream.session?.socket ?? NO_SOCKET
  }

  get destroyed(): boolean {
    return this.stream.destroyed
  }
}

/** Of a client that has gone: nothing is known of it any more. */
const NO_SOCKET: Partial<Socket> = {}

type Body = string | Uint8Array
type Listener = (...values: unknown[]) => void
type Sent = (error?: Error | null) => void

class H2Response {
  readonly stream: ServerHttp2Stream
  statusCode = 200
  #added: string[] | undefined

  constructor(stream: ServerHttp2Stream) {
    this.stream = stream
  }

  get headersSent(): boolean {
    return this.stream.headersSent
  }

  get destroyed(): boolean {
    return this.stream.destroyed
  }

  get writableEnded(): boolean {
    return this.stream.writableEnded
  }

  /** Whoever sends something is told of its end, also when the client has gone, and need not listen to that. */
  get tellsOfEverySending(): boolean {
    return true
  }

  /** Goes out with those of `writeHead`, which must not name it too. */
  setHeader(name: string, value: string): this {
    ;(this.#added ??= []).push(inSmallLetters(name), value)
    return this
  }

  writeHead(status: number, headers: readonly string[] | Record<string, string> = []): this {
    const { stream } = this
    this.statusCode = status
    // Whoever asked has gone.
    if (stream.destroyed || stream.closed) return this
    const given = Array.isArray(headers)
      ? (headers as readonly string[])
      : Object.entries(headers as Record<string, string>).flat()
    const sent = this.#begin(status)
    // Node makes small letters of each name twice.
    for (let at = 0; at < given.length; at += 2) sent.push(inSmallLetters(given[at] as string), given[at + 1] as string)
    stream.respond(sent as never)
    return this
  }

  /** The same with a head that is ready. */
  writeReadyHead(status: number, head: Head): void {
    const { stream } = this
    this.statusCode = status
    if (stream.destroyed || stream.closed) return
    respondReady(stream, this.#begin(status), head)
  }

  #begin(status: number): string[] {
    const fields = [':status', String(status)]
    if (this.#added !== undefined) fields.push(...this.#added)
    return fields
  }

  write(chunk: Body, sent?: Sent): boolean {
    return this.stream.write(this.#lastPieceOf(bytesOf(chunk)), sent)
  }

  /** An answer to HEAD, and one that has no body by its status, has been ended with its head. */
  end(chunk?: Body, encodingOrSent?: BufferEncoding | Sent): this {
    const { stream } = this
    const [encoding, sent] = typeof encodingOrSent === 'function' ? [undefined, encodingOrSent] : [encodingOrSent]
    if (stream.destroyed || stream.writableEnded) sent?.(new Error('The answer has ended already.'))
    else if (chunk === undefined) stream.end()
    else {
      const bytes = bytesOf(chunk, encoding)
      if (bytes.length <= H2_WRITE_BYTES && stream.writableLength === 0) endWithWrite(stream)
      stream.end(this.#lastPieceOf(bytes), sent)
    }
    return this
  }

  /** What is left to be written when all before it has been: the others wait for their turn in the stream. */
  #lastPieceOf(bytes: Uint8Array): Uint8Array {
    if (bytes.length <= H2_WRITE_BYTES) return bytes
    writeOneByOne(this.stream)
    let at = 0
    for (; at + H2_WRITE_BYTES < bytes.length; at += H2_WRITE_BYTES) {
      this.stream.write(bytes.subarray(at, at + H2_WRITE_BYTES))
    }
    return bytes.subarray(at)
  }

  /** Without a reason, clients would take what they have got for all of it. */
  destroy(): void {
    this.stream.close(constants.NGHTTP2_INTERNAL_ERROR)
    this.stream.destroy()
  }

  on(event: string, listener: Listener): this {
    this.stream.on(event, listener)
    return this
  }

  off(event: string, listener: Listener): this {
    this.stream.off(event, listener)
    return this
  }
}

/** Of a text Node would make a buffer of its own, which the garbage collector counts as large. */
const bytesOf = (body: Body, encoding?: BufferEncoding) =>
  typeof body === 'string' ? Buffer.from(body, encoding) : body

function inSmallLetters(name: string): string {
  let small = smallNames.get(name)
  if (small === undefined) {
    small = name.toLowerCase()
    smallNames.set(name, small)
  }
  return small
}

/** Of headers that this service sends: a few dozen. */
const smallNames = new Map<string, string>()
