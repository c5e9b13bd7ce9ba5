import { giveBack } from '../../platform/storage/give-back.ts'
import type { Held, Unsent } from './unsent.ts'

export interface Visitor {
  /** What bytes leave by: a connection, or a stream of HTTP/2. */
  readonly way: Way
  readonly network: string
  /** Ends the answer, so that they see that the rest is missing. */
  cut(): void
}

interface Way {
  readonly destroyed: boolean
  once(event: 'close', listener: () => void): unknown
  off(event: 'close', listener: () => void): unknown
}

interface Sending {
  visitor: Visitor
  end: (isSent: boolean) => void
}

/** Bytes whose memory is given back as soon as the cache has dropped them and nobody sends them any more. */
export class Slice implements Held {
  readonly bytes: Buffer
  readonly #unsent: Unsent
  readonly #sendings = new Set<Sending>()
  #isDropped = false
  /** Where nobody can tell when the system has taken all of them, they are left to the collection of garbage. */
  #isInDoubt = false

  constructor(bytes: Buffer, unsent: Unsent) {
    this.bytes = bytes
    this.#unsent = unsent
  }

  /** Before they are sent. What comes back is told whether the system has taken all of them; a broken way has not. */
  hold(visitor: Visitor): (isSent: boolean) => void {
    const { way } = visitor
    if (way.destroyed) {
      this.#isInDoubt = true
      return () => {}
    }
    const leave = () => end(false)
    const end = (isSent: boolean) => {
      if (!this.#sendings.delete(sending)) return
      way.off('close', leave)
      if (!isSent) this.#isInDoubt = true
      if (this.#sendings.size > 0) return
      this.#unsent.remove(this)
      this.#giveBack()
    }
    const sending = { visitor, end }
    way.once('close', leave)
    this.#sendings.add(sending)
    if (this.#isDropped) this.#unsent.add(this, visitor.network)
    return end
  }

  /** Whoever was promised the slice holds it before this turn is over. */
  drop(): void {
    this.#isDropped = true
    const [first] = this.#sendings
    if (first) this.#unsent.add(this, first.visitor.network)
    setImmediate(() => this.#giveBack())
  }

  cut(): void {
    for (const { visitor, end } of this.#sendings) {
      end(false)
      visitor.cut()
    }
  }

  #giveBack(): void {
    if (this.#isDropped && this.#sendings.size === 0 && !this.#isInDoubt) giveBack(this.bytes)
  }
}
