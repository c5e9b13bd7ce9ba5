import type { Clock } from '../clock.ts'

export interface RateLimit {
  perSecond: number
}

export interface RateDecision {
  allowed: boolean
  /** Value of the RateLimit header. */
  header: string
  /** Seconds until the bucket holds a whole burst again, or, when refused, until one request is allowed. */
  resetSeconds: number
}

const BURST_SECONDS = 2
const BUCKETS_MAX = 50_000

/** A token bucket for each key: `perSecond` tokens a second, a burst of twice that. */
export class RateLimiter {
  readonly policy: string
  readonly #perSecond: number
  readonly #burst: number
  readonly #clock: Clock
  readonly #buckets = new Map<string, { tokens: number; at: number }>()

  constructor(limit: RateLimit, clock: Clock) {
    this.#perSecond = limit.perSecond
    this.#burst = limit.perSecond * BURST_SECONDS
    this.#clock = clock
    this.policy = `"default";q=${this.#burst};w=${BURST_SECONDS}`
  }

  take(key: string): RateDecision {
    const now = this.#clock.now()
    let bucket = this.#buckets.get(key)
    if (!bucket) {
      if (this.#buckets.size >= BUCKETS_MAX) this.#buckets.clear()
      bucket = { tokens: this.#burst, at: now }
      this.#buckets.set(key, bucket)
    }
    const refill = Math.max(0, now - bucket.at) * (this.#perSecond / 1000)
    bucket.tokens = Math.min(this.#burst, bucket.tokens + refill)
    bucket.at = now
    const allowed = bucket.tokens >= 1
    if (allowed) bucket.tokens -= 1
    const missing = allowed ? this.#burst - bucket.tokens : 1 - bucket.tokens
    const resetSeconds = Math.max(1, Math.ceil(missing / this.#perSecond))
    return { allowed, header: `"default";r=${Math.floor(bucket.tokens)};t=${resetSeconds}`, resetSeconds }
  }
}
