import type { ServerResponse } from 'node:http'
import { CHANGED_TOPIC } from '../features/audit/record.ts'
import { NOTIFICATIONS_TOPIC } from '../features/domains/topics.ts'
import { conflict } from '../platform/errors.ts'
import { ENVIRONMENTS } from '../platform/http/operation.ts'
import type { ChangeFeed } from '../platform/storage/change-feed.ts'
import type { Storage } from '../platform/storage/storage.ts'
import type { Tenant } from '../platform/tenant.ts'
import { onProgramChanges } from './program-changes.ts'

interface EventStreamsNeeds {
  storage: Pick<Storage, 'versionOf'>
  changes: Pick<ChangeFeed, 'on' | 'onGap'>
  /** Aborts when the service ends. */
  stopping: AbortSignal
}

export interface Watcher {
  projectId: number
  accountId: string
  /** Whether whoever watches is still signed in, and still a member. */
  mayStay(): Promise<boolean>
}

interface Stream extends Watcher {
  response: ServerResponse
  /** What is to be told at the next turn. */
  about: Set<string>
}

/** Of one person: every browser has one for each project that it shows. */
const STREAMS_OF_ACCOUNT_MAX = 20
const STREAMS_MAX = 2000
/** Changes that come together are told together. */
const TELL_EVERY_MS = 250
/** Less than what proxies wait for a silent server. */
const HEARTBEAT_MS = 15_000
/** Where the store does not count what programs do, an instance that died may have told nothing of its last changes. */
const STORE_UNCOUNTED_MS = 60_000

/** Everything may have changed. */
const ANYTHING = 'anything'

const STORE = { pets: 'pet', orders: 'order' } as const

/**
 * Tells the pages of a project what has changed, in words such as `domain`, so that they ask again: by server-sent
 * events, which browsers open again by themselves. What was missed meanwhile is not kept: a page that comes back asks
 * for everything that it shows.
 */
export class EventStreams implements Disposable {
  readonly #needs: EventStreamsNeeds
  readonly #streams = new Set<Stream>()
  /** As the store counts them, where it does. */
  readonly #versions = new Map<number, Map<string, number | undefined>>()
  readonly #tenants = new Map<number, readonly Tenant[]>()
  #timers: NodeJS.Timeout[] = []

  constructor(needs: EventStreamsNeeds) {
    this.#needs = needs
    needs.changes.on(CHANGED_TOPIC, (subject) => {
      const [projectId = '', accountId = '', noun = ''] = subject.split(' ')
      const isIn = (stream: Stream) => String(stream.projectId) === projectId
      this.#mark(noun, isIn)
      // A session may have ended, or a membership.
      void this.#askAgain((stream) => stream.accountId === accountId || (noun === 'member' && isIn(stream)))
    })
    needs.changes.on(NOTIFICATIONS_TOPIC, (projectId) =>
      this.#mark('notification', (stream) => String(stream.projectId) === projectId),
    )
    onProgramChanges(needs.changes, (noun, isOf) => this.#mark(noun, ({ projectId }) => isOf(projectId)))
    needs.changes.onGap(() => this.#mark(ANYTHING, () => true))
    needs.stopping.addEventListener('abort', () => this[Symbol.dispose]())
  }

  /** Refuses before anything is sent where there are too many. */
  requireRoom(accountId: string): void {
    const own = [...this.#streams].filter((stream) => stream.accountId === accountId).length
    if (own >= STREAMS_OF_ACCOUNT_MAX || this.#streams.size >= STREAMS_MAX) {
      throw conflict('Too many pages watch for changes. This one has to be loaded again to show them.')
    }
  }

  open(watcher: Watcher, response: ServerResponse): void {
    const stream: Stream = { ...watcher, response, about: new Set() }
    response.write('retry: 2000\n\n')
    if (this.#needs.stopping.aborted) return void response.end()
    // From now on: what comes before the first turn counts, too.
    this.#count(stream.projectId)
    this.#streams.add(stream)
    response.on('close', () => this.#close(stream))
    response.on('error', () => this.#close(stream))
    if (this.#timers.length === 0) this.#start()
  }

  [Symbol.dispose](): void {
    for (const stream of this.#streams) this.#close(stream)
  }

  #start(): void {
    this.#timers = [
      setInterval(() => this.#tell(), TELL_EVERY_MS),
      setInterval(() => void this.#askAgain(() => true), HEARTBEAT_MS),
      setInterval(() => this.#markUncounted(), STORE_UNCOUNTED_MS),
    ]
  }

  #close(stream: Stream): void {
    if (!this.#streams.delete(stream)) return
    stream.response.end()
    if (this.#streams.size > 0) return
    this.#timers.forEach(clearInterval)
    this.#timers = []
    this.#versions.clear()
    this.#tenants.clear()
  }

  #mark(noun: string, isMeant: (stream: Stream) => boolean): void {
    for (const stream of this.#streams) if (isMeant(stream)) stream.about.add(noun)
  }

  #tell(): void {
    for (const projectId of new Set(Array.from(this.#streams, (stream) => stream.projectId))) this.#count(projectId)
    for (const { about, response } of this.#streams) {
      if (about.size === 0) continue
      response.write(`event: change\ndata: ${[...about].join(' ')}\n\n`)
      about.clear()
    }
  }

  /** What programs have changed, which leaves no audit entry; on PostgreSQL `ProgramChanges` tells it. */
  #count(projectId: number): void {
    const { storage } = this.#needs
    // The same objects each time: the store knows them by these.
    const tenants = this.#tenants.getOrInsertComputed(projectId, () =>
      ENVIRONMENTS.map((environment) => ({ projectId, environment })),
    )
    const versions = this.#versions.getOrInsertComputed(projectId, () => new Map())
    for (const [resource, noun] of Object.entries(STORE) as [keyof typeof STORE, string][]) {
      for (const tenant of tenants) {
        const place = `${resource} ${tenant.environment}`
        const version = storage.versionOf(resource, tenant)
        if (versions.has(place) && versions.get(place) !== version) {
          this.#mark(noun, (stream) => stream.projectId === projectId)
        }
        versions.set(place, version)
      }
    }
  }

  #markUncounted(): void {
    for (const stream of this.#streams) {
      const [tenant] = this.#tenants.get(stream.projectId) ?? []
      if (tenant && this.#needs.storage.versionOf('pets', tenant) === undefined) {
        Object.values(STORE).forEach((noun) => stream.about.add(noun))
      }
    }
  }

  /** A comment keeps the connection alive for whoever may stay; others are closed, and refused when they come back. */
  async #askAgain(isMeant: (stream: Stream) => boolean): Promise<void> {
    for (const stream of [...this.#streams].filter(isMeant)) {
      if (await stream.mayStay().catch(() => false)) stream.response.write(':\n\n')
      else this.#close(stream)
    }
  }
}
