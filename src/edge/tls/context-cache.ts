import { hkdfSync, randomBytes } from 'node:crypto'
import type { SecureContext } from 'node:tls'
import { HOUR_MS, SECOND_MS, type Clock } from '../../platform/clock.ts'
import { SingleFlight } from '../../platform/single-flight.ts'
import { Lru } from '../lru.ts'
import { releaseTlsContext } from '../node-internals.ts'
import { createTlsContext, type KeyAndCertificate } from './context.ts'

/** What a host shows in its handshakes. */
export interface HostCertificate extends KeyAndCertificate {
  /** Changes when the certificate does; hosts with the same id share one context. */
  id: string
  /** When it ends, where that is known: from then on the host has none, as after a restart. */
  notAfter?: number
}

/** The certificate for a canonical hostname; undefined when the edge has none for it. */
export type CertificateLookup = (host: string) => Promise<HostCertificate | undefined>

export interface ContextCacheNeeds {
  certificateFor: CertificateLookup
  clock: Clock
  hostsMax?: number
  /** After this a context is looked up and made again: a renewal is seen and its ticket keys change. */
  lifeMs?: number
  unknownHostsMax?: number
  unknownLifeMs?: number
  /** Look-ups under way at once; beyond them a handshake is refused rather than the storage flooded. */
  lookupsMax?: number
  /** Caches with the same secret open each other's session tickets: one for all workers of a service. */
  ticketSecret?: Uint8Array
}

interface SharedContext {
  readonly context: SecureContext
  readonly certificateId: string
  readonly endsAt: number
  readonly madeAt: number
  hosts: number
}

interface Entry {
  readonly shared: SharedContext
  readonly staleAt: number
}

/**
 * Contexts by hostname, bounded, with the newest look-up always winning: what is dropped while it is being looked
 * up is not kept. A name nobody serves is remembered for a few seconds, so that strangers cause no look-ups.
 */
export class ContextCache {
  readonly #needs: Required<ContextCacheNeeds>
  readonly #known: Lru<Entry>
  readonly #unknown: Lru<number>
  readonly #lookups = new SingleFlight<SecureContext | undefined>()
  readonly #shared = new Map<string, SharedContext>()

  constructor(needs: ContextCacheNeeds) {
    this.#needs = {
      hostsMax: 5_000,
      lifeMs: 12 * HOUR_MS,
      unknownHostsMax: 10_000,
      unknownLifeMs: 5 * SECOND_MS,
      lookupsMax: 200,
      ticketSecret: randomBytes(32),
      ...needs,
    }
    this.#known = new Lru(this.#needs.hostsMax, (entry) => this.#release(entry))
    this.#unknown = new Lru(this.#needs.unknownHostsMax)
  }

  get size(): number {
    return this.#known.size
  }

  /** The context for a canonical hostname, at once when it is known. Rejects when the look-up fails. */
  get(host: string): SecureContext | undefined | Promise<SecureContext | undefined> {
    const now = this.#needs.clock.now()
    const entry = this.#known.get(host)
    if (entry !== undefined && entry.shared.endsAt <= now) this.drop(host)
    else if (entry !== undefined) {
      // A stale context goes on serving while its successor is looked up, and when that fails.
      if (entry.staleAt <= now) this.#lookUp(host)?.catch(() => {})
      return entry.shared.context
    }
    const unknownUntil = this.#unknown.get(host)
    if (unknownUntil !== undefined && unknownUntil > now) return undefined
    return this.#lookUp(host) ?? Promise.reject(new Error('Too many certificate look-ups are under way.'))
  }

  /** Forgets a host after its certificate was issued, renewed or removed; with a wildcard, every host below it. */
  drop(host: string): void {
    if (host.startsWith('*.')) {
      const below = [...this.#known.keys(), ...this.#unknown.keys()].filter((known) => known.endsWith(host.slice(1)))
      return below.forEach((known) => this.drop(known))
    }
    this.#known.delete(host)
    this.#unknown.delete(host)
    this.#lookups.drop(host)
  }

  /** Changes may have been missed. */
  clear(): void {
    for (const host of [...this.#known.keys(), ...this.#unknown.keys()]) this.drop(host)
  }

  #lookUp(host: string): Promise<SecureContext | undefined> | undefined {
    if (this.#lookups.size >= this.#needs.lookupsMax) return this.#lookups.get(host)
    return this.#lookups.join(host, async (isCurrent) => {
      const certificate = await this.#needs.certificateFor(host)
      return this.#keep(host, certificate, isCurrent())
    })
  }

  #keep(host: string, certificate: HostCertificate | undefined, isCurrent: boolean): SecureContext | undefined {
    if (!isCurrent) return certificate && createTlsContext(certificate)
    const now = this.#needs.clock.now()
    if (certificate === undefined) {
      this.#known.delete(host)
      this.#unknown.set(host, now + this.#needs.unknownLifeMs)
      return undefined
    }
    const shared = this.#share(certificate, now)
    this.#known.set(host, { shared, staleAt: shared.madeAt + this.#needs.lifeMs })
    this.#unknown.delete(host)
    return shared.context
  }

  #share(certificate: HostCertificate, now: number): SharedContext {
    let shared = this.#shared.get(certificate.id)
    if (shared === undefined || shared.madeAt + this.#needs.lifeMs <= now) {
      const { id: certificateId, notAfter: endsAt = Infinity } = certificate
      shared = { context: this.#context(certificate, now), certificateId, endsAt, madeAt: now, hosts: 0 }
      this.#shared.set(certificate.id, shared)
    }
    shared.hosts++
    return shared
  }

  /** Its ticket keys are those of this certificate alone, for as long as a context lives. */
  #context(certificate: HostCertificate, now: number): SecureContext {
    const { ticketSecret, lifeMs } = this.#needs
    const name = `tickets ${certificate.id} ${Math.floor(now / lifeMs)}`
    return createTlsContext(certificate, { ticketKeys: Buffer.from(hkdfSync('sha256', ticketSecret, '', name, 48)) })
  }

  #release({ shared }: Entry): void {
    if (--shared.hosts > 0) return
    if (this.#shared.get(shared.certificateId) === shared) this.#shared.delete(shared.certificateId)
    // Not before the handshake that has just been given it has begun.
    setImmediate(releaseTlsContext, shared.context)
  }
}
