import { MessagePort, Worker } from 'node:worker_threads'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { askDirectly } from '../prepared.ts'
import { bindable, WRITER_SETTINGS } from './connection.ts'
import type { Db } from '../tables.ts'

/** One statement for the writer thread, with the control statements that come before it. */
export interface Order {
  id: number
  before: string[]
  sql: string | undefined
  parameters: readonly unknown[]
  /** Among the parameters, if any: they move to the writer thread, which gives their memory back. */
  contents?: Uint8Array<ArrayBuffer>[]
}

/** The first message of a client names the file; one that has come as a client of its own says nothing by `close`. */
export type ToWriter = Order[] | { file: string; settings: string } | { client: MessagePort } | 'close'

export type Reply =
  | { id: number; ok: true; rows: Record<string, unknown>[]; changes: number }
  | { id: number; ok: false; message: string; errcode: number | undefined; inTransaction: boolean }

export class SqliteFailure extends Error {
  readonly errcode: number | undefined
  readonly inTransaction: boolean

  constructor(reply: { message: string; errcode: number | undefined; inTransaction: boolean }) {
    super(reply.message)
    this.errcode = reply.errcode
    this.inTransaction = reply.inTransaction
  }

  /** busy, locked, read-only, interrupted, I/O error, corrupt, full, cannot open, not a database */
  get isStorageTrouble(): boolean {
    return this.errcode !== undefined && [5, 6, 8, 9, 10, 11, 13, 14, 26].includes(this.errcode & 0xff)
  }

  get isIoError(): boolean {
    return this.errcode !== undefined && (this.errcode & 0xff) === 10
  }
}

/** The writer thread is gone, and with it every way to write. */
export class WriterDied extends Error {}

/** What a thread and a port to one have in common. */
interface Writer {
  on(event: string, listener: (value: any) => void): unknown
  once(event: string, listener: (value: any) => void): unknown
  removeAllListeners(event: string): unknown
  postMessage(message: ToWriter, moved: ArrayBuffer[]): void
}

interface Waiting {
  resolve(reply: Reply & { ok: true }): void
  reject(error: Error): void
}

/** The way to the writer thread. Statements given at once travel together, and none is run behind one that fails. */
export class SqliteChannel {
  readonly db: Db
  readonly #writer: Writer
  readonly #waiting = new Map<number, Waiting>()
  #before: string[] = []
  #orders: Order[] = []
  #lastId = 0
  #isClosing = false
  #death: WriterDied | undefined

  private constructor(writer: Writer, onDeath: (error: Error) => void) {
    this.#writer = writer
    this.db = new Kysely({ dialect: dialectOf(this) })
    askDirectly(this.db, (sql) => async (parameters) => (await this.execute(sql, parameters)).rows)
    writer.on('message', (replies: Reply[]) => {
      for (const reply of replies) this.#settle(reply)
    })
    const die = (cause: unknown) => {
      if (this.#death || this.#isClosing) return
      this.#death = new WriterDied('The thread that writes the database has ended.', { cause })
      for (const { reject } of this.#waiting.values()) reject(this.#death)
      this.#waiting.clear()
      onDeath(this.#death)
    }
    writer.on('error', die)
    // A reply that cannot be read: whoever waits for it would wait for ever.
    writer.on('messageerror', die)
    writer.on('exit', (code: number) => die(new Error(`It ended with exit code ${code}.`)))
    writer.on('close', die)
  }

  /**
   * Opens the file in a writer thread: in one of its own, or in the one that a port leads to, which others write
   * through too. `onDeath` is called once, after everybody who waits has been told.
   */
  static async open(file: string, onDeath: (error: Error) => void, shared?: MessagePort): Promise<SqliteChannel> {
    const writer: Writer = shared ?? new Worker(new URL('./writer.js', import.meta.url))
    await new Promise<void>((resolve, reject) => {
      writer.once('message', () => resolve())
      writer.once('error', reject)
      writer.postMessage({ file, settings: WRITER_SETTINGS }, [])
    })
    writer.removeAllListeners('error')
    return new SqliteChannel(writer, onDeath)
  }

  /** A control statement that travels with the next one, so that it costs no way of its own. */
  control(statement: string): void {
    this.#before.push(statement)
  }

  execute(sql: string | undefined, parameters: readonly unknown[] = []): Promise<Reply & { ok: true }> {
    return new Promise((resolve, reject) => {
      if (this.#death) return reject(this.#death)
      const id = ++this.#lastId
      this.#waiting.set(id, { resolve, reject })
      this.#orders.push({ id, before: this.#before, sql, ...sendable(bindable(parameters)) })
      this.#before = []
      if (this.#orders.length === 1) queueMicrotask(() => this.#flush())
    })
  }

  /** Whether statements wait to travel, which they do before anything else happens. */
  get isLoaded(): boolean {
    return this.#orders.length > 0
  }

  async close(): Promise<void> {
    if (this.#death) return
    this.#isClosing = true
    if (this.#writer instanceof MessagePort) return this.#writer.close()
    const exited = new Promise((resolve) => this.#writer.once('exit', resolve))
    this.#writer.postMessage('close', [])
    await exited
  }

  #flush(): void {
    const moved = this.#orders.flatMap(({ contents = NOTHING }) => contents.map(({ buffer }) => buffer))
    this.#writer.postMessage(this.#orders, moved)
    this.#orders = []
  }

  #settle(reply: Reply): void {
    const { resolve, reject } = this.#waiting.get(reply.id) as Waiting
    this.#waiting.delete(reply.id)
    if (reply.ok) resolve(reply)
    else reject(new SqliteFailure(reply))
  }
}

/**
 * Bytes are copied once and moved: a message would copy the whole buffer that they are a part of, here and there. What
 * was given stays, for whoever tries the statement again.
 */
function sendable(parameters: readonly unknown[]): Pick<Order, 'parameters' | 'contents'> {
  if (!parameters.some(isBytes)) return { parameters }
  const sent = parameters.map((value) => (isBytes(value) ? new Uint8Array(value) : value))
  const contents = sent.filter((value) => isBytes(value) && value.byteLength >= MOVED_BYTES_MIN)
  return { parameters: sent, contents: contents as Uint8Array<ArrayBuffer>[] }
}

const isBytes = (value: unknown): value is Uint8Array => typeof value === 'object' && value instanceof Uint8Array

/** To move what is smaller takes longer than another copy. */
const MOVED_BYTES_MIN = 16 * 1024

const NOTHING: [] = []

function dialectOf(channel: SqliteChannel): Dialect {
  return {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new ChannelDriver(channel),
    createQueryCompiler: () => new SqliteQueryCompiler(),
    createIntrospector: (db) => new SqliteIntrospector(db),
  }
}

/** There is one connection, and the storage itself says where transactions begin and end. */
class ChannelDriver implements Driver {
  readonly #connection: DatabaseConnection

  constructor(channel: SqliteChannel) {
    this.#connection = {
      async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
        const { rows, changes } = await channel.execute(sql, parameters)
        return { rows: rows as Row[], numAffectedRows: BigInt(changes) }
      },
      streamQuery() {
        throw new Error('Rows of a write are not streamed.')
      },
    }
  }

  async init() {}
  async acquireConnection() {
    return this.#connection
  }
  async beginTransaction() {
    throw new Error('A write is a transaction already.')
  }
  async commitTransaction() {}
  async rollbackTransaction() {}
  async releaseConnection() {}
  async destroy() {}
}
