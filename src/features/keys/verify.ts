import { SECOND_MS, type Clock } from '../../platform/clock.ts'
import { PetstoreError } from '../../platform/errors.ts'
import type { Caller, Environment, Scope } from '../../platform/http/operation.ts'
import type { ChangeFeed } from '../../platform/storage/change-feed.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import { environmentOfKey, hashKey } from './format.ts'
import { findKeyByHash } from './queries.ts'
import { KEYS_TOPIC } from './writes.ts'

const CACHED_MAX = 10_000
/** What the database said of a key counts for so long, whatever notice was lost; then it has to say it again. */
const TRUSTED_MS = 5 * SECOND_MS
/** From then on it is asked again while requests go on. */
const ASKED_AGAIN_AFTER_MS = 3 * SECOND_MS

interface Verified extends Caller {
  readonly hash: string
  readonly expiresAt: number
  /** When the question was asked that the database answered. */
  readonly askedAt: number
  isBeingAsked: boolean
}

/**
 * Turns an Authorization header into a caller. A key that has been seen costs no query for some seconds, unless it
 * changes; a change made by this process counts at once, by another within half a second. Should that notice be lost,
 * by whatever fault, it counts within five seconds: a database that cannot be asked by then means 503.
 */
export class KeyVerifier {
  readonly #storage: Storage
  readonly #clock: Clock
  readonly #known = new Map<string, Verified>()
  readonly #headerByHash = new Map<string, string>()
  #forgotten = 0

  constructor(storage: Storage, clock: Clock, changes: ChangeFeed) {
    this.#storage = storage
    this.#clock = clock
    changes.on(KEYS_TOPIC, (hash) => this.forget(hash))
    changes.onGap(() => this.#forgetAll())
  }

  authenticate(authorization: string | undefined, environment: Environment): Caller | Promise<Caller> {
    if (authorization !== undefined) {
      const known = this.#known.get(authorization)
      if (known && this.#isTrusted(known, authorization)) return this.#admit(known, environment)
    }
    return this.#lookUp(authorization, environment)
  }

  forget(hash: string): void {
    this.#forgotten++
    this.#drop(hash)
  }

  #drop(hash: string): void {
    const header = this.#headerByHash.get(hash)
    if (header === undefined) return
    this.#known.delete(header)
    this.#headerByHash.delete(hash)
  }

  #forgetAll(): void {
    this.#forgotten++
    this.#known.clear()
    this.#headerByHash.clear()
  }

  /** A clock that was set back must not make an answer count for longer. */
  #isTrusted(known: Verified, authorization: string): boolean {
    const age = this.#clock.now() - known.askedAt
    if (age < 0 || age >= TRUSTED_MS) return false
    if (age >= ASKED_AGAIN_AFTER_MS && !known.isBeingAsked) {
      known.isBeingAsked = true
      this.#lookUp(authorization, known.environment).catch(() => {
        // After a refusal it is not known any more; after trouble with the database the next request asks again.
        known.isBeingAsked = false
      })
    }
    return true
  }

  async #lookUp(authorization: string | undefined, environment: Environment): Promise<Caller> {
    const key = readBearer(authorization)
    const belongsTo = environmentOfKey(key)
    if (!belongsTo)
      throw refused('This is not a Petstore API key: it begins with ps_live_ or ps_test_ and is 46 characters long.')
    if (belongsTo !== environment) throw wrongEnvironment(belongsTo)

    const forgotten = this.#forgotten
    const askedAt = this.#clock.now()
    const hash = hashKey(key)
    const [row] = await findKeyByHash(this.#storage.read, { hash })
    if (!row || row.revoked_at !== null) this.#drop(hash)
    if (!row) throw refused('This API key is not known.')
    if (row.revoked_at !== null) throw refused('This API key has been revoked.')
    const verified: Verified = {
      keyId: row.id,
      projectId: row.project_id,
      environment: row.environment,
      tenant: `${row.project_id} ${row.environment} `,
      scopes: row.scopes.split(' ') as Scope[],
      hash,
      expiresAt: row.expires_at ?? Infinity,
      askedAt,
      isBeingAsked: false,
    }
    // A revocation that was announced during the query must not be overwritten by what the query saw,
    // and it can only be found under the one spelling that is remembered.
    if (forgotten === this.#forgotten && authorization === `Bearer ${key}`) this.#remember(authorization, verified)
    return this.#admit(verified, environment)
  }

  #admit(verified: Verified, environment: Environment): Caller {
    if (verified.environment !== environment) throw wrongEnvironment(verified.environment)
    const { expiresAt } = verified
    if (expiresAt !== Infinity && expiresAt <= this.#clock.now()) throw refused('This API key has expired.')
    return verified
  }

  #remember(header: string, verified: Verified): void {
    if (this.#known.size >= CACHED_MAX) this.#forgetAll()
    this.#known.set(header, verified)
    this.#headerByHash.set(verified.hash, header)
  }
}

function readBearer(authorization: string | undefined): string {
  if (authorization === undefined) {
    throw refused('An API key is needed: send it as Authorization: Bearer <API_KEY>.')
  }
  const key = /^bearer +(\S+) *$/i.exec(authorization)?.[1]
  if (key === undefined) throw refused('The Authorization header must have the form: Bearer <API_KEY>.')
  return key
}

function wrongEnvironment(belongsTo: Environment): PetstoreError {
  return refused(`This API key belongs to the ${belongsTo} address: use it there, or take one of this environment.`)
}

function refused(message: string): PetstoreError {
  return new PetstoreError('unauthorized', message, { headers: { 'WWW-Authenticate': 'Bearer' } })
}
