import { Lru } from './lru.ts'
import type { Encoding } from './negotiate.ts'

/** Where file contents come from. */
export interface BlobReader {
  /** The bytes [start, end) of one encoding of a file, which goes by the SHA-256 of its identity bytes. */
  read(sha256: string, encoding: Encoding, start: number, end: number): Promise<Buffer>
}

/** One stored form of one file. */
export interface Blob {
  readonly sha256: string
  readonly encoding: Encoding
  readonly bytes: number
}

/**
 * Files are read and kept in slices, so that a slow reader of a large file holds one slice in memory and not the file.
 * Most files of a site are one slice.
 */
export const SLICE_BYTES = 512 * 1024

/** Slices in memory, bounded by their bytes; a slice that many ask for at once is read once. */
export class BlobCache {
  readonly #blobs: BlobReader
  readonly #slices: Lru<Buffer>
  readonly #reading = new Map<string, Promise<Buffer>>()

  constructor(blobs: BlobReader, bytesMax = 64 * 1024 * 1024) {
    this.#blobs = blobs
    this.#slices = new Lru(bytesMax)
  }

  get bytes(): number {
    return this.#slices.weight
  }

  /** The slice itself when it is in memory, without the detour of a promise. */
  slice(blob: Blob, index: number): Buffer | Promise<Buffer> {
    const key = `${blob.sha256}${blob.encoding}${index}`
    return this.#slices.get(key) ?? this.#reading.get(key) ?? this.#read(blob, index, key)
  }

  #read(blob: Blob, index: number, key: string): Promise<Buffer> {
    const start = index * SLICE_BYTES
    const end = Math.min(start + SLICE_BYTES, blob.bytes)
    const reading = Promise.try(() => this.#blobs.read(blob.sha256, blob.encoding, start, end))
      .then((slice) => {
        if (slice.length !== end - start) {
          const name = `${blob.sha256} (${blob.encoding})`
          throw new Error(`Blob ${name} has ${slice.length} bytes at ${start}, not ${end - start}.`)
        }
        this.#slices.set(key, slice, slice.length + ENTRY_OVERHEAD_BYTES)
        return slice
      })
      .finally(() => this.#reading.delete(key))
    this.#reading.set(key, reading)
    return reading
  }
}

/** Key, map entry and Buffer object; counted so that a million empty files stay bounded too. */
const ENTRY_OVERHEAD_BYTES = 300
