import type { FileHandle } from 'node:fs/promises'
import { RandomAccessReader } from 'yauzl'

/**
 * yauzl's own reader hands any 64-bit position of the archive to `fs.read`, which throws outside of every handler for
 * positions above 2^53 and so would end the process. This one answers them, and reads ahead for the many small reads.
 */
export class SpoolReader extends RandomAccessReader {
  readonly #file: FileHandle
  readonly #fileBytes: number
  #window = { start: 0, bytes: Buffer.alloc(0) }

  constructor(file: FileHandle, fileBytes: number) {
    super()
    this.#file = file
    this.#fileBytes = fileBytes
  }

  override read(
    target: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null, bytesRead?: number) => void,
  ): void {
    if (!(position >= 0 && position + length <= this.#fileBytes)) {
      setImmediate(callback, new Error('a header points outside of the archive'))
      return
    }
    this.#readAhead(position, length).then(
      (bytes) => process.nextTick(callback, null, bytes.copy(target, offset, 0, length)),
      (error) => process.nextTick(callback, error),
    )
  }

  async #readAhead(position: number, length: number): Promise<Buffer> {
    const { start, bytes } = this.#window
    const isInWindow = position >= start && position + length <= start + bytes.length
    if (isInWindow) return bytes.subarray(position - start)
    const ahead = Buffer.allocUnsafe(Math.max(length, READ_AHEAD_BYTES))
    const { bytesRead } = await this.#file.read(ahead, 0, ahead.length, position)
    this.#window = { start: position, bytes: ahead.subarray(0, bytesRead) }
    return this.#window.bytes
  }
}

const READ_AHEAD_BYTES = 4096
