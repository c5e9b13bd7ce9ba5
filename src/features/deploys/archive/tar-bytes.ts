import type { FileHandle } from 'node:fs/promises'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import type { DeployMeter } from './limits.ts'

export interface TarSource {
  file: FileHandle
  archiveBytes: number
  format: 'tar' | 'tar.gz'
}

/** The bytes of a tar after gunzip, counted while they pass, so that a bomb is defused before it has grown. */
export class Unpacked implements AsyncIterable<Buffer> {
  /** Told by the reader: the last entry seen, and where its content ends. */
  lastName: string | undefined
  entriesEnd = 0

  readonly #source: TarSource
  readonly #meter: DeployMeter
  #bytes = 0
  #lastNonZeroEnd = 0

  constructor(source: TarSource, meter: DeployMeter) {
    this.#source = source
    this.#meter = meter
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Buffer> {
    const spooled = this.#source.file.createReadStream({ start: 0, autoClose: false, highWaterMark: CHUNK_BYTES })
    const chunks = this.#source.format === 'tar' ? spooled : gunzipWhole(spooled, this.#source.archiveBytes)
    for await (const chunk of chunks as AsyncIterable<Buffer>) {
      const nonZeroBytes = lengthWithoutZeros(chunk)
      if (nonZeroBytes > 0) this.#lastNonZeroEnd = this.#bytes + nonZeroBytes
      this.#bytes += chunk.length
      this.#meter.checkInflatedBytes(this.#bytes, this.lastName)
      yield chunk
    }
  }

  /** Zeros end a tar. Without them it was cut between two files, which nothing else would show. */
  refuseWithoutEndMark(): void {
    if (this.#lastNonZeroEnd > this.entriesEnd) throw new Error('there is data behind the last entry')
    if (this.#bytes < this.entriesEnd + END_MARK_BYTES_MIN) throw new Error('the end mark is missing')
  }
}

async function* gunzipWhole(packed: NodeJS.ReadableStream, packedBytes: number): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES })
  // A failure reaches the loop below through the stream itself.
  pipeline(packed, gunzip, () => {})
  for await (const chunk of gunzip) yield chunk
  // Node leaves out zeros behind the compressed data without a word.
  if (gunzip.bytesWritten !== packedBytes) throw new Error('there is data behind the compressed part')
}

function lengthWithoutZeros(chunk: Buffer): number {
  let length = chunk.length
  while (length > 0 && chunk[length - 1] === 0) length -= 1
  return length
}

const CHUNK_BYTES = 64 * 1024
/** Two blocks by the book; writers that leave it at one exist. */
const END_MARK_BYTES_MIN = 512
