import { randomInt } from 'node:crypto'
import type { Clock } from '../../clock.ts'
import { networkOf } from '../../network.ts'

interface ReplyRateOptions {
  perSecond?: number
  slots?: number
}

/**
 * How many datagrams one network gets back: an address can be forged, and whoever it belongs to should not suffer from
 * what this server sends. Beyond the rate every second question is told to come over TCP, which forgers cannot, and
 * the others get nothing. Networks that share a slot share its rate; nobody outside knows which do.
 */
export class ReplyRate {
  readonly #clock: Pick<Clock, 'now'>
  readonly #perSecond: number
  readonly #seed = randomInt(2 ** 32)
  /** When the slot would be empty again, in milliseconds. */
  readonly #fullUntil: Float64Array
  readonly #slipped: Uint8Array

  constructor(clock: Pick<Clock, 'now'>, { perSecond = PER_SECOND, slots = SLOTS }: ReplyRateOptions = {}) {
    this.#clock = clock
    this.#perSecond = perSecond
    this.#fullUntil = new Float64Array(slots)
    this.#slipped = new Uint8Array(slots)
  }

  take(address: string): 'answer' | 'slip' | 'drop' {
    const slot = this.#slotOf(address)
    const now = this.#clock.now()
    const until = Math.max(this.#fullUntil[slot]!, now) + 1000 / this.#perSecond
    if (until - now <= BURST_MS) {
      this.#fullUntil[slot] = until
      return 'answer'
    }
    this.#slipped[slot]! ^= 1
    return this.#slipped[slot] === 1 ? 'slip' : 'drop'
  }

  /** A /24 of IPv4, a /64 of IPv6. */
  #slotOf(address: string): number {
    const dot = address.lastIndexOf('.')
    const network = dot === -1 ? networkOf(address) : address.slice(0, dot)
    let hash = this.#seed
    for (let index = 0; index < network.length; index++) {
      hash = Math.imul(hash ^ network.charCodeAt(index), 0x0100_0193)
    }
    return ((hash ^ (hash >>> 15)) >>> 0) % this.#fullUntil.length
  }
}

/** An authority's resolvers ask some dozens of questions for an order. */
const PER_SECOND = 200
const BURST_MS = 2000
/** 288 KiB. */
const SLOTS = 32_768
