import { giveBack } from '../../platform/storage/give-back.ts'

/** Bytes whose memory is given back as soon as the cache has dropped them and nobody sends them any more. */
export class Slice {
  readonly bytes: Buffer
  #senders = 0
  #isDropped = false

  constructor(bytes: Buffer) {
    this.bytes = bytes
  }

  /**
   * Before they are sent. What comes back is to be called when the system has taken all of them; where nobody can tell
   * when that is, it is left to the collection of garbage.
   */
  hold(): () => void {
    this.#senders++
    return () => {
      this.#senders--
      this.#giveBack()
    }
  }

  /** Whoever was promised the slice holds it before this turn is over. */
  drop(): void {
    this.#isDropped = true
    setImmediate(() => this.#giveBack())
  }

  #giveBack(): void {
    if (this.#isDropped && this.#senders === 0) giveBack(this.bytes)
  }
}
