import { type Bucket, type Budget, fullBucket, refill } from './bucket.ts'
import type { LimitExchange } from './exchange.ts'

/** Those that were asked for last; others are taken for full, or found again through the exchange. */
const RECENT_MAX = 25_000

/** Token buckets of one kind, one for each key. */
export class TokenBuckets {
  readonly #kind: string
  readonly #budget: Budget
  readonly #exchange: LimitExchange | undefined
  #recent = new Map<string | number, Bucket>()
  #earlier = new Map<string | number, Bucket>()

  constructor(kind: string, budget: Budget, exchange: LimitExchange | undefined) {
    this.#kind = kind
    this.#budget = budget
    this.#exchange = exchange
  }

  /** As it stands now. */
  of(key: string | number, now: number): Bucket {
    const bucket = this.#recent.get(key) ?? this.#remember(key, now)
    refill(bucket, now)
    return bucket
  }

  /** The same for whoever may use none of it: a key of which nothing has been used takes no other's place. */
  look(key: string | number, now: number): Bucket {
    const isKnown = this.#recent.has(key) || this.#earlier.has(key)
    return isKnown ? this.of(key, now) : this.#full(key, now)
  }

  use(bucket: Bucket, amount = 1): void {
    bucket.tokens -= amount
    if (!this.#exchange) return
    bucket.untold += amount
    this.#exchange.used(bucket)
  }

  #remember(key: string | number, now: number): Bucket {
    if (this.#recent.size >= RECENT_MAX) {
      this.#earlier = this.#recent
      this.#recent = new Map()
    }
    const bucket = this.#earlier.get(key) ?? this.#full(key, now)
    this.#recent.set(key, bucket)
    return bucket
  }

  #full(key: string | number, now: number): Bucket {
    return fullBucket(`${this.#kind} ${key}`, this.#budget, now)
  }
}
