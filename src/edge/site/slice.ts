import { giveBack } from '../../platform/storage/give-back.ts'
import type { Held, Unsent } from './unsent.ts'

export interface Visitor {
  readonly isGone: boolean
  /** What bytes leave by, a connection or a stream of HTTP/2, where nobody else tells when that has ended. */
  readonly way: Way | undefined
  readonly network: string
  /** Ends the answer, so that they see that the rest is missing. */
  cut(): void
}

interface Way {
  once(event: 'close', listener: () => void): unknown
  off(event: 'close', listener: () => void): unknown
}

/**
 * Somebody who sends a slice, linked to whoever began before and after. A set would make itself a new table every
 * hundred sendings, and the one that it leaves keeps everybody in it, streams and all, until the next great collection
 * of garbage: a fifth of the processor time of a small file over HTTP/2.
 */
interface Sending {
  readonly visitor: Visitor
  readonly end: (isSent: boolean) => void
  isUnderWay: boolean
  before: Sending | undefined
  after: Sending | undefined
}

/** Bytes whose memory is given back as soon as the cache has dropped them and nobody sends them any more. */
export class Slice implements Held {
  readonly bytes: Buffer
  readonly #unsent: Unsent
  #first: Sending | undefined
  #last: Sending | undefined
  #isDropped = false
  /** Where nobody can tell when the system has taken all of them, they are left to the collection of garbage. */
  #isInDoubt = false

  constructor(bytes: Buffer, unsent: Unsent) {
    this.bytes = bytes
    this.#unsent = unsent
  }

  /** Before they are sent. What comes back is told whether the system has taken all of them; a broken way has not. */
  hold(visitor: Visitor): (isSent: boolean) => void {
    if (visitor.isGone) {
      this.#isInDoubt = true
      return () => {}
    }
    const { way } = visitor
    const leave = () => end(false)
    const end = (isSent: boolean) => {
      if (!sending.isUnderWay) return
      this.#unlink(sending)
      way?.off('close', leave)
      if (!isSent) this.#isInDoubt = true
      if (this.#first) return
      this.#unsent.remove(this)
      this.#giveBack()
    }
    const sending: Sending = { visitor, end, isUnderWay: true, before: this.#last, after: undefined }
    way?.once('close', leave)
    if (this.#last) this.#last.after = sending
    else this.#first = sending
    this.#last = sending
    if (this.#isDropped) this.#unsent.add(this, visitor.network)
    return end
  }

  /** Whoever was promised the slice holds it before this turn is over. */
  drop(): void {
    this.#isDropped = true
    if (this.#first) this.#unsent.add(this, this.#first.visitor.network)
    setImmediate(() => this.#giveBack())
  }

  cut(): void {
    while (this.#first) {
      const { visitor, end } = this.#first
      end(false)
      visitor.cut()
    }
  }

  /** Whoever has ended leads to nobody any more: a link would keep those alive, too. */
  #unlink(sending: Sending): void {
    const { before, after } = sending
    if (before) before.after = after
    else this.#first = after
    if (after) after.before = before
    else this.#last = before
    sending.isUnderWay = false
    sending.before = undefined
    sending.after = undefined
  }

  #giveBack(): void {
    if (this.#isDropped && !this.#first && !this.#isInDoubt) giveBack(this.bytes)
  }
}
