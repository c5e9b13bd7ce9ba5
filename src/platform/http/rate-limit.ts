import type { Clock } from '../clock.ts'

export interface RateLimit {
  perSecond: number
}

export interface RateDecision {
  allowed: boolean
  /** Whose bucket decides: the one that holds less. */
  by: 'key' | 'project'
  /** Value of the RateLimit header. */
  header: string
  /** Seconds until the bucket holds a whole burst again, or, when refused, until one request is allowed. */
  resetSeconds: number
}

const BURST_SECONDS = 2
const BUCKETS_MAX = 50_000
/** All keys of a project together: more keys are not more requests. */
const KEYS_WORTH_OF_PROJECT = 4

/** A token bucket for each key, `perSecond` tokens a second and a burst of twice that, and one for each project. */
export class RateLimiter {
  readonly policy: string
  readonly #keys: Buckets<string>
  readonly #projects: Buckets<number>
  readonly #clock: Clock

  constructor({ perSecond }: RateLimit, clock: Clock) {
    this.#clock = clock
    this.#keys = new Buckets(perSecond)
    this.#projects = new Buckets(perSecond * KEYS_WORTH_OF_PROJECT)
    this.policy = `"default";q=${this.#keys.burst};w=${BURST_SECONDS}`
  }

  take(keyId: string, projectId: number): RateDecision {
    const now = this.#clock.now()
    const own = this.#keys.filled(keyId, now)
    const all = this.#projects.filled(projectId, now)
    const by = all.tokens < own.tokens ? 'project' : 'key'
    const { bucket, perSecond, burst } =
      by === 'key'
        ? { bucket: own, perSecond: this.#keys.perSecond, burst: this.#keys.burst }
        : { bucket: all, perSecond: this.#projects.perSecond, burst: this.#projects.burst }
    const allowed = bucket.tokens >= 1
    if (allowed) {
      own.tokens -= 1
      all.tokens -= 1
    }
    const missing = allowed ? burst - bucket.tokens : 1 - bucket.tokens
    const resetSeconds = Math.max(1, Math.ceil(missing / perSecond))
    return { allowed, by, header: `"default";r=${Math.floor(bucket.tokens)};t=${resetSeconds}`, resetSeconds }
  }
}

interface Bucket {
  tokens: number
  at: number
}

class Buckets<Key> {
  readonly perSecond: number
  readonly burst: number
  readonly #buckets = new Map<Key, Bucket>()

  constructor(perSecond: number) {
    this.perSecond = perSecond
    this.burst = perSecond * BURST_SECONDS
  }

  filled(key: Key, now: number): Bucket {
    let bucket = this.#buckets.get(key)
    if (!bucket) {
      if (this.#buckets.size >= BUCKETS_MAX) this.#buckets.clear()
      bucket = { tokens: this.burst, at: now }
      this.#buckets.set(key, bucket)
    }
    const refill = Math.max(0, now - bucket.at) * (this.perSecond / 1000)
    bucket.tokens = Math.min(this.burst, bucket.tokens + refill)
    bucket.at = now
    return bucket
  }
}
