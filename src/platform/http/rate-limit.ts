import { type Clock, SECOND_MS } from '../clock.ts'
import type { LimitExchange } from '../limits/exchange.ts'
import { TokenBuckets } from '../limits/token-buckets.ts'

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
/** All keys of a project together: more keys are not more requests. */
const KEYS_WORTH_OF_PROJECT = 4

/** A token bucket for each key, `perSecond` tokens a second and a burst of twice that, and one for each project. */
export class RateLimiter {
  readonly policy: string
  readonly #keys: TokenBuckets
  readonly #projects: TokenBuckets
  readonly #clock: Clock

  constructor({ perSecond }: RateLimit, clock: Clock, exchange?: LimitExchange) {
    this.#clock = clock
    const buckets = (kind: string, rate: number) =>
      new TokenBuckets(kind, { burst: rate * BURST_SECONDS, refillMs: SECOND_MS / rate }, exchange)
    this.#keys = buckets('key', perSecond)
    this.#projects = buckets('project', perSecond * KEYS_WORTH_OF_PROJECT)
    this.policy = `"default";q=${perSecond * BURST_SECONDS};w=${BURST_SECONDS}`
  }

  take(keyId: string, projectId: number): RateDecision {
    const now = this.#clock.now()
    const own = this.#keys.of(keyId, now)
    const all = this.#projects.of(projectId, now)
    const by = all.tokens < own.tokens ? 'project' : 'key'
    const bucket = by === 'key' ? own : all
    const allowed = bucket.tokens >= 1
    if (allowed) {
      this.#keys.use(own)
      this.#projects.use(all)
    }
    const { burst, refillMs } = bucket.budget
    const missing = allowed ? burst - bucket.tokens : 1 - bucket.tokens
    const resetSeconds = Math.max(1, Math.ceil((missing * refillMs) / SECOND_MS))
    const left = Math.max(0, Math.floor(bucket.tokens))
    return { allowed, by, header: `"default";r=${left};t=${resetSeconds}`, resetSeconds }
  }
}
