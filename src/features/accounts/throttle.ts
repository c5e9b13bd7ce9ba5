import { MINUTE_MS, SECOND_MS, type Clock } from '../../platform/clock.ts'
import { PetstoreError } from '../../platform/errors.ts'
import { siteOf } from '../../platform/network.ts'

interface Budget {
  /** Failures in a row before waiting begins. */
  burst: number
  /** One more is allowed every so often. */
  refillMs: number
}

const PER_NETWORK: Budget = { burst: 20, refillMs: 15 * SECOND_MS }
/** A /48 of IPv6 is one customer with 65,536 networks, or a provider with as many customers: worth five networks. */
const PER_SITE: Budget = { burst: 100, refillMs: 3 * SECOND_MS }
const PER_ACCOUNT: Budget = { burst: 20, refillMs: MINUTE_MS }
const PER_DEVICE: Budget = { burst: 20, refillMs: 15 * SECOND_MS }
/** Of those who have the password already: a code of six digits must not be found by trying. */
const PER_SECOND_STEP: Budget = { burst: 10, refillMs: 10 * MINUTE_MS }
const SIGN_UPS_PER_NETWORK: Budget = { burst: 10, refillMs: 5 * MINUTE_MS }
const SIGN_UPS_PER_SITE: Budget = { burst: 50, refillMs: MINUTE_MS }

export interface Attempt {
  /** The guess was right: it does not count. */
  succeeded(): void
}

/**
 * Slows guessing down without locking anybody out. Strangers share one budget for each account, one for each
 * network and one for the site that it is part of; a device on which the person has signed in before has a budget of
 * its own, which strangers cannot use up. Kept in memory: a fleet of n instances allows n times as much, and a restart
 * starts anew.
 */
export class SignInThrottle {
  readonly #networks: Buckets
  readonly #sites: Buckets
  readonly #accounts: Buckets
  readonly #devices: Buckets
  readonly #secondSteps: Buckets
  readonly #signUps: Buckets
  readonly #signUpSites: Buckets

  constructor(clock: Clock) {
    this.#networks = new Buckets(PER_NETWORK, clock)
    this.#sites = new Buckets(PER_SITE, clock)
    this.#accounts = new Buckets(PER_ACCOUNT, clock)
    this.#devices = new Buckets(PER_DEVICE, clock)
    this.#secondSteps = new Buckets(PER_SECOND_STEP, clock)
    this.#signUps = new Buckets(SIGN_UPS_PER_NETWORK, clock)
    this.#signUpSites = new Buckets(SIGN_UPS_PER_SITE, clock)
  }

  /** Counts an attempt, or refuses it. `device` is set where the account knows the device. */
  attempt({ email, network, device }: { email: string; network: string; device?: string | undefined }): Attempt {
    const buckets: Bucket[] =
      device === undefined
        ? [[this.#accounts, email], ...ofNetwork(network, this.#networks, this.#sites)]
        : [[this.#devices, device]]
    return attemptOn(buckets)
  }

  /** A code or passkey after the right password; a device that the account knows has a budget of its own. */
  secondStep(accountId: string, device: string | undefined): Attempt {
    return attemptOn([[this.#secondSteps, `${accountId} ${device ?? ''}`]])
  }

  /** For accounts that are created without an invitation. */
  signUp(network: string): void {
    const buckets = ofNetwork(network, this.#signUps, this.#signUpSites)
    takeAll(buckets, 'Too many accounts were created from your network')
  }
}

type Bucket = readonly [Buckets, key: string]

function ofNetwork(network: string, networks: Buckets, sites: Buckets): Bucket[] {
  const site = siteOf(network)
  return site === undefined
    ? [[networks, network]]
    : [
        [networks, network],
        [sites, site],
      ]
}

/** One of each, or none of any. */
function takeAll(buckets: readonly Bucket[], refusal: string): void {
  const waitMs = Math.max(...buckets.map(([kind, key]) => kind.waitMs(key)))
  if (waitMs > 0) throw tooMany(refusal, waitMs)
  for (const [kind, key] of buckets) kind.take(key)
}

function attemptOn(buckets: readonly Bucket[]): Attempt {
  takeAll(buckets, 'Too many attempts to sign in')
  return {
    succeeded() {
      for (const [kind, key] of buckets) kind.giveBack(key)
    },
  }
}

const KEYS_MAX = 50_000

/** Token buckets. A key that has not been seen has a full one, so that full ones need not be kept. */
class Buckets {
  readonly #budget: Budget
  readonly #clock: Clock
  readonly #buckets = new Map<string, { tokens: number; at: number }>()

  constructor(budget: Budget, clock: Clock) {
    this.#budget = budget
    this.#clock = clock
  }

  waitMs(key: string): number {
    const tokens = this.#tokens(key)
    return tokens >= 1 ? 0 : Math.ceil((1 - tokens) * this.#budget.refillMs)
  }

  take(key: string): void {
    this.#set(key, this.#tokens(key) - 1)
  }

  giveBack(key: string): void {
    this.#set(key, this.#tokens(key) + 1)
  }

  #tokens(key: string): number {
    const bucket = this.#buckets.get(key)
    if (!bucket) return this.#budget.burst
    const refill = Math.max(0, this.#clock.now() - bucket.at) / this.#budget.refillMs
    return Math.min(this.#budget.burst, bucket.tokens + refill)
  }

  #set(key: string, tokens: number): void {
    // Written anew each time, so that the first key of the map is the one that has rested longest.
    this.#buckets.delete(key)
    if (tokens >= this.#budget.burst) return
    if (this.#buckets.size >= KEYS_MAX) this.#buckets.delete(this.#buckets.keys().next().value as string)
    this.#buckets.set(key, { tokens, at: this.#clock.now() })
  }
}

function tooMany(what: string, waitMs: number): PetstoreError {
  const seconds = Math.ceil(waitMs / SECOND_MS)
  const wait = seconds === 1 ? 'a second' : `${seconds} seconds`
  return new PetstoreError('rate_limited', `${what}: wait ${wait} and try again.`, {
    headers: { 'Retry-After': String(seconds) },
  })
}
