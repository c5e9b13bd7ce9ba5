import type { IncomingMessage } from 'node:http'
import { PetstoreError } from '../errors.ts'
import { whenThere } from '../maybe-promise.ts'
import { encodedForm } from './encoding/compress.ts'
import { asPetstoreError, errorBody } from './error-answer.ts'
import { matchingEtag } from './etag.ts'
import type { Exchange, HttpInterface } from './exchange.ts'
import type { Answer, WireForm } from './operation.ts'

const EXPOSED_HEADERS =
  'Link, Location, ETag, X-Request-Id, RateLimit, RateLimit-Policy, Retry-After, ' +
  'Idempotency-Replayed, Deprecation, Sunset'

const FOR_ANY_ORIGIN = ['Access-Control-Allow-Origin', '*', 'Access-Control-Expose-Headers', EXPOSED_HEADERS]
const FOR_OWN_ORIGIN = ['Cross-Origin-Resource-Policy', 'same-origin']

const REQUEST_ID_AT = 1
const RATE_AT = 3

export interface Responder {
  send(exchange: Exchange, answer: Answer, failure?: PetstoreError): void
  sendError(exchange: Exchange, thrown: unknown): void
}

/** Writes answers with the headers that every one of an interface has, and tells the interface. */
export function createResponder(served: HttpInterface): Responder {
  return { send, sendError }

  function send(exchange: Exchange, answer: Answer, failure?: PetstoreError): void {
    const { headers } = exchange.request
    const wire = (answer.wire ??= wireForm(answer, exchange, served))
    if (answer.etag === undefined) return write(exchange, answer.status, wire, failure)
    const known = matchingEtag(headers['if-none-match'], answer.etag)
    if (known !== undefined) return write(exchange, 304, withEtag(wire, known))
    if (!answer.repeated) return write(exchange, answer.status, wire)
    whenThere(encodedForm(wire, headers['accept-encoding']), (form) => write(exchange, answer.status, form))
  }

  function write(exchange: Exchange, status: number, wire: WireForm, failure?: PetstoreError): void {
    const { request, response } = exchange
    const headers = wire.headers.slice()
    headers[REQUEST_ID_AT] = exchange.requestId
    if (exchange.rate !== undefined) headers[RATE_AT] = exchange.rate
    if (exchange.addressHeaders !== undefined) headers.push(...exchange.addressHeaders)
    // An unread body would be taken for the next request: the connection ends with the refusal.
    if (failure && request.httpVersionMajor === 1 && hasUnreadBody(request)) headers.push('Connection', 'close')
    if (status === 304 || status === 204) response.writeHead(status, withoutLength(headers)).end()
    else response.writeHead(status, headers).end(wire.body, 'latin1')
    served.answered(exchange, status, failure)
  }

  function sendError(exchange: Exchange, thrown: unknown): void {
    const { request } = exchange
    const failure = asPetstoreError(request.destroyed && hasUnreadBody(request) ? cutShort(thrown) : thrown)
    const headers = Object.entries(failure.headers).flat()
    send(exchange, { status: failure.status, body: errorBody(failure), headers }, failure)
  }
}

/** The client went away in the middle of its body: nobody reads this answer, and it is no bug of ours. */
function cutShort(cause: unknown): PetstoreError {
  return new PetstoreError('invalid_request', 'The request ended before its body was complete.', { cause })
}

/** Without a body, too, a request is incomplete until its last byte has been parsed, which may be after its answer. */
function hasUnreadBody({ complete, headers }: IncomingMessage): boolean {
  if (complete) return false
  return headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'
}

/** Made once for an answer that is kept: it is kept for one environment, so that the notices are always the same. */
function wireForm(answer: Answer, exchange: Exchange, { crossOrigin, ratePolicy }: HttpInterface): WireForm {
  const { rate, route, environment } = exchange
  const headers = ['X-Request-Id', '']
  if (rate !== undefined) headers.push('RateLimit', rate, 'RateLimit-Policy', ratePolicy as string)
  headers.push(...(crossOrigin ? FOR_ANY_ORIGIN : FOR_OWN_ORIGIN), 'X-Content-Type-Options', 'nosniff')
  if (answer.etag === undefined) headers.push('Cache-Control', 'no-store')
  else headers.push('ETag', answer.etag, 'Cache-Control', 'private, no-cache', 'Vary', 'Authorization, Accept-Encoding')
  if (answer.status !== 204) headers.push('Content-Type', 'application/json')
  if (answer.headers) headers.push(...answer.headers)
  if (route?.notices) headers.push(...route.notices[environment])
  const bytes = Buffer.byteLength(answer.body)
  headers.push('Content-Length', String(bytes))
  return { headers, body: bytes === answer.body.length ? answer.body : Buffer.from(answer.body).toString('latin1') }
}

function withoutLength(headers: string[]): string[] {
  const at = headers.indexOf('Content-Length')
  return headers.toSpliced(at, 2)
}

/** Says "not modified" of the form that the caller has. */
function withEtag({ headers, body }: WireForm, etag: string): WireForm {
  return { headers: headers.with(headers.indexOf('ETag') + 1, etag), body }
}
