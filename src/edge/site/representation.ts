import { REVALIDATE, cacheControlOf } from './cache-policy.ts'
import { type Blob, blobOf } from './blob-cache.ts'
import type { ByteRange } from './conditions.ts'
import { contentTypeOf } from './content-types.ts'
import type { Head } from '../../platform/http/operation.ts'
import { checkedHead } from '../../platform/http/wire/form.ts'
import type { Encoding } from '../../platform/http/encoding/negotiate.ts'
import type { SiteFile } from './site.ts'

/** One encoding of one file with its response headers, flat as `writeHead` takes them, made once. */
export interface Representation extends Blob {
  /** Strong: names the content and its encoding. */
  readonly etag: string
  readonly head: Head
  readonly notModifiedHead: Head
  readonly unsatisfiableHeaders: string[]
  /** For the site's own 404 page: nothing in it speaks of the address that was asked for. */
  readonly errorHead: Head
  headersOfRange(range: ByteRange): string[]
}

type Representations = Partial<Record<Encoding, Representation>> & { identity: Representation }

export function representationsOf(file: SiteFile): Representations {
  let representations = prepared.get(file)
  if (representations === undefined) {
    representations = prepare(file)
    prepared.set(file, representations)
  }
  return representations
}

const prepared = new WeakMap<SiteFile, Representations>()

function prepare(file: SiteFile): Representations {
  const { br, gzip } = file.encodings
  return {
    identity: represent(file, 'identity', file.encodings.identity),
    ...(br === undefined ? {} : { br: represent(file, 'br', br) }),
    ...(gzip === undefined ? {} : { gzip: represent(file, 'gzip', gzip) }),
  }
}

function represent(file: SiteFile, encoding: Encoding, bytes: number): Representation {
  const etag = `"${file.sha256.slice(0, ETAG_HASH_CHARACTERS)}${encoding === 'identity' ? '' : `-${encoding}`}"`
  const isNegotiated = file.encodings.br !== undefined || file.encodings.gzip !== undefined
  const vary = isNegotiated ? ['Vary', 'Accept-Encoding'] : []
  const kind = [
    'Content-Type',
    contentTypeOf(file.path),
    ...(encoding === 'identity' ? [] : ['Content-Encoding', encoding]),
    ...vary,
    'X-Content-Type-Options',
    'nosniff',
    ...(file.headers ?? []),
  ]
  const validators = ['ETag', etag, 'Cache-Control', cacheControlOf(file.path)]
  const ofFile = [...kind, ...validators, 'Accept-Ranges', 'bytes']
  return {
    ...blobOf(file.sha256, encoding, bytes),
    etag,
    head: checkedHead([...ofFile, 'Content-Length', String(bytes)]),
    notModifiedHead: checkedHead([...validators, ...vary]),
    // A shared cache may keep a refusal, too, for as long as it is told.
    unsatisfiableHeaders: ['Cache-Control', 'no-store', 'Content-Range', `bytes */${bytes}`, 'Content-Length', '0'],
    errorHead: checkedHead([...kind, 'Cache-Control', REVALIDATE, 'Content-Length', String(bytes)]),
    headersOfRange: ({ start, end }) => [
      ...ofFile,
      'Content-Range',
      `bytes ${start}-${end - 1}/${bytes}`,
      'Content-Length',
      String(end - start),
    ],
  }
}

/** 128 bits: no two files of a site share them by chance. */
const ETAG_HASH_CHARACTERS = 32
