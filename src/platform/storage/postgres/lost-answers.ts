import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { endAtOnce } from './servers.ts'

const LOOK_EVERY_MS = 500
/** So many looks without an answer, and the server is asked what became of the statement: after 1 to 1.5 s. */
const SILENT_LOOKS = 3
const ASK_MAX_MS = 1000
const ASK_AGAIN_MS = 250
/** An answer that has been sent arrives within this, or never. */
const ON_ITS_WAY_MS = 200

interface Waiting {
  statements: number
  silentLooks: number
}

interface AskedServer {
  connectApart(queryMaxMs: number): Promise<pg.Client>
  /** Whether a connection leads to the host that is written to. */
  isCurrent(client: pg.ClientBase): boolean
}

/**
 * Ends connections whose answer will never come. After a network that swallowed packets both ends wait for each other,
 * and would do so until the time of the query is up. So of a statement that has been silent for a second the server is
 * asked, on another connection: when its process is not at work, the statement or its answer was lost.
 */
export class LostAnswers implements Disposable {
  readonly #waiting = new Map<pg.ClientBase, Waiting>()
  readonly #server: AskedServer
  readonly #timer: NodeJS.Timeout
  #asking = false

  constructor(server: AskedServer) {
    this.#server = server
    this.#timer = setInterval(() => this.#look(), LOOK_EVERY_MS).unref()
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer)
  }

  /** To be called when the answer is there. */
  waiting(client: pg.ClientBase): () => void {
    const waiting = this.#waiting.get(client) ?? { statements: 0, silentLooks: 0 }
    this.#waiting.set(client, waiting)
    waiting.statements++
    return () => {
      waiting.silentLooks = 0
      if (--waiting.statements === 0) this.#waiting.delete(client)
    }
  }

  #look(): void {
    for (const waiting of this.#waiting.values()) waiting.silentLooks++
    if (this.#asking || this.#silent().length === 0) return
    this.#asking = true
    void this.#endLost().finally(() => (this.#asking = false))
  }

  #silent(): pg.ClientBase[] {
    return [...this.#waiting].filter(([, { silentLooks }]) => silentLooks >= SILENT_LOOKS).map(([client]) => client)
  }

  /** A server that cannot be asked is asked again, for as long as something is silent. */
  async #endLost(): Promise<void> {
    for (; this.#silent().length > 0; await pause(ASK_AGAIN_MS)) {
      const client = await this.#server.connectApart(ASK_MAX_MS).catch(() => undefined)
      const elsewhere = this.#silent().filter((other) => !this.#server.isCurrent(other))
      for (const other of elsewhere) endAtOnce(other)
      if (!client) continue
      await this.#endLostOf(client).catch(() => endAtOnce(client))
      void client.end().catch(() => {})
    }
  }

  async #endLostOf(client: pg.Client): Promise<void> {
    const before = await this.#notAtWork(client)
    if (before.size === 0) return
    await pause(ON_ITS_WAY_MS)
    const lost = await this.#notAtWork(client)
    for (const other of lost) if (before.has(other)) endAtOnce(other)
  }

  async #notAtWork(client: pg.Client): Promise<Set<pg.ClientBase>> {
    const silent = this.#silent()
    const question = {
      // This end always reads: a process that cannot get rid of its answer has lost the way here.
      text: `select pid from pg_stat_activity where pid = any($1)
             and coalesce(state, '') not like 'idle%' and wait_event is distinct from 'ClientWrite'`,
      values: [silent.map(processOf)],
      query_timeout: ASK_MAX_MS,
    }
    const { rows } = await client.query<{ pid: number }>(question)
    const atWork = new Set(rows.map(({ pid }) => pid))
    return new Set(silent.filter((other) => !atWork.has(processOf(other))))
  }
}

const processOf = (client: pg.ClientBase) => (client as unknown as { processID: number }).processID
