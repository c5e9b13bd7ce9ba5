import { Socket } from 'node:net'
import { createServer } from '../platform/http/wire/node-http.ts'
import { answerBeingWritten } from './node-internals.ts'

/**
 * What Node's parser tells Node of requests, told to us first. No documentation promises any of it: in a Node whose
 * parser is another one nothing is offered, and Node serves everything.
 */

/** What the parser knows of a request when its head is complete. */
export interface RequestHead {
  /** Else it was told in several parts, as all behind it are: target and headers are known to Node alone. */
  readonly isWhole: boolean
  readonly url: string
  readonly rawHeaders: readonly string[]
  readonly method: 'GET' | 'POST' | 'other'
  readonly isVersion11: boolean
  readonly isUpgrade: boolean
  readonly keepsAlive: boolean
}

/** Wants the body, of so many bytes, if it comes with its head, in one part; the request is Node's otherwise. */
interface WantsBody {
  readonly bytes: number
  take(body: Buffer): void
}

/** Returns what the parser is to be told, which Node itself says where a head is left to it. */
export type TakeHead = (head: RequestHead, leaveToNode: () => number) => number | WantsBody

/**
 * Offers the head of every request of a connection that Node serves to `take`, before anything is made of it. Also
 * later, when its body has been taken, a request can be left to Node, which finds it complete.
 */
export function headsFirst(socket: Socket, take: TakeHead): void {
  if (!canOfferHeads()) return
  const { parser } = socket as ParsedSocket
  if (!parser) return
  ;(socket as ParsedSocket)[TAKE] = take
  const { kOnHeadersComplete: head, kOnBody: body, kOnMessageComplete: end } = parser.constructor
  nodes ??= {
    head,
    body,
    end,
    onHead: parser[head] as OnHead,
    onBody: parser[body] as OnBody,
    onEnd: parser[end] as OnEnd,
  }
  // Parsers are used again, by other servers and by clients, and so this one asks each time whose it is now.
  parser[head] = onHead
}

const TAKE = Symbol('take')
const HELD = Symbol('held')
/** What is held is not the parser's: parsers outlive connections, and a thousand wait for the next ones. */
type ParsedSocket = Socket & { parser?: Parser | null; [TAKE]?: TakeHead; [HELD]?: Held | undefined }

interface Parser {
  /** Where it keeps whom it tells. */
  readonly constructor: {
    readonly kOnHeadersComplete: number
    readonly kOnBody: number
    readonly kOnMessageComplete: number
  }
  readonly socket: ParsedSocket | null
  incoming: { complete: boolean; push(part: null): void } | null
  execute(bytes: Buffer): unknown
  [place: number]: OnHead | OnBody | OnEnd | undefined
}

/** A request between its head and its end. */
interface Held {
  wanted: WantsBody
  body: Buffer | undefined
  leaveToNode: () => number
}

type HeadArguments = [
  major: number,
  minor: number,
  rawHeaders: string[] | undefined,
  method: number | undefined,
  url: string | undefined,
  status: unknown,
  statusText: unknown,
  isUpgrade: boolean,
  keepsAlive: boolean,
]
type OnHead = (this: Parser, ...head: HeadArguments) => number
type OnBody = (this: Parser, part: Buffer) => void
type OnEnd = (this: Parser) => void

/** What Node's parsers call, and where they keep it. */
interface NodesOwn {
  head: number
  body: number
  end: number
  onHead: OnHead
  onBody: OnBody
  onEnd: OnEnd
}
let nodes: NodesOwn | undefined

/** Of the parser's own list of methods. */
const GET = 1
const POST = 3
const methodOf = (number: number | undefined) => (number === GET ? 'GET' : number === POST ? 'POST' : 'other')

function onHead(this: Parser, ...head: HeadArguments): number {
  const node = nodes as NodesOwn
  const [major, minor, rawHeaders = [], method, url = '', , , isUpgrade, keepsAlive] = head
  const { socket } = this
  let isNodes = false
  const leaveToNode = () => {
    // Behind whatever is owed before it.
    if (socket) answerBeingWritten(socket)
    isNodes = true
    this[node.body] = node.onBody
    this[node.end] = node.onEnd
    return Reflect.apply(node.onHead, this, head)
  }
  const take = socket?.[TAKE]
  if (!socket || take === undefined) return leaveToNode()
  const isWhole = head[2] !== undefined && head[4] !== undefined
  const isVersion11 = major === 1 && minor === 1
  const taken = take(
    { isWhole, url, rawHeaders, method: methodOf(method), isVersion11, isUpgrade, keepsAlive },
    leaveToNode,
  )
  if (typeof taken === 'number') {
    // Of the end of a request that it has not made Node learns nothing, and takes as long for it as for a small text.
    if (!isNodes && this[node.end] !== undefined) this[node.end] = undefined
    return taken
  }
  const held: Held = { wanted: taken, body: undefined, leaveToNode }
  socket[HELD] = held
  this[node.body] = onBody
  this[node.end] = onEnd
  queueMicrotask(() => socket[HELD] === held && leaveWithoutBody(socket))
  return 0
}

/** Behind what has been read: a body that has not come with its head may be refused before it does. */
function leaveWithoutBody(socket: ParsedSocket): void {
  const { body, leaveToNode } = socket[HELD] as Held
  if (body !== undefined || !isParsed(socket)) return
  socket[HELD] = undefined
  leaveToNode()
}

function onBody(this: Parser, part: Buffer): void {
  const socket = this.socket as ParsedSocket
  const held = socket[HELD] as Held
  if (part.length === held.wanted.bytes) {
    held.body = part
    return
  }
  socket[HELD] = undefined
  held.leaveToNode()
  Reflect.apply((nodes as NodesOwn).onBody, this, [part])
}

function onEnd(this: Parser): void {
  const socket = this.socket as ParsedSocket
  const { wanted, body } = socket[HELD] as Held
  socket[HELD] = undefined
  wanted.take(body as Buffer)
}

/** Whether Node still reads from it. */
export const isParsed = (socket: Socket) => !socket.destroyed && Boolean((socket as ParsedSocket).parser)

/** After a request has been left to Node whose body was taken before: there is nothing more of it to come. */
export function endBody(socket: Socket): void {
  const { incoming } = (socket as ParsedSocket).parser as Parser
  if (!incoming) return
  incoming.complete = true
  incoming.push(null)
}

/** Asked once, of a parser that reads two requests. */
const canOfferHeads = lazily(() => {
  const seen: string[] = []
  const socket: ParsedSocket = new Socket()
  createServer().emit('connection', socket)
  const { parser } = socket
  if (!parser) return false
  const { kOnHeadersComplete, kOnBody, kOnMessageComplete } = parser.constructor
  const places = [kOnHeadersComplete, kOnBody, kOnMessageComplete]
  const before = places.map((place) => parser[place])
  const tell = (...told: unknown[]) => seen.push(JSON.stringify(told.map((one) => String(one)))) && 0
  for (const place of places) parser[place] = tell
  parser.execute(Buffer.from('GET /a HTTP/1.1\r\nA: b\r\n\r\nPOST /c HTTP/1.0\r\nContent-Length: 2\r\n\r\nde'))
  for (const [index, place] of places.entries()) parser[place] = before[index]
  socket.destroy()
  const expected = [
    [1, 1, ['A', 'b'], GET, '/a', undefined, undefined, false, true],
    [],
    [1, 0, ['Content-Length', '2'], POST, '/c', undefined, undefined, false, false],
    ['de'],
    [],
  ]
  const isAsExpected = seen.join() === expected.map((told) => JSON.stringify(told.map(String))).join()
  return isAsExpected && before.every((callback) => typeof callback === 'function') && parser.incoming === null
})

function lazily<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined
  return () => (made ??= { value: make() }).value
}
