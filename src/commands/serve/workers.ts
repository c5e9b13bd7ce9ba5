import type { Worker } from 'node:worker_threads'
import { MINUTE_MS, SECOND_MS, type Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import { StartError } from '../../platform/start-error.ts'
import type { Order } from './messages.ts'
import { WorkerThread } from './worker-thread.ts'

export interface WorkersNeeds {
  count: number
  spawn(number: number): Worker
  clock: Clock
  log: Log
}

/** A worker that has served for this long died of something that may not come again. */
const STEADY_MS = MINUTE_MS
const PAUSE_MIN_MS = SECOND_MS / 4
const PAUSE_MAX_MS = MINUTE_MS

/**
 * Keeps as many workers serving as there should be. The first starts alone: it brings the schema up to date and makes
 * what a first start makes. One of those who serve leads, that is, does the work in the background for all.
 */
export class Workers {
  readonly #needs: WorkersNeeds
  readonly #stop = new AbortController()
  readonly #threads = new Map<number, WorkerThread>()
  readonly #keeping: Promise<void>[] = []
  #lead: WorkerThread | undefined
  #toldAll: Order | undefined
  #hasStarted = false
  #hasFailedToStop = false
  /** Workers that died and were replaced. */
  replaced = 0

  constructor(needs: WorkersNeeds) {
    this.#needs = needs
  }

  /** Resolves to the greeting once all serve; rejects with the sentence of the one that cannot. */
  async start(): Promise<string> {
    const greeting = await this.#begin(1)
    const others = Array.from({ length: this.#needs.count - 1 }, (_, index) => this.#begin(index + 2))
    await Promise.all(others)
    this.#hasStarted = true
    return greeting
  }

  get serving(): WorkerThread[] {
    return [...this.#threads.values()].filter(({ isServing }) => isServing)
  }

  /** Those that serve, and whoever takes the place of one that dies. */
  tellAll(order: Order): void {
    this.#toldAll = order
    for (const thread of this.serving) thread.tell(order)
  }

  /** Rejects with the reason while requests cannot be answered. */
  async ready(): Promise<void> {
    if (this.#stop.signal.aborted) throw new Error('The service is shutting down.')
    if (!this.#hasStarted) throw new Error('The service is starting.')
    const { serving } = this
    if (serving.length === 0) throw new Error('No worker is serving.')
    await Promise.all(serving.map((thread) => thread.ask('ready')))
  }

  /**
   * Lets all of them finish what they have begun, at the same time. First none accepts any more: clients whose
   * connection one of them ends would otherwise come to another one, which is about to close its port on them.
   */
  async stop(): Promise<'in order' | 'with failures'> {
    this.#stop.abort()
    await Promise.allSettled(this.serving.map((thread) => thread.ask('stopAccepting')))
    await Promise.all([...this.#threads.values()].map((thread) => thread.stop()))
    await Promise.all(this.#keeping)
    return this.#hasFailedToStop ? 'with failures' : 'in order'
  }

  async #begin(number: number): Promise<string> {
    const thread = this.#spawn(number)
    const greeting = await thread.started
    if (greeting === undefined) throw await failureOf(thread)
    this.#chooseLead()
    this.#keeping.push(this.#keep(thread))
    return greeting
  }

  #spawn(number: number): WorkerThread {
    const thread = new WorkerThread(number, this.#needs.spawn(number))
    this.#threads.set(number, thread)
    return thread
  }

  /** Replaces a worker that dies, its successor, and so on: with growing pauses where they die soon. */
  async #keep(first: WorkerThread): Promise<void> {
    const { clock, log } = this.#needs
    let thread = first
    let earlyDeaths = 0
    while (true) {
      const startedAt = clock.now()
      const { error, code } = await thread.ended
      if (this.#stop.signal.aborted) {
        if (error !== undefined || code !== 0) this.#hasFailedToStop = true
        return
      }
      this.replaced++
      earlyDeaths = clock.now() - startedAt < STEADY_MS ? earlyDeaths + 1 : 0
      const pauseMs = earlyDeaths < 2 ? 0 : Math.min(PAUSE_MIN_MS * 2 ** (earlyDeaths - 2), PAUSE_MAX_MS)
      const { number, failure } = thread
      log.error({ worker: number, err: error, code, failure, pauseMs }, 'a worker has died and is replaced')
      this.#chooseLead()
      await clock.sleep(pauseMs, this.#stop.signal)
      if (this.#stop.signal.aborted) return
      thread = this.#spawn(number)
      if ((await thread.started) === undefined) continue
      this.#chooseLead()
      if (this.#toldAll) thread.tell(this.#toldAll)
    }
  }

  /** One that serves leads; the next takes over when it dies. */
  #chooseLead(): void {
    if (this.#lead?.isServing) return
    this.#lead = this.serving[0]
    this.#lead?.tell({ kind: 'lead' })
  }
}

async function failureOf(thread: WorkerThread): Promise<Error> {
  const { error, code } = await thread.ended
  if (thread.failure !== undefined) return new StartError(thread.failure)
  return error instanceof Error ? error : new StartError(`Worker ${thread.number} ended with code ${code}.`)
}
