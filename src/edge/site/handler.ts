import type { IncomingMessage, ServerResponse } from 'node:http'
import { BlobCache, SLICE_BYTES, type BlobReader } from './blob-cache.ts'
import { alreadyHeld, isWanted, rangeOf, type ByteRange } from './conditions.ts'
import { clientAddress, isGone, type MaybeHttp2Response } from '../../platform/http/client.ts'
import { systemClock } from '../../platform/clock.ts'
import { acceptedEncodings } from '../../platform/http/encoding/negotiate.ts'
import type { Head } from '../../platform/http/operation.ts'
import { wholeAnswers } from '../../platform/http/wire/whole.ts'
import { networkOf } from '../../platform/network.ts'
import {
  badRequestPage,
  methodNotAllowedPage,
  notFoundPage,
  preconditionFailedPage,
  sendPage,
  unavailablePage,
} from '../pages.ts'
import { sendRedirect } from '../redirect.ts'
import { representationOf, type Representation } from './representation.ts'
import { sitePathOf, urlPathOf } from './path.ts'
import type { Site, SiteFile } from './site.ts'
import type { Slice, Visitor } from './slice.ts'

export type SiteHandler = (request: IncomingMessage, response: ServerResponse, site: Site) => void

interface SiteHandlerNeeds {
  blobs: BlobReader
  cacheBytesMax?: number
  /** Of what visitors have asked for and not taken, beyond the cache. */
  unsentBytesMax?: number
  /** Told of reads that failed; the visitor gets a 503. */
  onError?: (error: unknown) => void
}

export function createSiteHandler(needs: SiteHandlerNeeds): SiteHandler {
  const { blobs, cacheBytesMax, unsentBytesMax, onError = () => {} } = needs
  const cache = new BlobCache(blobs, cacheBytesMax, unsentBytesMax)

  return (request, response, site) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return sendPage(request, response, methodNotAllowedPage)
    const path = sitePathOf(request.url ?? '')
    if (path === undefined) return sendPage(request, response, badRequestPage)

    const found = isReserved(path) ? undefined : findFile(site, path)
    if (found === undefined) return notFound(request, response, site)
    if (typeof found === 'string') return sendRedirect(response, 308, urlPathOf(found) + queryOf(request.url!))
    sendFile(request, response, chooseRepresentation(request, found))
  }

  function notFound(request: IncomingMessage, response: ServerResponse, site: Site): void {
    const file = site.find('404.html')
    if (file === undefined) return sendPage(request, response, notFoundPage)
    const representation = chooseRepresentation(request, file)
    sendBody(request, response, representation, 404, representation.errorHead, whole(representation))
  }

  function sendFile(request: IncomingMessage, response: ServerResponse, representation: Representation): void {
    const { headers } = request
    if (headers['if-match'] !== undefined && !isWanted(headers['if-match'], representation.etag)) {
      return sendPage(request, response, preconditionFailedPage)
    }
    if (headers['if-none-match'] !== undefined && alreadyHeld(headers['if-none-match'], representation.etag)) {
      return writeAll(request, response, 304, representation.notModifiedHead)
    }
    const range = requestedRange(request, representation)
    if (range === undefined) {
      return sendBody(request, response, representation, 200, representation.head, whole(representation))
    }
    if (range === 'unsatisfiable') {
      response.writeHead(416, representation.unsatisfiableHeaders)
      response.end()
      return
    }
    sendBody(request, response, representation, 206, representation.headOfRange(range), range)
  }

  function sendBody(
    request: IncomingMessage,
    response: ServerResponse,
    representation: Representation,
    status: number,
    head: Head,
    range: ByteRange,
  ): void {
    if (request.method === 'HEAD' || range.end === range.start) {
      return writeAll(request, response, status, head)
    }
    if (representation.bytes > SLICE_BYTES) {
      void sendSlices(request, response, representation, status, head.headers, range)
      return
    }
    const isText = representation.bytes <= TEXT_BYTES_MAX && request.httpVersionMajor === 1
    const content = isText ? cache.text(representation) : cache.slice(representation, 0)
    if (content instanceof Promise) {
      content
        .then((body) => sendWhole(request, response, status, head, body, range))
        .catch((error) => failed(request, response, error))
      return
    }
    sendWhole(request, response, status, head, content, range)
  }

  async function sendSlices(
    request: IncomingMessage,
    response: ServerResponse,
    representation: Representation,
    status: number,
    headers: readonly string[],
    { start, end }: ByteRange,
  ): Promise<void> {
    try {
      for (let at = start; at < end && !isGone(response);) {
        const index = Math.floor(at / SLICE_BYTES)
        const sliceStart = index * SLICE_BYTES
        const slice = await cache.slice(representation, index)
        const part = slice.bytes.subarray(at - sliceStart, end - sliceStart)
        if (!response.headersSent) response.writeHead(status, headers as string[])
        at += part.length
        if (!response.write(part, whenSent(request, response, slice)) && at < end) await drained(response)
      }
      response.end()
    } catch (error) {
      failed(request, response, error)
    }
  }

  function failed(request: IncomingMessage, response: ServerResponse, error: unknown): void {
    onError(error)
    // A length has been promised already: only a broken connection tells the client that the rest is missing.
    if (response.headersSent) response.destroy()
    else sendPage(request, response, unavailablePage)
  }
}

/** The file that answers, or the path to which the visitor should go for it. */
function findFile(site: Site, path: string): SiteFile | string | undefined {
  if (path === '' || path.endsWith('/')) {
    const index = site.find(`${path}index.html`)
    if (index !== undefined || path === '') return index
    const bare = path.slice(0, -1)
    return site.find(`${bare}.html`) === undefined ? undefined : bare
  }
  const file = site.find(path) ?? site.find(`${path}.html`)
  if (file !== undefined) return file
  return site.find(`${path}/index.html`) === undefined ? undefined : `${path}/`
}

/** Only the edge itself speaks to certificate authorities: a file there would let a deploy obtain certificates. */
const isReserved = (path: string) => path === RESERVED || path.startsWith(`${RESERVED}/`)
const RESERVED = '.well-known/acme-challenge'

function chooseRepresentation(request: IncomingMessage, file: SiteFile): Representation {
  const { br, gzip } = file.encodings
  if (br !== undefined || gzip !== undefined) {
    for (const encoding of acceptedEncodings(request.headers['accept-encoding'] as string | undefined)) {
      const representation = representationOf(file, encoding)
      if (representation !== undefined) return representation
    }
  }
  return representationOf(file, 'identity') as Representation
}

/** A range that is conditional on another version of the file is answered with all of this one. */
function requestedRange(request: IncomingMessage, { etag, bytes }: Representation) {
  const { range, 'if-range': ifRange } = request.headers
  if (range === undefined || request.method !== 'GET') return undefined
  if (ifRange !== undefined && ifRange !== etag) return undefined
  return rangeOf(range, bytes)
}

function sendWhole(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  head: Head,
  body: Slice | string,
  { start, end }: ByteRange,
): void {
  if (typeof body === 'string') return writeAll(request, response, status, head, body.slice(start, end))
  writeHead(response, status, head)
  const { bytes } = body
  const part = end - start === bytes.length ? bytes : bytes.subarray(start, end)
  response.end(part, whenSent(request, response, body))
}

function writeHead(response: MaybeHttp2Response, status: number, head: Head): void {
  if (response.writeReadyHead) response.writeReadyHead(status, head)
  else response.writeHead(status, head.headers as string[])
}

const writeWhole = wholeAnswers(systemClock)

/** A body of one byte in each character, or none. */
function writeAll(request: IncomingMessage, response: ServerResponse, status: number, head: Head, body = ''): void {
  if (request.httpVersionMajor === 1 && writeWhole(response, status, head.lines, body)) return
  writeHead(response, status, head)
  if (body === '') response.end()
  else response.end(body, 'latin1')
}

/** Of a stream of HTTP/2 that was destroyed, a write of the connection may still have bytes, and nobody tells. */
function whenSent(
  request: IncomingMessage,
  response: MaybeHttp2Response,
  slice: Slice,
): (error?: Error | null) => void {
  const end = slice.hold(new SiteVisitor(request, response))
  return (error) => end(!error && response.stream?.destroyed !== true)
}

class SiteVisitor implements Visitor {
  readonly #request: IncomingMessage
  readonly #response: MaybeHttp2Response

  constructor(request: IncomingMessage, response: MaybeHttp2Response) {
    this.#request = request
    this.#response = response
  }

  get isGone(): boolean {
    return this.#leavesBy.destroyed
  }

  get way() {
    return this.#response.tellsOfEverySending ? undefined : this.#leavesBy
  }

  get #leavesBy() {
    return this.#response.stream ?? this.#request.socket
  }

  get network(): string {
    return networkOf(clientAddress(this.#request))
  }

  cut(): void {
    this.#response.destroy()
  }
}

/**
 * Up to here a file is one string with its headers: a twentieth faster over TLS than as two buffers. Node writes
 * strings of up to 16 KiB, headers included, from the stack. Not so over HTTP/2, where headers travel by themselves.
 */
const TEXT_BYTES_MAX = 15 * 1024

const whole = ({ bytes }: Representation): ByteRange => ({ start: 0, end: bytes })

const queryOf = (target: string) => (target.includes('?') ? target.slice(target.indexOf('?')) : '')

function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    if (isGone(response)) return resolve()
    const finish = () => {
      response.off('drain', finish)
      response.off('close', finish)
      resolve()
    }
    response.on('drain', finish)
    response.on('close', finish)
  })
}
