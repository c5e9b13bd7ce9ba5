import { REVALIDATE, cacheControlOf } from './cache-policy.ts'
import { type Blob, blobOf } from './blob-cache.ts'
import type { ByteRange } from './conditions.ts'
import { contentTypeOf } from './content-types.ts'
import type { Head } from '../../platform/http/operation.ts'
import { checkedHead } from '../../platform/http/wire/form.ts'
import type { Encoding } from '../../platform/http/encoding/negotiate.ts'
import type { SiteFile } from './site.ts'

/**
 * One encoding of one file with its response headers, flat as `writeHead` takes them. Each is made when it is first
 * asked for, and then kept: somebody who walks through a large site must not fill the memory with what nobody asks for.
 */
export class Representation implements Blob {
  readonly sha256: string
  readonly encoding: Encoding
  readonly bytes: number
  readonly key: string
  readonly firstSliceKey: string
  /** Strong: names the content and its encoding. */
  readonly etag: string
  readonly #file: SiteFile
  #head: Head | undefined
  #notModifiedHead: Head | undefined
  #errorHead: Head | undefined

  constructor(file: SiteFile, { sha256, encoding, bytes, key, firstSliceKey }: Blob) {
    this.sha256 = sha256
    this.encoding = encoding
    this.bytes = bytes
    this.key = key
    this.firstSliceKey = firstSliceKey
    this.etag = `"${sha256.slice(0, ETAG_HASH_CHARACTERS)}${encoding === 'identity' ? '' : `-${encoding}`}"`
    this.#file = file
  }

  get head(): Head {
    return (this.#head ??= checkedHead([...this.#ofFile(), 'Content-Length', String(this.bytes)]))
  }

  get notModifiedHead(): Head {
    return (this.#notModifiedHead ??= checkedHead([...this.#validators(), ...this.#vary()]))
  }

  /** For the site's own 404 page: nothing in it speaks of the address that was asked for. */
  get errorHead(): Head {
    const headers = () => [...this.#kind(), 'Cache-Control', REVALIDATE, 'Content-Length', String(this.bytes)]
    return (this.#errorHead ??= checkedHead(headers()))
  }

  /** A shared cache may keep a refusal, too, for as long as it is told. */
  get unsatisfiableHeaders(): string[] {
    return ['Cache-Control', 'no-store', 'Content-Range', `bytes */${this.bytes}`, 'Content-Length', '0']
  }

  headOfRange({ start, end }: ByteRange): Head {
    const range = ['Content-Range', `bytes ${start}-${end - 1}/${this.bytes}`, 'Content-Length', String(end - start)]
    return checkedHead([...this.#ofFile(), ...range])
  }

  #ofFile(): string[] {
    return [...this.#kind(), ...this.#validators(), 'Accept-Ranges', 'bytes']
  }

  #kind(): string[] {
    return [
      'Content-Type',
      contentTypeOf(this.#file.path),
      ...(this.encoding === 'identity' ? [] : ['Content-Encoding', this.encoding]),
      ...this.#vary(),
      'X-Content-Type-Options',
      'nosniff',
      ...(this.#file.headers ?? []),
    ]
  }

  #validators(): string[] {
    return ['ETag', this.etag, 'Cache-Control', cacheControlOf(this.#file.path)]
  }

  #vary(): string[] {
    const { br, gzip } = this.#file.encodings
    return br === undefined && gzip === undefined ? [] : ['Vary', 'Accept-Encoding']
  }
}

/** Undefined where the file is not stored so. */
export function representationOf(file: SiteFile, encoding: Encoding): Representation | undefined {
  const bytes = file.encodings[encoding]
  if (bytes === undefined) return undefined
  let representations = prepared.get(file)
  if (representations === undefined) {
    representations = { identity: undefined, br: undefined, gzip: undefined }
    prepared.set(file, representations)
  }
  return (representations[encoding] ??= prepare(file, encoding, bytes))
}

function prepare(file: SiteFile, encoding: Encoding, bytes: number): Representation {
  if (++preparedCount > PREPARED_MAX) {
    prepared = new WeakMap()
    preparedCount = 1
  }
  return new Representation(file, blobOf(file.sha256, encoding, bytes))
}

/**
 * Each takes 1 kB with one of its heads, and 2.7 kB with all of them as HTTP/1 and as HTTP/2 have them. Those of all
 * files that may be known, in every encoding, would take 800 MB: beyond this, which are 60 MB, all are forgotten, and
 * made again for whoever asks, in 12 µs each.
 */
export const PREPARED_MAX = 22_000
let prepared = new WeakMap<SiteFile, Record<Encoding, Representation | undefined>>()
let preparedCount = 0

/** 128 bits: no two files of a site share them by chance. */
const ETAG_HASH_CHARACTERS = 32
