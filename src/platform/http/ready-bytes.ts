/** Counted with the key and the headers; one page of twenty animals is about 2 KiB. */
const ENTRY_OVERHEAD_BYTES = 500

export interface SizedAnswer {
  readonly body: { readonly byteLength: number }
}

/**
 * Answers kept as ready bytes while nothing has been committed: exact, because any commit of any process
 * changes the storage version and empties it.
 */
export class ReadyBytes<Answer extends SizedAnswer> {
  readonly #bytesMax: number
  #answers = new Map<string, Answer>()
  #bytes = 0
  #version: number | undefined

  constructor(bytesMax = 16 * 1024 * 1024) {
    this.#bytesMax = bytesMax
  }

  get(version: number | undefined, key: string): Answer | undefined {
    if (version === undefined) return undefined
    if (version !== this.#version) {
      this.#empty()
      this.#version = version
      return undefined
    }
    return this.#answers.get(key)
  }

  /** `version` is the one that was read before the question was asked of the database. */
  keep(version: number | undefined, key: string, answer: Answer): void {
    if (version === undefined || version !== this.#version) return
    const bytes = answer.body.byteLength + key.length + ENTRY_OVERHEAD_BYTES
    if (this.#bytes + bytes > this.#bytesMax) this.#empty()
    this.#bytes += bytes
    this.#answers.set(key, answer)
  }

  #empty(): void {
    this.#answers = new Map()
    this.#bytes = 0
  }
}
