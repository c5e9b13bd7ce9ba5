import { createHash } from 'node:crypto'

/** The hash of a file's beginning, up to an end that moves: fed with chunks, and moved to the ends of rows in them. */
export class PrefixHash {
  readonly #hash
  #bytes = 0
  #pending: Buffer[] = []

  constructor(format: string) {
    this.#hash = createHash('sha256').update(`${format}\n`)
  }

  add(chunk: Buffer): void {
    this.#pending.push(chunk)
  }

  moveTo(bytes: number): void {
    while (this.#bytes < bytes) {
      const chunk = this.#pending.shift()
      if (!chunk) throw new Error(`Only ${this.#bytes} bytes were given, not ${bytes}.`)
      const part = chunk.subarray(0, bytes - this.#bytes)
      this.#hash.update(part)
      this.#bytes += part.length
      if (part.length < chunk.length) this.#pending.unshift(chunk.subarray(part.length))
    }
  }

  digest(): string {
    return this.#hash.copy().digest('hex')
  }
}
