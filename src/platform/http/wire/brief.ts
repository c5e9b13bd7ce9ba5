import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { linesOf } from './form.ts'
import { validateHeaderValue } from './node-http.ts'

/**
 * A request that Node's parser has read to its end and Node has made nothing of yet, with as much of its interface as
 * the handlers of such requests use. Node makes a stream of the request and another of its answer, with listeners and
 * timers for both, which is a third of an exchange.
 */
export class BriefRequest {
  readonly httpVersion = '1.1'
  readonly httpVersionMajor = 1
  readonly httpVersionMinor = 1
  readonly complete = true
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly rawHeaders: readonly string[]
  readonly headers: IncomingHttpHeaders
  readonly socket: Socket
  /** The whole of it. */
  readonly body: Buffer | undefined

  constructor(
    { method, url, rawHeaders }: Pick<BriefRequest, 'method' | 'url' | 'rawHeaders'>,
    headers: IncomingHttpHeaders,
    socket: Socket,
    body: Buffer | undefined,
  ) {
    this.method = method
    this.url = url
    this.rawHeaders = rawHeaders
    this.headers = headers
    this.socket = socket
    this.body = body
  }

  get destroyed(): boolean {
    return this.socket.destroyed
  }
}

type Listener = (...values: unknown[]) => void

interface BriefConnection {
  readonly keepAliveMs: number
  /** An answer is on its way. */
  sent(): void
}

/**
 * Its answer: one text. Whatever else is done with it is done with Node's own response, which is made then: for errors,
 * streams, the last answer of a connection, and where something else is to come behind it. So the order of answers
 * stays Node's business.
 */
export class BriefResponse {
  readonly #socket: Socket
  readonly #connection: BriefConnection
  readonly #make: () => ServerResponse
  #made: ServerResponse | undefined
  #isSent = false
  #status: number | undefined
  /** Set before the head. */
  #added: Map<string, string> | undefined

  constructor(socket: Socket, connection: BriefConnection, make: () => ServerResponse) {
    this.#socket = socket
    this.#connection = connection
    this.#make = make
  }

  get keepAliveMs(): number {
    return this.#connection.keepAliveMs
  }

  get isSent(): boolean {
    return this.#isSent
  }

  /** Node's own, where there is one. */
  get made(): ServerResponse | undefined {
    return this.#made
  }

  /** Node's own, for whatever is more than a text. */
  make(): ServerResponse {
    if (this.#isSent) throw new Error('The answer has been sent already.')
    if (this.#made !== undefined) return this.#made
    const made = (this.#made = this.#make())
    this.#added?.forEach((value, name) => made.setHeader(name, value))
    return made
  }

  /** What Node asks of an answer that a connection owes: it ends none that is not finished, and tells it of little. */
  get finished(): boolean {
    return this.#isSent
  }

  emit(): boolean {
    return false
  }

  get addedLines(): string {
    return this.#added === undefined ? '' : linesOf([...this.#added].flat())
  }

  /** Head and body, of one byte in each character, before anything else has been done with it. */
  sendWhole(status: number, text: string): void {
    this.#isSent = true
    this.#status = status
    // Later than its request the client may have gone.
    if (this.#socket.writable) this.#socket.write(text, 'latin1')
    this.#connection.sent()
  }

  get statusCode(): number {
    return this.#status ?? this.make().statusCode
  }

  get headersSent(): boolean {
    return this.#isSent || this.#made?.headersSent === true
  }

  get destroyed(): boolean {
    return this.#made === undefined ? this.#socket.destroyed : this.#made.destroyed
  }

  setHeader(name: string, value: string): this {
    // What it does to the connection is Node's business.
    if (this.#made !== undefined || name === 'Connection') this.make().setHeader(name, value)
    else {
      validateHeaderValue(name, value)
      ;(this.#added ??= new Map()).set(name, value)
    }
    return this
  }

  writeHead(status: number, headers?: string[]): this {
    this.make().writeHead(status, headers)
    return this
  }

  write(...given: Parameters<ServerResponse['write']>): boolean {
    return this.make().write(...given)
  }

  end(...given: Parameters<ServerResponse['end']>): this {
    this.make().end(...given)
    return this
  }

  destroy(): void {
    this.make().destroy()
  }

  on(event: string, listener: Listener): this {
    this.make().on(event, listener)
    return this
  }

  once(event: string, listener: Listener): this {
    this.make().once(event, listener)
    return this
  }

  off(event: string, listener: Listener): this {
    this.make().off(event, listener)
    return this
  }
}
