import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { invalid, PetstoreError } from '../errors.ts'
import { exactNumber, integerFromJsonSource, isInt64 } from '../int64.ts'

export const BODY_BYTES_MAX = 64 * 1024

/** Makes an app read JSON bodies exactly, and nothing but JSON. */
export function acceptJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    try {
      requirePlainUtf8(request.headers)
      done(null, bytes.length === 0 ? undefined : parseJsonBody(bytes as Buffer))
    } catch (error) {
      done(error as Error)
    }
  })
}

function requirePlainUtf8(headers: IncomingHttpHeaders): void {
  const encoding = headers['content-encoding']
  if (encoding && encoding !== 'identity') {
    throw new PetstoreError(
      'unsupported_media_type',
      'A compressed body is not accepted: send it without Content-Encoding.',
    )
  }
  const charset = /charset\s*=\s*"?([^\s";]+)/i.exec(headers['content-type'] ?? '')?.[1]
  if (charset && !/^utf-?8$/i.test(charset)) {
    throw new PetstoreError('unsupported_media_type', 'A JSON body must be UTF-8: leave charset out, or say utf-8.')
  }
}

/** A body of known and allowed length, in the words that nearly every client uses. */
export function isPlainJson({ headers }: IncomingMessage): boolean {
  if (headers['content-type'] !== 'application/json' || headers['content-encoding'] !== undefined) return false
  const bytes = Number(headers['content-length'])
  return bytes > 0 && bytes <= BODY_BYTES_MAX
}

/** Calls back once: with what the body says, or with what is wrong with it. */
export function readPlainJson(request: IncomingMessage, done: (error: unknown, body?: unknown) => void): void {
  let bytes: Buffer | undefined
  request.on('data', (chunk: Buffer) => {
    bytes = bytes === undefined ? chunk : Buffer.concat([bytes, chunk])
  })
  request.on('end', () => {
    let body: unknown
    try {
      body = parseJsonBody(bytes as Buffer)
    } catch (error) {
      return done(error)
    }
    done(undefined, body)
  })
  // The connection broke in the middle of the body.
  request.on('error', done)
}

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
