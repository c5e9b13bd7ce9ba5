import { createHash, type Hash } from 'node:crypto'

/** The hash of a file's beginning, for ends that grow: it is fed chunks and asked at the ends of rows within them. */
export class PrefixHash {
  #hash: Hash
  #hashedBytes = 0
  #pending: Buffer[] = []

  constructor(format: string) {
    this.#hash = createHash('sha256').update(`${format}\n`)
  }

  add(chunk: Buffer): void {
    this.#pending.push(chunk)
  }

  /** Of the first `bytes` of the file; what lies before cannot be asked for again. */
  at(bytes: number): string {
    while (this.#hashedBytes < bytes) {
      const chunk = this.#pending.shift()
      if (!chunk) throw new Error(`Only ${this.#hashedBytes} bytes were given, not ${bytes}.`)
      const part = chunk.subarray(0, bytes - this.#hashedBytes)
      this.#hash.update(part)
      this.#hashedBytes += part.length
      if (part.length < chunk.length) this.#pending.unshift(chunk.subarray(part.length))
    }
    return this.#hash.copy().digest('hex')
  }
}
