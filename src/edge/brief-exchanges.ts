import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { BriefRequest, BriefResponse } from '../platform/http/wire/brief.ts'
import { answerBeingWritten, headsFirst, type RequestHead, type TakeHead } from './node-internals.ts'

/** Whether a read is likely to be answered in the same turn; no more than a guess, which may be wrong. */
export type IsBrief = (url: string) => boolean

type Serve = (request: IncomingMessage, response: ServerResponse) => void

/**
 * Serves brief reads of a server before Node makes a request and a response of them: as soon as its parser knows their
 * head, on connections that owe no other answer. Node's limits of time for heads and bodies hold as ever, because they
 * are the parser's. Returns what Node's server is to call for each request that it makes itself.
 */
export function briefReads(serve: Serve, isBrief: IsBrief): { serve: Serve; attach(server: Server): void } {
  /** Node tells of what it makes by calling back, in the same turn. */
  let told: ServerResponse | undefined
  let isMaking = false

  return {
    serve(request, response) {
      if (isMaking) told = response
      else serve(request, response)
    },
    attach(server) {
      server.on('connection', (socket: Socket) => headsFirst(socket, takeFrom(socket, server)))
    },
  }

  function takeFrom(socket: Socket, server: Server): TakeHead {
    let isTimed = false
    /**
     * How much had been read of it when it was last answered briefly. Of requests that come at once only the first is:
     * Node stops reading when much is owed to a client, and else one that never stops sending would have 32 reads of
     * 64 KiB in one turn, each with hundreds of requests, while everybody else waits.
     */
    let answeredAt = -1

    return (head, leaveToNode) => {
      const isFirst = isRead(head) && isQuiet(socket) && socket.bytesRead !== answeredAt
      const headers = isFirst && isBrief(head.url) ? plainHeaders(head.rawHeaders) : undefined
      if (headers === undefined) return leave(leaveToNode)
      let code = 0
      const response = new BriefResponse(socket, server.keepAliveTimeout, () => {
        isMaking = true
        try {
          code = leave(leaveToNode)
        } finally {
          isMaking = false
        }
        return told as ServerResponse
      })
      const request = new BriefRequest(head.url, head.rawHeaders, headers, socket)
      serve(request as unknown as IncomingMessage, response as unknown as ServerResponse)
      if (response.isSent) waitForNext()
      else response.make()
      return code
    }

    /** Node begins to count when an answer has been taken; a brief one is seldom larger than what the system takes. */
    function waitForNext(): void {
      answeredAt = socket.bytesRead
      if (!isTimed) socket.setTimeout(server.keepAliveTimeout + server.keepAliveTimeoutBuffer)
      isTimed = true
    }

    /** Node knows nothing of a time that it did not set, and would let it end a long request. */
    function leave(leaveToNode: () => number): number {
      if (isTimed) socket.setTimeout(server.timeout)
      isTimed = false
      return leaveToNode()
    }
  }
}

const isRead = ({ isGet, isVersion11, isUpgrade, keepsAlive }: RequestHead) =>
  isGet && isVersion11 && keepsAlive && !isUpgrade

/** Nobody else's answer is due, and the client takes what it is sent. */
const isQuiet = (socket: Socket) => answerBeingWritten(socket) === undefined && !socket.writableNeedDrain

/**
 * Headers by their names. Undefined where there is more to them than that: names that come twice, which Node joins or
 * drops by rules of its own, a body, an expectation.
 */
function plainHeaders(rawHeaders: readonly string[]): IncomingHttpHeaders | undefined {
  const headers = new Names()
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] as string).toLowerCase()
    if (headers[name] !== undefined) return undefined
    headers[name] = rawHeaders[at + 1]
  }
  const isMore =
    headers['content-length'] !== undefined ||
    headers['transfer-encoding'] !== undefined ||
    headers.expect !== undefined ||
    headers.trailer !== undefined
  return isMore ? undefined : headers
}

/** Without the names that every object has: a header may be called `constructor`. A literal would be a slow one. */
const Names = function () {} as unknown as new () => IncomingHttpHeaders
Names.prototype = Object.create(null)
