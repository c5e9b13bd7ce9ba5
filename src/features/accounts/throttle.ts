import { MINUTE_MS, SECOND_MS, type Clock } from '../../platform/clock.ts'
import { PetstoreError } from '../../platform/errors.ts'
import { type Bucket, type Budget, waitMsOf } from '../../platform/limits/bucket.ts'
import type { LimitExchange } from '../../platform/limits/exchange.ts'
import { TokenBuckets } from '../../platform/limits/token-buckets.ts'
import { siteOf } from '../../platform/network.ts'

const PER_NETWORK: Budget = { burst: 20, refillMs: 15 * SECOND_MS }
/** A /48 of IPv6 is one customer with 65,536 networks, or a provider with as many customers: worth five networks. */
const PER_SITE: Budget = { burst: 100, refillMs: 3 * SECOND_MS }
/** Of all strangers together: NIST SP 800-63B (5.2.2) has a hundred failures in a row as the most. */
const PER_ACCOUNT: Budget = { burst: 100, refillMs: MINUTE_MS }
/** Ten networks that never rest use up what an account allows to strangers; fewer keep nobody out. */
const PER_ACCOUNT_AND_NETWORK: Budget = { burst: 10, refillMs: 10 * MINUTE_MS }
const PER_DEVICE: Budget = { burst: 20, refillMs: 15 * SECOND_MS }
/** Of those who have the password already: a code of six digits must not be found by trying. */
const PER_SECOND_STEP: Budget = { burst: 10, refillMs: 10 * MINUTE_MS }
const SIGN_UPS_PER_NETWORK: Budget = { burst: 10, refillMs: 5 * MINUTE_MS }
const SIGN_UPS_PER_SITE: Budget = { burst: 50, refillMs: MINUTE_MS }
/** An invitation is a mail to anybody, in our name. */
const INVITATION_MAILS_PER_ACCOUNT: Budget = { burst: 50, refillMs: 5 * MINUTE_MS }
const INVITATION_MAILS_PER_ADDRESS: Budget = { burst: 10, refillMs: 60 * MINUTE_MS }
const PASSWORD_MAILS_PER_ADDRESS: Budget = { burst: 3, refillMs: 10 * MINUTE_MS }
const PASSWORD_MAILS_PER_NETWORK: Budget = { burst: 10, refillMs: MINUTE_MS }
const PASSWORD_MAILS_PER_SITE: Budget = { burst: 50, refillMs: 12 * SECOND_MS }
const CONFIRMATION_MAILS_PER_ACCOUNT: Budget = { burst: 5, refillMs: 10 * MINUTE_MS }
/** Each is a row that waits five minutes for its answer. An office that comes to work at once has enough. */
const PASSKEYS_ASKED_PER_NETWORK: Budget = { burst: 60, refillMs: SECOND_MS }
const PASSKEYS_ASKED_PER_SITE: Budget = { burst: 300, refillMs: SECOND_MS / 5 }

export interface Attempt {
  /** The guess was right: it does not count. */
  succeeded(): void
}

export interface SignInAttempt {
  email: string
  network: string
  /** Set where the account knows the device. */
  device?: string | undefined
  /** Whether the account is signed in somewhere in this network. */
  isKnownNetwork?: boolean
}

/**
 * Slows guessing down without locking anybody out. Strangers share one budget for each account, one for each
 * network and one for the site that it is part of, and no network gets more than a part of an account's. A device on
 * which the person has signed in before has a budget of its own, which strangers cannot use up; a new device in a
 * network where the person is signed in does not need the strangers' budget of the account. Every attempt is counted
 * for the whole fleet before it is looked at, where there is one: it costs a round trip, which is little beside the
 * hash of a password.
 */
export class SignInThrottle {
  readonly #clock: Clock
  readonly #exchange: LimitExchange | undefined
  readonly #networks: TokenBuckets
  readonly #sites: TokenBuckets
  readonly #accounts: TokenBuckets
  readonly #accountsOfNetworks: TokenBuckets
  readonly #devices: TokenBuckets
  readonly #secondSteps: TokenBuckets
  readonly #signUps: TokenBuckets
  readonly #signUpSites: TokenBuckets
  readonly #invitationMails: TokenBuckets
  readonly #invitedAddresses: TokenBuckets
  readonly #confirmationMails: TokenBuckets
  readonly #passwordMails: TokenBuckets
  readonly #forgetfulNetworks: TokenBuckets
  readonly #forgetfulSites: TokenBuckets
  readonly #passkeysAsked: TokenBuckets
  readonly #passkeysAskedSites: TokenBuckets

  constructor(clock: Clock, exchange?: LimitExchange) {
    this.#clock = clock
    this.#exchange = exchange
    this.#networks = new TokenBuckets('sign-ins of network', PER_NETWORK, exchange)
    this.#sites = new TokenBuckets('sign-ins of site', PER_SITE, exchange)
    this.#accounts = new TokenBuckets('sign-ins of account', PER_ACCOUNT, exchange)
    this.#accountsOfNetworks = new TokenBuckets('sign-ins of account and network', PER_ACCOUNT_AND_NETWORK, exchange)
    this.#devices = new TokenBuckets('sign-ins of device', PER_DEVICE, exchange)
    this.#secondSteps = new TokenBuckets('second steps of', PER_SECOND_STEP, exchange)
    this.#signUps = new TokenBuckets('sign-ups of network', SIGN_UPS_PER_NETWORK, exchange)
    this.#signUpSites = new TokenBuckets('sign-ups of site', SIGN_UPS_PER_SITE, exchange)
    this.#invitationMails = new TokenBuckets('invitations of account', INVITATION_MAILS_PER_ACCOUNT, exchange)
    this.#invitedAddresses = new TokenBuckets('invitations of address', INVITATION_MAILS_PER_ADDRESS, exchange)
    this.#confirmationMails = new TokenBuckets('confirmations of account', CONFIRMATION_MAILS_PER_ACCOUNT, exchange)
    this.#passwordMails = new TokenBuckets('password mails of address', PASSWORD_MAILS_PER_ADDRESS, exchange)
    this.#forgetfulNetworks = new TokenBuckets('password mails of network', PASSWORD_MAILS_PER_NETWORK, exchange)
    this.#forgetfulSites = new TokenBuckets('password mails of site', PASSWORD_MAILS_PER_SITE, exchange)
    this.#passkeysAsked = new TokenBuckets('passkeys asked of network', PASSKEYS_ASKED_PER_NETWORK, exchange)
    this.#passkeysAskedSites = new TokenBuckets('passkeys asked of site', PASSKEYS_ASKED_PER_SITE, exchange)
  }

  /** Counts an attempt, or refuses it. */
  async attempt({ email, network, device, isKnownNetwork = false }: SignInAttempt): Promise<Attempt> {
    if (device !== undefined) return this.#attemptOn([[this.#devices, device]])
    const here: Use[] = [
      ...ofNetwork(network, this.#networks, this.#sites),
      [this.#accountsOfNetworks, `${email} ${siteOf(network) ?? network}`],
    ]
    if (isKnownNetwork) return this.#attemptOn(here)
    const all: Use[] = [...here, [this.#accounts, email]]
    const succeeded = await this.#take(all)
    if (succeeded) return { succeeded }
    throw tooMany(this.#waitMs(here) > 0 ? TOO_MANY : TOO_MANY_ELSEWHERE, this.#waitMs(all))
  }

  /** A code or passkey after the right password; a device that the account knows has a budget of its own. */
  secondStep(accountId: string, device: string | undefined): Promise<Attempt> {
    return this.#attemptOn([[this.#secondSteps, `${accountId} ${device ?? ''}`]])
  }

  /** For accounts that are created without an invitation. */
  async signUp(network: string): Promise<void> {
    const uses = ofNetwork(network, this.#signUps, this.#signUpSites)
    await this.#useAll(uses, 'Too many accounts were created from your network')
  }

  /** For a question to whoever comes, which is written down before anybody has shown anything. */
  async askForPasskey(network: string): Promise<void> {
    const uses = ofNetwork(network, this.#passkeysAsked, this.#passkeysAskedSites)
    await this.#useAll(uses, 'Too many people of your network asked to sign in with a passkey')
  }

  /** Links that confirm an address, whosever it is. */
  async confirmationMail(accountId: string): Promise<void> {
    await this.#useAll([[this.#confirmationMails, accountId]], 'Too many mails were asked for')
  }

  /** Refuses a network that asks too often; false where the address has been mailed enough. */
  async passwordMail({ email, network }: { email: string; network: string }): Promise<boolean> {
    await this.#useAll(
      ofNetwork(network, this.#forgetfulNetworks, this.#forgetfulSites),
      'Too many links were asked for',
    )
    return (await this.#take([[this.#passwordMails, email]])) !== undefined
  }

  /** `from` is the account of whoever invites. */
  async invitationMail({ from, to }: { from: string; to: string }): Promise<void> {
    const uses: Use[] = [
      [this.#invitationMails, from],
      [this.#invitedAddresses, to],
    ]
    await this.#useAll(uses, 'Too many invitations were mailed (without an address you still get a link)')
  }

  async #attemptOn(uses: readonly Use[]): Promise<Attempt> {
    return { succeeded: await this.#useAll(uses, TOO_MANY) }
  }

  /** One of each, or none of any. */
  async #useAll(uses: readonly Use[], refusal: string): Promise<() => void> {
    const giveBack = await this.#take(uses)
    if (giveBack) return giveBack
    throw tooMany(refusal, this.#waitMs(uses))
  }

  #waitMs(uses: readonly Use[]): number {
    return Math.max(...uses.map(([kind, key]) => waitMsOf(kind.look(key, this.#clock.now()))))
  }

  /** Gives a way to put them back; undefined where one of them is used up, and then takes nothing. */
  async #take(uses: readonly Use[]): Promise<(() => void) | undefined> {
    // Refused guesses at ever new addresses would make those be forgotten that have been used up.
    if (this.#waitMs(uses) > 0) return undefined
    const buckets = uses.map(([kind, key]) => kind.of(key, this.#clock.now()))
    const useEach = (amount: number) => {
      for (const [index, [kind]] of uses.entries()) kind.use(buckets[index] as Bucket, amount)
    }
    useEach(1)
    await this.#exchange?.tell(buckets)
    if (buckets.every(({ tokens }) => tokens >= 0)) return () => useEach(-1)
    // Others have used it up, and this one came too late.
    useEach(-1)
    return undefined
  }
}

const TOO_MANY = 'Too many attempts to sign in'
const TOO_MANY_ELSEWHERE =
  'Too many attempts to sign in to this account from elsewhere (a passkey still works, and a link for a new password)'

type Use = readonly [TokenBuckets, key: string]

function ofNetwork(network: string, networks: TokenBuckets, sites: TokenBuckets): Use[] {
  const site = siteOf(network)
  return site === undefined
    ? [[networks, network]]
    : [
        [networks, network],
        [sites, site],
      ]
}

function tooMany(what: string, waitMs: number): PetstoreError {
  const seconds = Math.ceil(waitMs / SECOND_MS)
  const wait = seconds === 1 ? 'a second' : `${seconds} seconds`
  return new PetstoreError('rate_limited', `${what}: wait ${wait} and try again.`, {
    headers: { 'Retry-After': String(seconds) },
  })
}
