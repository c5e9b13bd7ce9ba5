import type { Server, ServerResponse as Answer } from 'node:http'
import {
  createServer as createHttp2Server,
  type Http2Server,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2'
import { Socket } from 'node:net'
import { Duplex, Readable } from 'node:stream'
import { createSecureContext, type SecureContext, TLSSocket } from 'node:tls'
import { StartError } from '../platform/start-error.ts'
import { BriefResponse } from '../platform/http/wire/brief.ts'
import { createServer, IncomingMessage, ServerResponse } from '../platform/http/wire/node-http.ts'

/**
 * Everything of Node that the edge needs and no documentation promises, but for its parser, which is in node-parser.ts;
 * it is used nowhere else. The tests beside this file show what each part does;
 * docs/decisions/0014-client-hello-before-tls.md says why it is needed at all.
 */

type AnsweringSocket = Socket & { _httpMessage?: Answer | BriefResponse | null }

/**
 * Node keeps the answer that is being written on its socket; a list of our own would cost every request something.
 * A brief one that is owed becomes one of Node's: whoever asks has to wait for it, or to come behind it.
 */
export function answerBeingWritten(socket: Socket): Answer | undefined {
  const { _httpMessage: answer } = socket as AnsweringSocket
  return answer instanceof BriefResponse ? answer.make() : (answer ?? undefined)
}

/** Where Node keeps its own, so that it takes the connection for one that is at work. */
export function owe(socket: Socket, answer: BriefResponse | null): void {
  ;(socket as AnsweringSocket)._httpMessage = answer
}

/**
 * A request that Node takes for one like any other, CONNECT too. Of that it would let go of the connection, with its
 * listeners: an error would end the process, the answers that are due would never be sent, and whoever writes one of
 * them would never hear that nobody reads it.
 */
export class NeverUpgraded extends IncomingMessage {
  get upgrade(): boolean {
    return false
  }

  set upgrade(_isAsked: boolean) {}
}

/** Node's HTTP server calls `destroySoon` after the last answer of a connection, which resets one that still sends. */
export function onLastAnswer(socket: Socket, close: (socket: Socket) => void): void {
  socket.destroySoon = () => close(socket)
}

/**
 * Gives new connections to `accept` and returns what serves HTTP on one, which may then be another stream than came in.
 * A server that accepts nothing itself could be handed streams by its documented event, but would not time them out.
 */
export function acceptFirst(server: Server, accept: (socket: Socket) => void): (accepted: Socket) => void {
  const serve = server.listeners('connection')
  server.removeAllListeners('connection')
  server.on('connection', accept)
  return (accepted) => serve.forEach((listener) => Reflect.apply(listener, server, [accepted]))
}

/**
 * Offers every stream of HTTP/2 to `take`, and leaves those that it does not take to Node's layer that looks like
 * HTTP/1, whose listener is there once somebody listens to requests.
 */
export function streamsFirst(
  server: Http2Server,
  take: (stream: ServerHttp2Stream, headers: IncomingHttpHeaders, rawHeaders: string[]) => boolean,
): void {
  const compatible = server.listeners('stream')
  server.removeAllListeners('stream')
  server.on('stream', (stream, headers, flags, rawHeaders) => {
    if (take(stream as ServerHttp2Stream, headers, rawHeaders)) return
    for (const listener of compatible) Reflect.apply(listener, server, [stream, headers, flags, rawHeaders])
  })
}

/**
 * Says of a stream whose request has no body that there is nothing to read. Node would otherwise read up to the end
 * when the answer is complete: four turns of its queue, and a listener.
 *
 * Such a stream Node destroys as soon as its last frame is made, and then makes an error, with its stack, for those who
 * might wait for the answer to be written, which it is a moment later: a seventh of the processor time of a small file.
 * So that has a turn's time to happen first; Node itself destroys the stream when it has.
 */
export function withoutBody(stream: ServerHttp2Stream): void {
  stream.readable = false
  stream.destroy = destroyOnceWritten
}

function destroyOnceWritten(this: ServerHttp2Stream, error?: Error): ServerHttp2Stream {
  const isBeingWritten = !error && this.writableEnded && !this.writableFinished && this.closed
  this.destroy = destroyAtOnce
  if (!isBeingWritten) return this.destroy(error)
  if (beingWritten.push(this) === 1) setImmediate(destroyTheWritten)
  return this
}

/** Those of one turn. */
let beingWritten: ServerHttp2Stream[] = []

function destroyTheWritten(): void {
  const streams = beingWritten
  beingWritten = []
  for (const stream of streams) stream.destroy()
}

const destroyAtOnce = Duplex.prototype.destroy as ServerHttp2Stream['destroy']

/**
 * For an answer of one write, behind which nothing follows. Node ends the stream in the frame of that write, and then
 * once more when it has been written, which finds nothing left to do.
 */
export function endWithWrite(stream: ServerHttp2Stream): void {
  ;(stream as { _final?: unknown })._final = undefined
}

/** Node joins the writes that wait for one that is under way; without this method it makes them one after the other. */
export function writeOneByOne(stream: ServerHttp2Stream): void {
  ;(stream as { _writev?: unknown })._writev = undefined
}

/**
 * Starts TLS on an accepted socket with its own context; Node's TLS server has one for all connections, and with it
 * the ticket keys. So what that server does after a handshake is done here: `secure` is the event that it listens to
 * itself, and HTTP/2 waits for ever on a socket that is still `secureConnecting`.
 */
export function startTls(
  socket: Socket,
  secureContext: SecureContext,
  protocols: Uint8Array,
  onSecure: (secured: TLSSocket) => void,
): void {
  const secured = new TLSSocket(socket, { isServer: true, secureContext, ALPNProtocols: protocols })
  // Every error, broken records too, is reported here and nowhere else while no TLS server has taken the socket over.
  secured.on('_tlsError', () => secured.destroy())
  secured.once('secure', () => {
    ;(secured as TLSSocket & { secureConnecting: boolean }).secureConnecting = false
    onSecure(secured)
  })
}

/**
 * Gives a context's memory back when it is no longer handed out; open connections keep what they need of it.
 * The garbage collector would do it too, but sees a kilobyte in it and takes its time.
 */
export function releaseTlsContext(context: SecureContext): void {
  const native = context.context
  // A handshake with it would now be an error instead of the end of the process.
  context.context = null
  native?.close()
}

/** Refuses to start on a Node without these parts: what is missing would show only in somebody's connection. */
export function requireNodeInternals(): void {
  const missing = Object.entries(PRESENT).find(([, isPresent]) => !isPresent())
  if (missing === undefined) return
  throw new StartError(
    `Node ${process.versions.node} lacks ${missing[0]}, which the edge needs: ` +
      'run Petstore with the Node that it pins (npm ci).',
  )
}

const PRESENT: Record<string, () => boolean> = {
  'net.Socket#_httpMessage': keepsAnswerOnSocket,
  'net.Socket#destroySoon': () => 'destroySoon' in Socket.prototype,
  'the connection listener of http.Server': () => createServer().listenerCount('connection') === 1,
  'the stream listener of http2.Http2Server': () =>
    createHttp2Server()
      .on('request', () => {})
      .listenerCount('stream') === 1,
  'the setter of stream.Readable#readable': () =>
    Object.getOwnPropertyDescriptor(Readable.prototype, 'readable')?.set !== undefined,
  // These two emit the events `_tlsError` and `secure`.
  'tls.TLSSocket#_tlsError': () => '_tlsError' in TLSSocket.prototype,
  'tls.TLSSocket#_finishInit': () => '_finishInit' in TLSSocket.prototype,
  'tls.TLSSocket#secureConnecting, or close of its context': hasTlsState,
}

function keepsAnswerOnSocket(): boolean {
  const socket = new Socket()
  const response = new ServerResponse(new IncomingMessage(socket))
  response.assignSocket(socket)
  return answerBeingWritten(socket) === response
}

function hasTlsState(): boolean {
  const secureContext = createSecureContext({ ca: [] })
  const socket = new TLSSocket(new Socket(), { isServer: true, secureContext }).destroy()
  return 'secureConnecting' in socket && typeof secureContext.context?.close === 'function'
}
