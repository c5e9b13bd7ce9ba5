import { type Clock, MINUTE_MS, SECOND_MS } from './clock.ts'
import { PetstoreError } from './errors.ts'

export interface ShareLimits {
  /** Pieces of work under way at once. */
  atOnce: number
  /** What may be used in one go, and how much of it comes back in a minute. */
  burst: number
  perMinute: number
}

/** A place that ends with `using`; or when another try has a chance. */
export type Entry = ({ ok: true } & Disposable) | { ok: false; why: 'busy' | 'used up'; retryAfterMs: number }

interface Account {
  left: number
  at: number
  atOnce: number
}

const ACCOUNTS_MAX = 10_000
/** When a place becomes free is not known. */
const BUSY_MS = SECOND_MS

/**
 * What each project, or each person, may take of something that all share: places, and an amount that comes back with
 * time. Kept in memory, so it is a share of this process.
 */
export class Share<Id extends number | string = number> {
  readonly limits: ShareLimits
  /** As sentences call whoever has the share. */
  readonly holder: 'project' | 'account'
  readonly #clock: Pick<Clock, 'now'>
  readonly #accounts = new Map<Id, Account>()

  constructor(limits: ShareLimits, clock: Pick<Clock, 'now'>, holder: 'project' | 'account' = 'project') {
    this.limits = limits
    this.holder = holder
    this.#clock = clock
  }

  /** Takes a place and uses `amount`, which is given when it is known beforehand. */
  enter(id: Id, amount = 1): Entry {
    const retryAfterMs = this.waitMs(id, amount)
    if (retryAfterMs > 0) return { ok: false, why: 'used up', retryAfterMs }
    const account = this.#accountOf(id)
    if (account.atOnce >= this.limits.atOnce) return { ok: false, why: 'busy', retryAfterMs: BUSY_MS }
    account.left -= amount
    account.atOnce += 1
    let isOpen = true
    return {
      ok: true,
      [Symbol.dispose]() {
        if (isOpen) account.atOnce -= 1
        isOpen = false
      },
    }
  }

  /** Until so much is left, or anything at all; 0 when it is. */
  waitMs(id: Id, amount = 0): number {
    const missing = Math.max(amount, Number.MIN_VALUE) - this.#accountOf(id).left
    if (missing <= 0) return 0
    return Math.max(SECOND_MS, Math.ceil((missing / this.limits.perMinute) * MINUTE_MS))
  }

  /** What work has really used; whoever took more than was left waits until it has come back. */
  charge(id: Id, amount: number): void {
    this.#accountOf(id).left -= amount
  }

  used(id: Id): number {
    return Math.ceil(this.limits.burst - this.#accountOf(id).left)
  }

  #accountOf(id: Id): Account {
    const now = this.#clock.now()
    const { burst, perMinute } = this.limits
    const account = this.#accounts.get(id) ?? this.#open(id, now)
    const refill = (Math.max(0, now - account.at) / MINUTE_MS) * perMinute
    account.left = Math.min(burst, account.left + refill)
    account.at = now
    return account
  }

  #open(id: Id, now: number): Account {
    if (this.#accounts.size >= ACCOUNTS_MAX) this.#forgetIdle(now)
    const account = { left: this.limits.burst, at: now, atOnce: 0 }
    this.#accounts.set(id, account)
    return account
  }

  #forgetIdle(now: number): void {
    const { burst, perMinute } = this.limits
    for (const [id, { left, at, atOnce }] of this.#accounts) {
      const isFull = left + ((now - at) / MINUTE_MS) * perMinute >= burst
      if (isFull && atOnce === 0) this.#accounts.delete(id)
    }
  }
}

/** A place in the share, or the sentence that refuses; `what` begins it: "Live checks". */
export function enterOrRefuse<Id extends number | string>(
  share: Share<Id>,
  id: Id,
  what: string,
  amount = 1,
): Disposable {
  const entry = share.enter(id, amount)
  if (entry.ok) return entry
  if (entry.why === 'used up') throw usedUp(share, what, entry.retryAfterMs)
  const busy = `${what}: ${share.limits.atOnce} of this ${share.holder} are under way, which is its share.`
  throw new ShareRefusal(`${busy} Wait until one has ended.`, entry.retryAfterMs)
}

/** Refuses what would only wait because nothing of the share is left. */
export function refuseUsedUp(share: Share, projectId: number, what: string): void {
  const waitMs = share.waitMs(projectId)
  if (waitMs > 0) throw usedUp(share, what, waitMs)
}

function usedUp(
  { holder, limits: { burst, perMinute } }: Pick<Share, 'holder' | 'limits'>,
  what: string,
  waitMs: number,
): PetstoreError {
  const share = `${what}: this ${holder} has used its share, ${burst} in one go and ${perMinute} a minute.`
  return new ShareRefusal(`${share} Try again in ${Math.ceil(waitMs / SECOND_MS)} s.`, waitMs)
}

/** Whoever answers it may take its time: asking without pause then costs whoever asks. */
export class ShareRefusal extends PetstoreError {
  constructor(message: string, waitMs: number) {
    super('rate_limited', message, { headers: { 'Retry-After': String(Math.ceil(waitMs / SECOND_MS)) } })
  }
}
