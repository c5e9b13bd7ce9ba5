import type { IncomingMessage } from 'node:http'
import type { Clock } from '../clock.ts'
import { PetstoreError } from '../errors.ts'
import { whenThere } from '../maybe-promise.ts'
import { encodedForm } from './encoding/compress.ts'
import { asPetstoreError, errorBody } from './error-answer.ts'
import { matchingEtag } from './etag.ts'
import type { Exchange, HttpInterface } from './exchange.ts'
import type { Answer, WireForm } from './operation.ts'
import { headOf, indexOfHeader, linesOf, wireForms, withEtag } from './wire/form.ts'
import { wholeAnswers } from './wire/whole.ts'

export interface Responder {
  send(exchange: Exchange, answer: Answer, failure?: PetstoreError): void
  sendError(exchange: Exchange, thrown: unknown): void
}

/** Writes answers with the headers that every one of an interface has, and tells the interface. */
export function createResponder(served: HttpInterface, clock: Pick<Clock, 'now'>): Responder {
  const formOf = wireForms(served)
  const writeWhole = wholeAnswers(clock)
  const policy = served.ratePolicy ?? ''
  return { send, sendError }

  function send(exchange: Exchange, answer: Answer, failure?: PetstoreError): void {
    if (answer.stream) return open(exchange, answer, answer.stream)
    const { headers } = exchange.request
    // Kept with the answer, which is kept for one address, so that the notices are always the same.
    const wire = (answer.wire ??= formOf(answer, exchange))
    if (answer.etag === undefined) return write(exchange, answer.status, wire, failure)
    const known = matchingEtag(headers['if-none-match'], answer.etag)
    if (known !== undefined) return write(exchange, 304, withEtag(wire, known))
    const form = encodedForm(wire, headers['accept-encoding'], answer.repeated === true)
    whenThere(form, (chosen) => write(exchange, answer.status, chosen))
  }

  /** It says itself what it is; how long it is nobody knows. */
  function open(exchange: Exchange, answer: Answer, stream: NonNullable<Answer['stream']>): void {
    const { request, response, requestId, addressHead = NO_HEAD } = exchange
    const { shared } = formOf(answer, exchange)
    const headers = ['X-Request-Id', requestId, ...shared.headers, ...(answer.headers ?? []), ...addressHead.headers]
    response.writeHead(answer.status, headers)
    if (request.method === 'HEAD') response.end()
    else stream(response)
    served.answered(exchange, answer.status, undefined)
  }

  function write(exchange: Exchange, status: number, wire: WireForm, failure?: PetstoreError): void {
    if (failure || (status > 201 && status !== 304) || !isWritten(exchange, status, wire)) {
      writeList(exchange, status, wire, failure)
    }
    served.answered(exchange, status, failure)
  }

  function isWritten(exchange: Exchange, status: number, wire: WireForm): boolean {
    const { response, requestId, rate, addressHead = NO_HEAD } = exchange
    const isSame = status === 304
    const own = isSame ? linesOf(withoutLength(wire.headers)) : (wire.lines ??= linesOf(wire.headers))
    const rates = rate === undefined ? '' : `RateLimit: ${rate}\r\nRateLimit-Policy: ${policy}\r\n`
    const lines = `X-Request-Id: ${requestId}\r\n${rates}${wire.shared.lines}${own}${addressHead.lines}`
    return writeWhole(response, status, lines, isSame ? '' : wire.body)
  }

  function writeList(exchange: Exchange, status: number, wire: WireForm, failure?: PetstoreError): void {
    const { request, response, requestId, rate, addressHead = NO_HEAD } = exchange
    const headers = ['X-Request-Id', requestId]
    if (rate !== undefined) headers.push('RateLimit', rate, 'RateLimit-Policy', policy)
    headers.push(...wire.shared.headers, ...wire.headers, ...addressHead.headers)
    // An unread body would be taken for the next request: the connection ends with the refusal.
    if (failure && request.httpVersionMajor === 1 && hasUnreadBody(request)) headers.push('Connection', 'close')
    if (status === 304 || status === 204) response.writeHead(status, withoutLength(headers)).end()
    else response.writeHead(status, headers).end(wire.body, 'latin1')
  }

  function sendError(exchange: Exchange, thrown: unknown): void {
    const { request } = exchange
    const failure = asPetstoreError(request.destroyed && hasUnreadBody(request) ? cutShort(thrown) : thrown)
    const headers = Object.entries(failure.headers).flat()
    send(exchange, { status: failure.status, body: errorBody(failure), headers }, failure)
  }
}

const NO_HEAD = headOf([])

/** The client went away in the middle of its body: nobody reads this answer, and it is no bug of ours. */
function cutShort(cause: unknown): PetstoreError {
  return new PetstoreError('invalid_request', 'The request ended before its body was complete.', { cause })
}

/** Without a body, too, a request is incomplete until its last byte has been parsed, which may be after its answer. */
function hasUnreadBody({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
}

const withoutLength = (headers: readonly string[]) => headers.toSpliced(indexOfHeader(headers, 'Content-Length'), 2)
