import { Buffer } from 'node:buffer'
import type { Exchange, HttpInterface } from '../exchange.ts'
import type { Answer, Fields, Head, WireForm } from '../operation.ts'
import { validateHeaderName, validateHeaderValue } from './node-http.ts'

const EXPOSED_HEADERS =
  'Link, Location, ETag, X-Request-Id, RateLimit, RateLimit-Policy, Retry-After, Petstore-Outcome, ' +
  'Idempotency-Replayed, Deprecation, Sunset'

const FOR_ANY_ORIGIN = ['Access-Control-Allow-Origin', '*', 'Access-Control-Expose-Headers', EXPOSED_HEADERS]
const FOR_OWN_ORIGIN = ['Cross-Origin-Resource-Policy', 'same-origin']
const NEVER_STORED = ['Cache-Control', 'no-store']
const PUBLIC = ['Cache-Control', 'public, max-age=300', 'Vary', 'Accept-Encoding']
const NO_NOTICES: readonly string[] = []
const CONDITIONAL = ['Cache-Control', 'private, no-cache', 'Vary', 'Authorization, Accept-Encoding']

/** Puts answers of an interface into the form in which they go onto the wire. */
export function wireForms({ crossOrigin }: Pick<HttpInterface, 'crossOrigin'>) {
  const everywhere = [...(crossOrigin ? FOR_ANY_ORIGIN : FOR_OWN_ORIGIN), 'X-Content-Type-Options', 'nosniff']
  const known = new WeakMap<readonly string[], { conditional: Head; open: Head; other: Head }>()

  /** Joined once for all answers with the same notices, and forgotten with these. */
  function headsWith(notices: readonly string[]) {
    const join = (more: readonly string[]) => headOf([...everywhere, ...more, ...notices])
    return { conditional: join(CONDITIONAL), open: join(PUBLIC), other: join(NEVER_STORED) }
  }

  return ({ status, body, etag, isPublic, headers }: Answer, exchange: Exchange): WireForm => {
    const notices = exchange.route?.notices?.(exchange) ?? NO_NOTICES
    let heads = known.get(notices)
    if (!heads) known.set(notices, (heads = headsWith(notices)))
    const own: string[] = etag === undefined ? [] : ['ETag', etag]
    if (status !== 204) own.push('Content-Type', 'application/json')
    if (headers) {
      for (let at = 0; at < headers.length; at += 2) {
        const [name, value] = [headers[at] as string, headers[at + 1] as string]
        validateHeaderValue(name, value)
        own.push(name, value)
      }
    }
    const bytes = Buffer.byteLength(body)
    own.push('Content-Length', String(bytes))
    return {
      shared: isPublic ? heads.open : etag === undefined ? heads.other : heads.conditional,
      headers: own,
      body: bytes === body.length ? body : Buffer.from(body).toString('latin1'),
    }
  }
}

/** For headers that nobody has looked at yet. */
export function checkedHead(headers: readonly string[]): Head {
  for (let at = 0; at < headers.length; at += 2) {
    validateHeaderName(headers[at] as string)
    validateHeaderValue(headers[at] as string, headers[at + 1] as string)
  }
  return headOf(headers)
}

/** To be kept: V8 has a text that was joined as a tree of its parts, and would walk it anew for every answer. */
export const headOf = (headers: readonly string[]): Head => new ReadyHead(headers)

class ReadyHead implements Head {
  readonly headers: readonly string[]
  readonly lines: string
  #fields: Fields | undefined

  constructor(headers: readonly string[]) {
    this.headers = headers
    this.lines = inOnePiece(linesOf(headers))
  }

  get fields(): Fields {
    return (this.#fields ??= fieldsOf(this.headers))
  }
}

const inOnePiece = (text: string) => Buffer.from(text, 'latin1').toString('latin1')

export function linesOf(headers: readonly string[]): string {
  let lines = ''
  for (let at = 0; at < headers.length; at += 2) lines += `${headers[at]}: ${headers[at + 1]}\r\n`
  return lines
}

/** Each name in small letters and each value with a zero behind it, and a byte for flags, of which there are none. */
export function fieldsOf(headers: readonly string[]): Fields {
  let text = ''
  for (let at = 0; at < headers.length; at += 2) text += `${headers[at]?.toLowerCase()}\0${headers[at + 1]}\0\0`
  return { text: inOnePiece(text), count: headers.length / 2 }
}

/** Says "not modified" of the form that the caller has. */
export function withEtag(form: WireForm, etag: string): WireForm {
  const { headers } = form
  return { ...form, headers: headers.with(indexOfHeader(headers, 'ETag') + 1, etag) }
}

/** Where a name stands in a list of names and values, or its end. A value may read like a name: callers choose some. */
export function indexOfHeader(headers: readonly string[], name: string): number {
  let at = 0
  while (at < headers.length && headers[at] !== name) at += 2
  return at
}
