/** Who waits, by names that go round: those of one name in the order in which they came. */
export class Line {
  readonly #waiting = new Map<string, (() => void)[]>()
  #length = 0

  get length(): number {
    return this.#length
  }

  lengthOf(whose: string): number {
    return this.#waiting.get(whose)?.length ?? 0
  }

  push(whose: string, start: () => void): void {
    this.#waiting.getOrInsertComputed(whose, () => []).push(start)
    this.#length++
  }

  shift(): (() => void) | undefined {
    const [first] = this.#waiting
    if (first === undefined) return undefined
    const [whose, [start, ...others]] = first
    this.#waiting.delete(whose)
    if (others.length > 0) this.#waiting.set(whose, others)
    this.#length--
    return start
  }
}
