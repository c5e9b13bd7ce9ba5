import { Line } from './line.ts'

/** A few places for work that takes much of what all share: whoever waits gets one in turns, however much they want. */
export class FairPlaces {
  #free: number
  readonly #waiting = new Line()

  constructor(places: number) {
    this.#free = places
  }

  /** A place in the turn of `whose` work it is, until it is disposed of. */
  async take(whose: string): Promise<Disposable> {
    if (this.#free > 0) this.#free -= 1
    else await new Promise<void>((resolve) => this.#waiting.push(whose, resolve))
    let isTaken = true
    return {
      [Symbol.dispose]: () => {
        if (isTaken) this.#passOn()
        isTaken = false
      },
    }
  }

  #passOn(): void {
    const begin = this.#waiting.shift()
    if (begin) begin()
    else this.#free += 1
  }
}
