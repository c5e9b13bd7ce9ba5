/** A few places for work that takes much of what all share: whoever waits gets one in turns, however much they want. */
export class FairPlaces {
  #free: number
  /** Those who wait for each name, which go round in their order. */
  readonly #waiting = new Map<string, (() => void)[]>()

  constructor(places: number) {
    this.#free = places
  }

  /** A place in the turn of `whose` work it is, until it is disposed of. */
  async take(whose: string): Promise<Disposable> {
    if (this.#free > 0) this.#free -= 1
    else await new Promise<void>((resolve) => this.#waiting.getOrInsertComputed(whose, () => []).push(resolve))
    let isTaken = true
    return {
      [Symbol.dispose]: () => {
        if (isTaken) this.#passOn()
        isTaken = false
      },
    }
  }

  #passOn(): void {
    const [next] = this.#waiting
    if (next === undefined) {
      this.#free += 1
      return
    }
    const [whose, [begin, ...others]] = next
    this.#waiting.delete(whose)
    if (others.length > 0) this.#waiting.set(whose, others)
    begin?.()
  }
}
