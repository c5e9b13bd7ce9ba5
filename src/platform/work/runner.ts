import { HOUR_MS, MINUTE_MS, SECOND_MS, type Clock } from '../clock.ts'
import type { ChangeFeed } from '../storage/change-feed.ts'
import { defineWrite, type Storage } from '../storage/storage.ts'
import { ownerToken } from './instances.ts'
import {
  type Claim,
  claimWork,
  finishWork,
  handBack,
  hasDueWork,
  holdLease,
  type Lease,
  nextDueAfter,
  WORK_TOPIC,
} from './lease.ts'

export interface WorkRunnerNeeds {
  storage: Storage
  clock: Clock
  changes: ChangeFeed
  queue: string
  /**
   * Does one piece of work and ends its lease with `finishWork` in the transaction that keeps the result. The signal
   * aborts when the runner stops or another instance has taken over.
   */
  handle(lease: Lease, signal: AbortSignal): Promise<void>
  /** Pieces of work under way at once in this process. */
  concurrency: number
  /** What one holder may have under way of it: work that hangs leaves the other places to others. */
  share?: { holderOf(subject: string): Promise<string>; placesMax: number } | undefined
  /** How long a piece of work stays ours after the last sign of life. */
  leaseMs?: number
  onError(error: unknown, lease: Lease | undefined): void
}

const LEASE_MS = 30 * SECOND_MS
/** Three signs of life in every lease: two may be lost. */
const HEARTBEATS_PER_LEASE = 3
const FAILURE_PAUSE_MS = SECOND_MS
export const FAILURE_PAUSE_MAX_MS = 15 * MINUTE_MS
const STORAGE_PAUSE_MAX_MS = MINUTE_MS
/** Timers overflow beyond 24 days. */
const SLEEP_MAX_MS = HOUR_MS

export const claim = defineWrite('work.claim', (db, input: Claim, engine) => claimWork(db, engine, input))

export const heartbeat = defineWrite('work.heartbeat', (db, lease: Lease, engine) => holdLease(db, engine, lease))

export const postpone = defineWrite(
  'work.postpone',
  (db, { lease, dueAt, failures }: { lease: Lease; dueAt: number; failures: number }, engine) =>
    finishWork(db, engine, lease, { nextDueAt: dueAt, failures }),
)

const giveBack = defineWrite('work.handBack', async (db, leases: readonly Lease[]) => {
  for (const lease of leases) await handBack(db, lease)
})

interface Holder {
  underWay: number
  /** Subjects that were found due when all places were taken. */
  crowded: string[]
}

/** Claims what is due in one queue and works on a few pieces at once; sleeps until something is due or announced. */
export class WorkRunner implements AsyncDisposable {
  readonly #needs: WorkRunnerNeeds
  readonly #leaseMs: number
  readonly #placesMax: number
  readonly #stop = new AbortController()
  /** By the owner of each lease. */
  readonly #underWay = new Map<string, Promise<void>>()
  readonly #holders = new Map<string, Holder>()
  #wake = new AbortController()
  #running: Promise<void> | undefined

  constructor(needs: WorkRunnerNeeds) {
    this.#needs = needs
    this.#leaseMs = needs.leaseMs ?? LEASE_MS
    this.#placesMax = needs.share?.placesMax ?? Infinity
    needs.changes.on(WORK_TOPIC, (queue) => {
      if (queue === needs.queue) this.wake()
    })
  }

  start(): void {
    this.#running ??= this.#run()
  }

  /** Looks for due work now instead of when it would have done so. */
  wake(): void {
    this.#wake.abort()
  }

  /** Stops claiming, tells the work under way to end, and waits for it. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#stop.abort()
    this.wake()
    await this.#running
    await Promise.all(this.#underWay.values())
  }

  async #run(): Promise<void> {
    const { clock, concurrency, onError } = this.#needs
    let troubles = 0
    while (!this.#stop.signal.aborted) {
      this.#wake = new AbortController()
      try {
        const free = concurrency - this.#underWay.size
        const now = clock.now()
        const claimed = free > 0 ? await this.#claim(free, now) : []
        await this.#beginWithinShares(claimed)
        troubles = 0
        if ((claimed.length < free && !this.#hasRoomForCrowded()) || free === 0) await this.#rest(now)
      } catch (error) {
        onError(error, undefined)
        await clock.sleep(Math.min(SECOND_MS * 2 ** troubles++, STORAGE_PAUSE_MAX_MS), this.#stop.signal)
      }
    }
  }

  /** Looking costs no write: only what is really there is claimed. */
  async #claim(free: number, now: number): Promise<Lease[]> {
    const { storage, queue } = this.#needs
    this.#release()
    const except = Array.from(this.#holders.values(), ({ crowded }) => crowded).flat()
    const wanted = { queue, now, busy: [...this.#underWay.keys()], except }
    if (this.#stop.signal.aborted || !(await hasDueWork(storage.read, storage.engine, wanted))) return []
    const owners = Array.from({ length: free }, () => ownerToken(storage.instance))
    return storage.write(claim, { ...wanted, owners, leaseMs: this.#leaseMs })
  }

  /** As many as have a place now, those first that wait the longest: to claim all for each place would be endless. */
  #release(): void {
    for (const [holder, held] of this.#holders) {
      held.crowded.splice(0, this.#placesMax - held.underWay)
      this.#forgetIdle(holder, held)
    }
  }

  /** Those that were released may be another instance's by now. */
  #hasRoomForCrowded(): boolean {
    return this.#holders.values().some(({ underWay, crowded }) => crowded.length > 0 && underWay < this.#placesMax)
  }

  #forgetIdle(holder: string, { underWay, crowded }: Holder): void {
    if (underWay === 0 && crowded.length === 0) this.#holders.delete(holder)
  }

  /** Whatever finds no place is not claimed again before one of its holder's is free. */
  async #beginWithinShares(leases: readonly Lease[]): Promise<void> {
    const { storage, share } = this.#needs
    const left = new Set(leases)
    try {
      for (const lease of leases) {
        const holder = share ? await share.holderOf(lease.subject) : ''
        const held = this.#holders.get(holder) ?? { underWay: 0, crowded: [] }
        this.#holders.set(holder, held)
        if (held.underWay >= this.#placesMax) held.crowded.push(lease.subject)
        else if (left.delete(lease)) this.#begin(lease, holder, held)
      }
    } finally {
      // Also where nobody could say whose it is: nobody is at it, and the lease would keep everybody from it.
      if (left.size > 0) await storage.write(giveBack, [...left])
    }
  }

  #begin(lease: Lease, holder: string, held: Holder): void {
    held.underWay += 1
    const work = this.#work(lease).finally(() => {
      held.underWay -= 1
      this.#forgetIdle(holder, held)
      this.#underWay.delete(lease.owner)
      this.wake()
    })
    this.#underWay.set(lease.owner, work)
  }

  async #work(lease: Lease): Promise<void> {
    const { storage, clock, handle, onError } = this.#needs
    const lost = new AbortController()
    const beat = setInterval(() => {
      storage.write(heartbeat, lease).then(
        (ours) => ours || lost.abort(),
        // The lease may outlast the trouble; if it does not, finishing is refused.
        () => {},
      )
    }, lease.leaseMs / HEARTBEATS_PER_LEASE)
    try {
      await handle(lease, AbortSignal.any([this.#stop.signal, lost.signal]))
    } catch (error) {
      onError(error, lease)
      const pauseMs = Math.min(FAILURE_PAUSE_MS * 2 ** Math.min(lease.failures, 20), FAILURE_PAUSE_MAX_MS)
      const postponed = { lease, dueAt: clock.now() + pauseMs, failures: lease.failures + 1 }
      await storage.write(postpone, postponed).catch((cause: unknown) => onError(cause, lease))
    } finally {
      clearInterval(beat)
    }
  }

  /** Leases of the dead are found by looking, in the machine's time as leases are; the rest is announced or due. */
  async #rest(lookedAt: number): Promise<void> {
    const { storage, clock, queue } = this.#needs
    const { signal } = this.#wake
    // What has become due since that look was not seen by it.
    const dueAt = (await nextDueAfter(storage.read, queue, lookedAt)) ?? Infinity
    const look = setTimeout(() => this.wake(), this.#leaseMs / 2)
    // From now on, and not from before the question: its time would be slept once more.
    await clock.sleep(Math.min(dueAt - clock.now(), SLEEP_MAX_MS), signal)
    clearTimeout(look)
  }
}
