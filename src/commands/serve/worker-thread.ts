import type { Worker } from 'node:worker_threads'
import { patience } from '../../platform/clock.ts'
import type { Answers, Order, Report } from './messages.ts'

/** Longer than a busy thread takes to look at its messages. */
const ANSWER_MAX_MS = 5000

export interface ThreadEnd {
  /** What it died of, if it did not just end. */
  error: unknown
  code: number
}

/** One worker, from its start to its end. */
export class WorkerThread {
  readonly number: number
  /** Resolves to the greeting, or to undefined where it ends before it serves. */
  readonly started: Promise<string | undefined>
  readonly ended: Promise<ThreadEnd>
  /** Why it could not start, as a sentence. */
  failure: string | undefined
  isServing = false
  readonly #worker: Worker
  readonly #questions = new Map<number, PromiseWithResolvers<unknown>>()
  #lastId = 0
  #isTerminated = false

  constructor(number: number, worker: Worker) {
    this.number = number
    this.#worker = worker
    const started = Promise.withResolvers<string | undefined>()
    this.started = started.promise
    let died: unknown
    worker.on('error', (error: unknown) => (died = error))
    worker.on('message', (message: Report) => {
      if (message.kind === 'failed') this.failure = message.sentence
      else if (message.kind === 'serving') {
        this.isServing = true
        started.resolve(message.greeting)
      } else this.#settle(message)
    })
    this.ended = new Promise((resolve) => {
      worker.on('exit', (code) => {
        this.isServing = false
        started.resolve(undefined)
        for (const { reject } of this.#questions.values()) reject(new Error(`Worker ${number} has ended.`))
        // Ended before it served, as far as was known: it had nothing to finish.
        resolve({ error: died, code: this.#isTerminated ? 0 : code })
      })
    })
  }

  tell(order: Order): void {
    this.#worker.postMessage(order)
  }

  /** Rejects with the worker's reason, and when it has no time to answer. */
  async ask<About extends keyof Answers>(about: About): Promise<Answers[About]> {
    const id = ++this.#lastId
    const question = Promise.withResolvers<unknown>()
    this.#questions.set(id, question)
    using limit = patience(ANSWER_MAX_MS)
    const late = () => question.reject(new Error(`Worker ${this.number} does not answer.`))
    limit.signal.addEventListener('abort', late)
    this.tell({ kind: 'ask', id, about })
    try {
      return (await question.promise) as Answers[About]
    } finally {
      this.#questions.delete(id)
    }
  }

  /** Lets the requests in flight finish; a worker that does not serve yet has none. */
  async stop(): Promise<ThreadEnd> {
    if (this.isServing) this.tell({ kind: 'stop' })
    else {
      this.#isTerminated = true
      await this.#worker.terminate()
    }
    return this.ended
  }

  #settle(message: Extract<Report, { id: number }>): void {
    const question = this.#questions.get(message.id)
    if (message.kind === 'answer') question?.resolve(message.value)
    else question?.reject(new Error(message.reason))
  }
}
