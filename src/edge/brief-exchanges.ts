import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse as Response } from 'node:http'
import type { Socket } from 'node:net'
import { BriefRequest, BriefResponse } from '../platform/http/wire/brief.ts'
import { ServerResponse } from '../platform/http/wire/node-http.ts'
import { answerBeingWritten, owe } from './node-internals.ts'
import { endBody, headsFirst, isParsed, type RequestHead, type TakeHead } from './node-parser.ts'

/**
 * How likely a request is to be answered with one text: hardly, in the same turn if it is a read, or also later and
 * after a small body. No more than a guess, which may be wrong.
 */
export type Brevity = 'long' | 'at-once' | 'soon'
export type BrevityOf = (url: string) => Brevity

type Serve = (request: IncomingMessage, response: Response) => void

/** A body that is larger may come in parts, and is a small part of the time that its request takes. */
const BODY_BYTES_MAX = 16 * 1024

/**
 * Serves brief requests of a server before Node makes a request and a response of them: as soon as its parser knows all
 * of them, on connections that owe no other answer. Node's limits of time for heads and bodies hold as ever, because
 * they are the parser's. Returns what Node's server is to call for each request that it makes itself.
 */
export function briefExchanges(serve: Serve, brevityOf: BrevityOf): { serve: Serve; attach(server: Server): void } {
  /** Node tells of what it makes by calling back, in the same turn. */
  let told: Response | undefined
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
    const connection = { keepAliveMs: server.keepAliveTimeout, sent: waitForNext }
    let isOwed = false
    /**
     * How much had been read of it when it was last served briefly. Of requests that come at once only the first is:
     * Node stops reading when much is owed to a client, and else one that never stops sending would have 32 reads of
     * 64 KiB in one turn, each with hundreds of requests, while everybody else waits.
     */
    let servedAt = -1

    return (head, leaveToNode) => {
      const { bytesRead } = socket
      const isFirst = isPlain(head) && isQuiet(socket) && bytesRead !== servedAt
      const brevity = isFirst ? brevityOf(head.url) : 'long'
      const headers = brevity === 'long' ? undefined : plainHeaders(head.rawHeaders)
      if (headers === undefined) return leave(leaveToNode)
      if (head.method === 'POST') {
        const bytes = brevity === 'soon' ? Number(headers['content-length'] ?? 0) : 0
        if (bytes === 0 || bytes > BODY_BYTES_MAX) return leave(leaveToNode)
        servedAt = bytesRead
        stopWaiting()
        return { bytes, take: (body) => exchange(head, headers, body, 'soon', leaveToNode) }
      }
      if (headers['content-length'] !== undefined) return leave(leaveToNode)
      servedAt = bytesRead
      exchange(head, headers, undefined, brevity, leaveToNode)
      return 0
    }

    function exchange(
      head: RequestHead,
      headers: IncomingHttpHeaders,
      body: Buffer | undefined,
      brevity: Brevity,
      leaveToNode: () => number,
    ): void {
      const request = new BriefRequest(head as BriefHead, headers, socket, body)
      let isRead = body !== undefined
      const response = new BriefResponse(socket, connection, () => {
        repay()
        // Nobody hears it, and whoever writes it can see that.
        if (!isParsed(socket)) return new ServerResponse(request as unknown as IncomingMessage).destroy()
        isMaking = true
        try {
          leave(leaveToNode)
        } finally {
          isMaking = false
        }
        if (isRead) endBody(socket)
        return told as Response
      })
      serve(request as unknown as IncomingMessage, response as unknown as Response)
      if (response.isSent || response.made !== undefined) return
      if (brevity !== 'soon') return void response.make()
      isRead = true
      isOwed = true
      owe(socket, response)
      stopWaiting()
    }

    /** Node begins to count when an answer has been taken; a brief one is seldom larger than what the system takes. */
    function waitForNext(): void {
      repay()
      limitTime(server.keepAliveTimeout + server.keepAliveTimeoutBuffer)
    }

    function repay(): void {
      if (isOwed) owe(socket, null)
      isOwed = false
    }

    /**
     * Node knows nothing of a time that it did not set, and takes its own back when it makes a request: either would
     * end a long one.
     */
    function stopWaiting(): void {
      limitTime(server.timeout)
    }

    function limitTime(ms: number): void {
      if ((socket.timeout ?? 0) !== ms) socket.setTimeout(ms)
    }

    function leave(leaveToNode: () => number): number {
      stopWaiting()
      return leaveToNode()
    }
  }
}

type BriefHead = RequestHead & { method: BriefRequest['method'] }

const isPlain = ({ isWhole, method, isVersion11, isUpgrade, keepsAlive }: RequestHead) =>
  isWhole && method !== 'other' && isVersion11 && keepsAlive && !isUpgrade

/** Nobody else's answer is due, and the client takes what it is sent. */
const isQuiet = (socket: Socket) => answerBeingWritten(socket) === undefined && !socket.writableNeedDrain

/**
 * Headers by their names. Undefined where there is more to them than that: names that come twice, which Node joins or
 * drops by rules of its own, a body in chunks, an expectation.
 */
function plainHeaders(rawHeaders: readonly string[]): IncomingHttpHeaders | undefined {
  const headers = new Names()
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] as string).toLowerCase()
    if (headers[name] !== undefined) return undefined
    headers[name] = rawHeaders[at + 1]
  }
  const isMore =
    headers['transfer-encoding'] !== undefined || headers.expect !== undefined || headers.trailer !== undefined
  return isMore ? undefined : headers
}

/** Without the names that every object has: a header may be called `constructor`. A literal would be a slow one. */
const Names = function () {} as unknown as new () => IncomingHttpHeaders
Names.prototype = Object.create(null)
