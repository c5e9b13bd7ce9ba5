import type { Answer } from './operation.ts'

/** Counted with the key and the headers; one page of twenty animals is about 2 KiB. */
const ENTRY_OVERHEAD_BYTES = 600

interface Ready<Operation> {
  readonly operation: Operation
  readonly answer: Answer
}

/**
 * Answers to GETs, kept while nothing has been committed: exact, because any commit of any process changes
 * the storage version and empties it. A hit costs no routing, no parsing and no query.
 */
export class ResponseCache<Operation> {
  readonly #bytesMax: number
  #ready = new Map<string, Ready<Operation>>()
  #bytes = 0
  #version: number | undefined

  constructor(bytesMax = 16 * 1024 * 1024) {
    this.#bytesMax = bytesMax
  }

  find(version: number, question: string): Ready<Operation> | undefined {
    if (version === this.#version) return this.#ready.get(question)
    this.#empty()
    this.#version = version
    return undefined
  }

  /** `version` is the one that was read before the question was asked of the database. */
  keep(version: number, question: string, operation: Operation, answer: Answer): void {
    if (version !== this.#version) return
    const bytes = 2 * answer.body.length + question.length + ENTRY_OVERHEAD_BYTES
    if (this.#bytes + bytes > this.#bytesMax) this.#empty()
    this.#bytes += bytes
    this.#ready.set(question, { operation, answer })
  }

  #empty(): void {
    if (this.#bytes === 0) return
    this.#ready = new Map()
    this.#bytes = 0
  }
}
