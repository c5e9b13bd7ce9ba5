import { getCompileCacheDir } from 'node:module'
import { Worker } from 'node:worker_threads'
import { patience } from '../clock.ts'
import { unavailable } from '../errors.ts'

export interface ThreadNeeds {
  /** The module that the thread runs; it calls `answerRequests`. */
  module: URL
  /** What it does, for the sentence that refuses: "DNS look-ups". */
  purpose: string
  /** Requests under way at once. */
  pendingMax: number
  /** A thread that has not answered by then is ended, and whatever it was at fails. */
  timeoutMs: number
  heapMegabytes: number
  onError: (error: unknown) => void
}

export interface ThreadRequest<Request> {
  id: number
  request: Request
}

export type ThreadReply<Reply> = { id: number; ok: true; reply: Reply } | { id: number; ok: false; message: string }

interface Waiting {
  resolve: (reply: never) => void
  reject: (error: unknown) => void
  limit: Disposable
}

/** Work that must not stall requests, on a thread of its own: started by the first request, and anew after it died. */
export class Thread<Request, Reply> implements AsyncDisposable {
  readonly #needs: ThreadNeeds
  readonly #waiting = new Map<number, Waiting>()
  #worker: Worker | undefined
  #lastId = 0
  #isClosed = false

  constructor(needs: ThreadNeeds) {
    this.#needs = needs
  }

  /** What is moved is the thread's from then on. */
  run(request: Request, moved: ArrayBuffer[] = []): Promise<Reply> {
    const { purpose, pendingMax, timeoutMs } = this.#needs
    if (this.#isClosed || this.#waiting.size >= pendingMax) {
      return Promise.reject(unavailable(`There is no room for more ${purpose} at this moment: try again in a while.`))
    }
    const worker = (this.#worker ??= this.#start())
    const id = ++this.#lastId
    return new Promise((resolve, reject) => {
      const limit = patience(timeoutMs)
      limit.signal.addEventListener('abort', () => this.#end(worker, new Error(`${purpose} hang`)))
      this.#waiting.set(id, { resolve, reject, limit })
      worker.ref()
      worker.postMessage({ id, request } satisfies ThreadRequest<Request>, moved)
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true
    const worker = this.#worker
    this.#forget(new Error('closed'))
    await worker?.terminate()
  }

  #start(): Worker {
    const { module, heapMegabytes } = this.#needs
    const worker = new Worker(new URL('./boot.js', import.meta.url), {
      workerData: { module: module.href, compileCache: getCompileCacheDir() },
      resourceLimits: { maxOldGenerationSizeMb: heapMegabytes, maxYoungGenerationSizeMb: 4 },
    })
    worker.on('message', (reply: ThreadReply<never>) => this.#settle(reply))
    worker.on('error', (error) => this.#end(worker, error))
    worker.on('exit', () => this.#end(worker, new Error('the thread ended')))
    return worker
  }

  #settle(reply: ThreadReply<never>): void {
    const waiting = this.#waiting.get(reply.id)
    if (!waiting) return
    waiting.limit[Symbol.dispose]()
    this.#waiting.delete(reply.id)
    // A process ends by itself when nobody waits for the thread any more.
    if (this.#waiting.size === 0) this.#worker?.unref()
    if (reply.ok) waiting.resolve(reply.reply)
    else waiting.reject(new Error(reply.message))
  }

  #end(worker: Worker, cause: unknown): void {
    if (this.#worker !== worker) return
    this.#needs.onError(cause)
    this.#forget(cause)
    void worker.terminate()
  }

  #forget(cause: unknown): void {
    this.#worker = undefined
    for (const { reject, limit } of this.#waiting.values()) {
      limit[Symbol.dispose]()
      reject(unavailable(`The ${this.#needs.purpose} under way were lost: try again.`, cause))
    }
    this.#waiting.clear()
  }
}
