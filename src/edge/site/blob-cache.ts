import type { Encoding } from '../../platform/http/encoding/negotiate.ts'
import { SingleFlight } from '../../platform/single-flight.ts'
import { giveBack } from '../../platform/storage/give-back.ts'
import { Lru } from '../lru.ts'
import { Slice } from './slice.ts'
import { Unsent } from './unsent.ts'

/** Where file contents come from. */
export interface BlobReader {
  /**
   * The bytes [start, end) of one encoding of a file, which goes by the SHA-256 of its identity bytes. Nobody else
   * reads them: their memory is given back when they have been sent.
   */
  read(sha256: string, encoding: Encoding, start: number, end: number): Promise<Buffer>
}

/** One stored form of one file. */
export interface Blob {
  readonly sha256: string
  readonly encoding: Encoding
  readonly bytes: number
  /** Hash and encoding as one string, made once: making and hashing it anew would cost every request 2 µs. */
  readonly key: string
  /** The same for its first slice, which is all of most files. */
  readonly firstSliceKey: string
}

export function blobOf(sha256: string, encoding: Encoding, bytes: number): Blob {
  const key = `${sha256}/${encoding}`
  return { sha256, encoding, bytes, key, firstSliceKey: sliceKey(key, 0) }
}

const sliceKey = (key: string, index: number) => `${key}/${index}`

/**
 * Files are read and kept in slices, so that a slow reader of a large file holds one slice in memory and not the file.
 * Most files of a site are one slice.
 */
export const SLICE_BYTES = 512 * 1024

type Content = Slice | string

const drop = (content: Content) => void (typeof content === 'string' || content.drop())

/**
 * What is larger is kept from its second time on, when that comes before a quarter of the cache has been read past it:
 * somebody who looks through the films of a site does not push out what everybody asks for.
 */
const LARGE_BYTES = 64 * 1024

/** Contents in memory, bounded by their bytes; what many ask for at once is read once. */
export class BlobCache {
  readonly #blobs: BlobReader
  readonly #contents: Lru<Content>
  /** Large contents that were read and not kept, by the bytes that they would take. */
  readonly #passed: Lru<true>
  readonly #reading = new SingleFlight<Content>()
  readonly #unsent: Unsent

  constructor(blobs: BlobReader, bytesMax = 64 * 1024 * 1024, unsentBytesMax?: number) {
    this.#blobs = blobs
    this.#unsent = new Unsent(unsentBytesMax)
    this.#contents = new Lru(bytesMax, drop)
    this.#passed = new Lru(bytesMax / 4)
  }

  get bytes(): number {
    return this.#contents.weight
  }

  /** The slice itself when it is in memory, without the detour of a promise. */
  slice(blob: Blob, index: number): Slice | Promise<Slice> {
    const start = index * SLICE_BYTES
    const end = Math.min(start + SLICE_BYTES, blob.bytes)
    const key = index === 0 ? blob.firstSliceKey : sliceKey(blob.key, index)
    return this.#content(key, end - start, async () => new Slice(await this.#read(blob, start, end), this.#unsent))
  }

  /** The whole of a small file, one character a byte. */
  text(blob: Blob): string | Promise<string> {
    return this.#content(blob.key, blob.bytes, async () => {
      const bytes = await this.#read(blob, 0, blob.bytes)
      const text = bytes.toString('latin1')
      giveBack(bytes)
      return text
    })
  }

  /** Everything under one key is of one kind. */
  #content<Kind extends Content>(key: string, length: number, read: () => Promise<Kind>): Kind | Promise<Kind> {
    const known = this.#contents.get(key)
    if (known !== undefined) return known as Kind
    const reading = this.#reading.join(key, async () => {
      const content = await read()
      if (this.#isWorthKeeping(key, length)) this.#contents.set(key, content, length + ENTRY_OVERHEAD_BYTES)
      else drop(content)
      return content
    })
    return reading as Promise<Kind>
  }

  #isWorthKeeping(key: string, length: number): boolean {
    if (length <= LARGE_BYTES || this.#passed.get(key)) return true
    this.#passed.set(key, true, length)
    return false
  }

  async #read(blob: Blob, start: number, end: number): Promise<Buffer> {
    const bytes = await this.#blobs.read(blob.sha256, blob.encoding, start, end)
    if (bytes.length === end - start) return bytes
    throw new Error(`Blob ${blob.key} has ${bytes.length} bytes at ${start}, not ${end - start}.`)
  }
}

/** Key, map entry and object; counted so that a million empty files stay bounded too. */
const ENTRY_OVERHEAD_BYTES = 300
