import { MessageChannel, type MessagePort, Worker } from 'node:worker_threads'
import type { ToWriter } from '../../platform/storage/sqlite/channel.ts'

const WRITER = new URL('../../platform/storage/sqlite/writer.js', import.meta.url)

/** One writer thread for all workers: their transactions take turns there, instead of for the lock of the file. */
export class SharedWriter implements AsyncDisposable {
  /** Resolves with the reason when it has ended by itself. */
  readonly failed: Promise<Error>
  readonly #thread = new Worker(WRITER)
  readonly #exited: Promise<unknown>
  #isClosing = false

  constructor() {
    const failure = Promise.withResolvers<Error>()
    this.failed = failure.promise
    this.#thread.on('error', (error) => failure.resolve(error as Error))
    // Not `once` of node:events, whose promise rejects with the error of the thread, which would end the process.
    this.#exited = new Promise((resolve) => this.#thread.on('exit', resolve))
    this.#thread.on('exit', (code) => {
      if (!this.#isClosing) failure.resolve(new Error(`The thread that writes the database ended with code ${code}.`))
    })
  }

  /** A way to it for one more worker. */
  connect(): MessagePort {
    const { port1, port2 } = new MessageChannel()
    this.#thread.postMessage({ client: port1 } satisfies ToWriter, [port1])
    return port2
  }

  /** For when nobody writes any more. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosing = true
    this.#thread.postMessage('close' satisfies ToWriter)
    await this.#exited
  }
}
