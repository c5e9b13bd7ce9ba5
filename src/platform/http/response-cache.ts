import type { Answer } from './operation.ts'

interface Kept {
  readonly answer: Answer
  readonly version: number
}

/**
 * Answers to GETs, each kept under the version of what it tells of. A hit costs no parsing and no query; an answer
 * whose version has passed is never given again, and makes room when its generation goes. Two generations instead of
 * a queue: what is asked for moves into the younger one, and the older one is dropped as a whole.
 */
export class ResponseCache {
  readonly #bytesMax: number
  #young = new Map<string, Kept>()
  #old = new Map<string, Kept>()
  #youngBytes = 0
  #oldBytes = 0
  readonly #askedOnce = new Int32Array(ASKED_ONCE_MAX)

  constructor(bytesMax = 16 * 1024 * 1024) {
    this.#bytesMax = bytesMax
  }

  /** What is kept, counted as it fills memory. */
  get bytes(): number {
    return this.#youngBytes + this.#oldBytes
  }

  /**
   * Whether the question came before, as far as is remembered. What nobody asks for twice is not worth keeping: the
   * garbage collector would carry it along, which cost a tenth of every answer that was not asked before.
   */
  isAskedAgain(question: string): boolean {
    const hash = hashOf(question)
    const place = hash & (ASKED_ONCE_MAX - 1)
    if (this.#askedOnce[place] === hash) return true
    this.#askedOnce[place] = hash
    return false
  }

  find(version: number, question: string): Answer | undefined {
    const young = this.#young.get(question)
    if (young !== undefined) return young.version === version ? young.answer : undefined
    const old = this.#old.get(question)
    if (old === undefined || old.version !== version) return undefined
    this.#old.delete(question)
    this.#oldBytes -= bytesOf(question, old.answer)
    return this.keep(version, question, old.answer)
  }

  /** `version` is the one that was read before the question was asked of the database. */
  keep(version: number, question: string, answer: Answer): Answer {
    const bytes = bytesOf(question, answer)
    const replaced = this.#young.get(question)
    if (replaced) this.#youngBytes -= bytesOf(question, replaced.answer)
    else if (this.#youngBytes + bytes > this.#bytesMax / 2) this.#age()
    this.#youngBytes += bytes
    this.#young.set(question, { answer, version })
    return answer
  }

  #age(): void {
    this.#old = this.#young
    this.#oldBytes = this.#youngBytes
    this.#young = new Map()
    this.#youngBytes = 0
  }
}

/** A power of two; 64 KiB. */
const ASKED_ONCE_MAX = 16 * 1024

/** FNV-1a: two questions with the same hash do no harm. */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return hash
}

/** The headers and the maps; a page of twenty animals is about 1.5 KiB beside them. */
const ENTRY_OVERHEAD_BYTES = 600

/** Beyond Latin a character takes two bytes, and as many again on the wire; the compressed forms are a third. */
const bytesOf = (question: string, { body }: Answer) => 3 * body.length + question.length + ENTRY_OVERHEAD_BYTES
