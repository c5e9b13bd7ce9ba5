import type { Answer } from './operation.ts'

/** A GET: the path and query of one tenant. */
export interface Question {
  readonly tenant: string
  readonly url: string
  readonly hash: number
}

interface Kept extends Question {
  readonly answer: Answer
  readonly version: number
  /** It has been asked for at least twice under this version. */
  isAskedAgain: boolean
}

/**
 * Answers to GETs, each kept under the version of what it tells of. A hit costs no parsing and no query; an answer
 * whose version has passed is never given again, and makes room when its generation goes. Two generations instead of
 * a queue: what is asked for moves into the younger one, and the older one is dropped as a whole.
 *
 * Found by a hash of our own, because joining two texts and having the engine hash them costs more than all the rest.
 */
export class ResponseCache {
  readonly #bytesMax: number
  #young = new Map<number, Kept>()
  #old = new Map<number, Kept>()
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

  find(version: number, question: Question): Answer | undefined {
    const { hash } = question
    const young = this.#young.get(hash)
    const kept = young ?? this.#old.get(hash)
    if (kept === undefined || !isTo(kept, question) || kept.version !== version) return undefined
    kept.isAskedAgain = true
    if (young === undefined) {
      this.#old.delete(hash)
      this.#oldBytes -= bytesOf(kept)
      this.#put(kept)
    }
    return kept.answer
  }

  /**
   * Keeps what has been asked for before under the same version, as far as is remembered, or was asked for twice under
   * the one that was kept last; says whether it did. What nobody asks for twice until it changes is not worth keeping:
   * the garbage collector would carry it along, which cost a tenth of every answer that was not asked before. `version`
   * is the one that was read before the question was asked of the database.
   */
  keepIfAskedAgain(version: number, question: Question, answer: Answer): boolean {
    const { tenant, url, hash } = question
    const place = hash & (ASKED_ONCE_MAX - 1)
    const mark = hash ^ Math.imul(version, 0x9e3779b1)
    const isAskedAgain = this.#askedOnce[place] === mark
    const isKept = isAskedAgain || this.#wasAskedAgain(question)
    if (isKept) this.#put({ tenant, url, hash, answer, version, isAskedAgain })
    else this.#askedOnce[place] = mark
    return isKept
  }

  #wasAskedAgain(question: Question): boolean {
    const before = this.#young.get(question.hash) ?? this.#old.get(question.hash)
    return before !== undefined && before.isAskedAgain && isTo(before, question)
  }

  #put(kept: Kept): void {
    const { hash } = kept
    const bytes = bytesOf(kept)
    const replaced = this.#young.get(hash)
    // Also where something stands in its place: that may have been much less.
    if (replaced) {
      this.#youngBytes -= bytesOf(replaced)
      this.#young.delete(hash)
    }
    if (this.#youngBytes + bytes > this.#bytesMax / 2) this.#age()
    this.#youngBytes += bytes
    this.#young.set(hash, kept)
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

const isTo = (kept: Kept, { tenant, url }: Question) => kept.url === url && kept.tenant === tenant

/** With a hash by FNV-1a. */
export function questionOf(tenant: string, url: string): Question {
  let hash = 0x811c9dc5
  for (let at = 0; at < tenant.length; at++) hash = Math.imul(hash ^ tenant.charCodeAt(at), 0x01000193)
  for (let at = 0; at < url.length; at++) hash = Math.imul(hash ^ url.charCodeAt(at), 0x01000193)
  return { tenant, url, hash }
}

/** The headers and the maps; a page of twenty animals is about 1.5 KiB beside them. */
const ENTRY_OVERHEAD_BYTES = 600

/** Beyond Latin a character takes two bytes, and as many again on the wire; the compressed forms are a third. */
const bytesOf = ({ url, answer }: Kept) => 3 * answer.body.length + url.length + ENTRY_OVERHEAD_BYTES
