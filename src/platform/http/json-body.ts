import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { BriefRequest } from './wire/brief.ts'
import { invalid, PetstoreError } from '../errors.ts'
import { exactNumber, integerFromJsonSource, isInt64 } from '../int64.ts'

const BODY_BYTES_MAX = 64 * 1024

/** Goes on with what a JSON body says, undefined where there is none, or with what is wrong with it. */
export function readJson(
  request: IncomingMessage | BriefRequest,
  goOn: (body: unknown) => void,
  fail: (error: unknown) => void,
): void {
  const { headers } = request
  const announced = headers['content-length']
  if (headers['content-type'] === undefined && isEmpty(headers)) return goOn(undefined)
  const refusal = refusalOfHead(headers)
  if (refusal) return fail(refusal)

  const parse = (bytes: Buffer | undefined) => {
    let body: unknown
    try {
      // HTTP/2 ends the body of a stream that was reset as if it were complete.
      if (announced !== undefined && Number(announced) !== (bytes?.length ?? 0)) throw tooShort()
      body = bytes && parseJsonBody(bytes)
    } catch (error) {
      return fail(error)
    }
    goOn(body)
  }
  if (isWhole(request)) parse(request.body)
  else readBody(request, parse, fail)
}

const isWhole = (request: IncomingMessage | BriefRequest): request is BriefRequest => 'body' in request

function readBody(
  request: IncomingMessage,
  goOn: (bytes: Buffer | undefined) => void,
  fail: (error: unknown) => void,
): void {
  let bytes: Buffer | undefined
  const read = (chunk: Buffer) => {
    bytes = bytes === undefined ? chunk : Buffer.concat([bytes, chunk])
    if (bytes.length <= BODY_BYTES_MAX) return
    request.off('data', read).off('end', end)
    fail(tooLarge())
  }
  const end = () => goOn(bytes)
  request.on('data', read).on('end', end)
  // The connection broke in the middle of the body.
  request.on('error', fail)
}

const isEmpty = (headers: IncomingHttpHeaders) =>
  headers['transfer-encoding'] === undefined && (headers['content-length'] ?? '0') === '0'

/** What can be said against a body before a byte of it is read. */
function refusalOfHead(headers: IncomingHttpHeaders): PetstoreError | undefined {
  const { 'content-type': type = '', 'content-encoding': encoding } = headers
  if (!/^application\/json\s*(?:;|$)/i.test(type)) {
    return notAccepted('The request body must be JSON: send Content-Type: application/json.')
  }
  if (Number(headers['content-length'] ?? 0) > BODY_BYTES_MAX) return tooLarge()
  if (encoding && encoding !== 'identity') {
    return notAccepted('A compressed body is not accepted: send it without Content-Encoding.')
  }
  const charset = /charset\s*=\s*"?([^\s";]+)/i.exec(type)?.[1]
  if (charset && !/^utf-?8$/i.test(charset)) {
    return notAccepted('A JSON body must be UTF-8: leave charset out, or say utf-8.')
  }
  return undefined
}

const notAccepted = (message: string) => new PetstoreError('unsupported_media_type', message)
const tooLarge = () => new PetstoreError('payload_too_large', 'The request body is larger than 64 KiB.')
const tooShort = () => invalid('The request body is not as long as Content-Length says.')

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Without these, every number of the text is an integer that a double holds exactly. */
const NEEDS_EXACT_NUMBERS = /\d{16}|\d[.eE]/

/**
 * Parses a JSON body without losing a digit: integers beyond 2^53 become bigints, and a number that only
 * rounds to an integer (`1.00000000000000000001`) becomes NaN, which no schema takes for an integer.
 */
export function parseJsonBody(bytes: Uint8Array): unknown {
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    throw invalid('The request body is not valid UTF-8.')
  }
  try {
    return NEEDS_EXACT_NUMBERS.test(text) ? JSON.parse(text, exactNumbers) : JSON.parse(text)
  } catch (error) {
    // A nesting deeper than the parser's stack is a RangeError, everything else a SyntaxError.
    const where = error instanceof SyntaxError ? error.message : 'it is nested too deeply'
    throw invalid(`The request body is not valid JSON: ${where}.`)
  }
}

function exactNumbers(this: unknown, _key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || context?.source === undefined) return value
  const integer = integerFromJsonSource(context.source)
  if (integer === undefined) return Number.isInteger(value) ? Number.NaN : value
  return isInt64(integer) ? exactNumber(integer) : integer
}
