import type { Answer } from './operation.ts'

/** Counted with the key and the headers; one page of twenty animals is about 2 KiB. */
const ENTRY_OVERHEAD_BYTES = 600

/**
 * Answers to GETs, kept while nothing has been committed: exact, because any commit of any process changes
 * the storage version and empties it. A hit costs no parsing and no query.
 */
export class ResponseCache {
  readonly #bytesMax: number
  #answers = new Map<string, Answer>()
  #bytes = 0
  #version: number | undefined

  constructor(bytesMax = 16 * 1024 * 1024) {
    this.#bytesMax = bytesMax
  }

  find(version: number, question: string): Answer | undefined {
    if (version === this.#version) return this.#answers.get(question)
    this.#empty()
    this.#version = version
    return undefined
  }

  /** `version` is the one that was read before the question was asked of the database. */
  keep(version: number, question: string, answer: Answer): Answer {
    if (version !== this.#version) return answer
    const bytes = 2 * answer.body.length + question.length + ENTRY_OVERHEAD_BYTES
    if (this.#bytes + bytes > this.#bytesMax) this.#empty()
    this.#bytes += bytes
    this.#answers.set(question, answer)
    return answer
  }

  #empty(): void {
    if (this.#bytes === 0) return
    this.#answers = new Map()
    this.#bytes = 0
  }
}
