import { write, writeSync } from 'node:fs'
import { pino, type Logger } from 'pino'

export type Log = Logger

/**
 * Structured lines on standard error, with the number of the worker where there are several. Secrets have no place in
 * them, and these names never print.
 */
export function createLog(level: string, worker?: number): Log {
  const redact = { paths: ['authorization', 'cookie', 'key', 'password', '*.authorization', '*.cookie'], remove: true }
  return pino(
    { level, redact, base: worker === undefined ? null : { worker }, timestamp: pino.stdTimeFunctions.isoTime },
    standardError,
  )
}

const STANDARD_ERROR = 2
/** How far behind the reader of a pipe may be, beyond what the system keeps for it. */
const WAITING_CHARACTERS_MAX = 1024 * 1024
const TRY_AGAIN_MS = 50

/**
 * Holds up neither the service nor its end: what cannot be written, because the disk is full or nobody reads, is
 * dropped and counted. Pino's own destination ends the process then, and at its end tries again for ever.
 */
class StandardError {
  #waiting: string[] = []
  #waitingCharacters = 0
  #dropped = 0
  #isWriting = false
  /** What a pipe had no room for. */
  #refused: Buffer | undefined

  write(line: string): void {
    if (this.#waitingCharacters + line.length > WAITING_CHARACTERS_MAX) {
      this.#dropped++
      return
    }
    this.#waiting.push(line)
    this.#waitingCharacters += line.length
    if (!this.#isWriting) this.#writeWaiting()
  }

  #writeWaiting(): void {
    const { length } = this.#waiting
    this.#isWriting = length > 0
    if (length > 0) this.#write(this.#takeWaiting(), { lines: length, told: this.#dropped })
  }

  #takeWaiting(): Buffer {
    const text = this.#waiting.join('')
    this.#waiting = []
    this.#waitingCharacters = 0
    return Buffer.from(this.#dropped > 0 ? noticeOf(this.#dropped) + text : text)
  }

  /** On a thread of the pool: a slow disk takes no time of those who wait for answers. */
  #write(bytes: Buffer, batch: { lines: number; told: number }): void {
    this.#refused = undefined
    write(STANDARD_ERROR, bytes, (error, written) => {
      if (error?.code === 'EAGAIN') {
        this.#refused = bytes
        setTimeout(() => this.#write(bytes, batch), TRY_AGAIN_MS).unref()
      } else if (!error && written < bytes.length) {
        this.#write(bytes.subarray(written), batch)
      } else {
        this.#dropped += error ? batch.lines : -batch.told
        this.#writeWaiting()
      }
    })
  }

  /** Once, at the end; what is under way the pool finishes. */
  writeRest(): void {
    const rest = Buffer.concat([this.#refused ?? Buffer.alloc(0), this.#takeWaiting()])
    try {
      writeSync(STANDARD_ERROR, rest)
    } catch {
      // Nobody is left who could be told.
    }
  }
}

/** On a line of its own: a full disk may have taken half of the last one. */
const noticeOf = (dropped: number) =>
  `\n{"level":${pino.levels.values.warn}${pino.stdTimeFunctions.isoTime()},"dropped":${dropped},` +
  '"msg":"lines of the log could not be written"}\n'

// Once that is opened, a pipe or a socket refuses (EAGAIN) what it has no room for, and holds no thread of the pool.
void process.stderr
const standardError = new StandardError()
process.on('exit', () => standardError.writeRest())
