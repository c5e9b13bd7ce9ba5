import pg from 'pg'
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import { patience } from '../../clock.ts'
import { SingleFlight } from '../../single-flight.ts'
import { type LaneConnection, ReadLanes } from './lanes.ts'
import { LostAnswers } from './lost-answers.ts'
import { AFTER_STATEMENT, runAgain } from './run-again.ts'
import {
  connectTo,
  endAtOnce,
  findWritable,
  limitConnecting,
  requireWritable,
  type Server,
  type Servers,
  serversOf,
} from './servers.ts'
import { isOutdated, nameOf, toPrepareAnew } from './statement-names.ts'
import {
  IDLE_TRANSACTION_ENDED,
  isBusy,
  isConnectionLost,
  isGivenUp,
  isServerTrouble,
  noneFree,
  notConfirmed,
  notReached,
  READ_ONLY,
  sqlStateOf,
  toldBeforeCommit,
  tookTooLong,
} from './trouble.ts'

/** Enough to keep a few cores of PostgreSQL busy; more only queue there instead of here. */
const CONNECTIONS_MAX = 16
/** Of these, for reads that travel together; the pool keeps two at least. */
const LANE_SHARE = 0.25
const POOLED_MIN = 2
/** Whoever has to wait longer for a lock waits in the pool, where nobody is behind. */
const LANE_LOCK_MAX_MS = 50
/** For a connection that others have. To wait so long is no failure of the server, and drops nothing. */
const WAIT_MAX_MS = 5000
/** Servers before 17 do not know this limit, and would refuse a connection that names it. What the URL says wins. */
const NO_TRANSACTION_LIMIT = `select set_config(name, '0', false) from pg_settings
  where name = 'transaction_timeout' and source <> 'client'`

export interface PoolOptions {
  /** Without limits of time, for whoever changes the schema. */
  unhurried?: boolean
  connectionsMax?: number | undefined
}

/**
 * Connections to whichever of the URL's hosts accepts writes: never more than 16, whatever happens. A connection that
 * fails is closed by itself, and only then is the writable host looked for anew. All of them are replaced when the
 * host has turned read-only, or another one accepts writes in its place.
 */
export class WritablePool implements PostgresPool {
  readonly options = {}
  /** For reads of one statement; not through a pooler, where statements have no names. */
  readonly lanes: ReadLanes | undefined
  readonly #servers: Servers
  readonly #pool: pg.Pool
  readonly #onError: (error: Error) => void
  readonly #search = new SingleFlight<void>()
  readonly #lostAnswers: LostAnswers | undefined
  /** Which of the replacements a connection belongs to. */
  readonly #generationOf = new WeakMap<pg.ClientBase, number>()
  readonly #failureOf = new WeakMap<pg.ClientBase, Error>()
  #generation = 0
  #server: Server | undefined
  /** Whether nothing speaks against the server since it was found. */
  #trusted = false

  constructor(url: string, onError: (error: Error) => void, options: PoolOptions = {}) {
    const { unhurried = false, connectionsMax = CONNECTIONS_MAX } = options
    this.#servers = serversOf(url, unhurried)
    this.#onError = onError
    const lanesMax = Math.max(1, Math.floor(connectionsMax * LANE_SHARE))
    if (!this.#servers.pooled && !unhurried) this.lanes = new ReadLanes(() => this.#openLane(), lanesMax)
    const opened = (client: pg.Client) => this.#generationOf.set(client, this.#generation)
    const server = () => this.#server as Server
    this.#pool = new pg.Pool({
      max: this.lanes ? Math.max(POOLED_MIN, connectionsMax - lanesMax) : connectionsMax,
      onConnect: async (client) => {
        await requireWritable(client, server())
        if (unhurried && !this.#servers.pooled) await client.query(NO_TRANSACTION_LIMIT)
      },
      Client: class extends pg.Client {
        constructor() {
          super(server())
          opened(this)
          // A connection that breaks while it is in use also fails its query; unheard, its event would end the process.
          this.on('error', () => {})
          limitConnecting(this, server())
        }
      },
    })
    // The first error has the reason; another tells only that the connection has ended.
    this.#pool.on('connect', (client) => client.once('error', (error) => this.#failureOf.set(client, error)))
    this.#pool.on('error', ({ message }, client) => {
      // Nothing is lost that is being closed.
      if (this.#pool.ending) return
      // pg hangs the whole client on its error, settings included: only the sentence belongs in a log.
      this.#onError(new Error(`An idle connection to PostgreSQL was lost: ${message}`))
      this.#doubt(client)
    })
    // Behind a pooler the numbers of the server's processes say nothing.
    if (!this.#servers.pooled && !unhurried) this.#lostAnswers = new LostAnswers(this)
  }

  async connect(): Promise<PostgresPoolClient> {
    try {
      while (true) {
        await this.#found()
        const client = await inTime(this.#pool.connect())
        if (this.isCurrent(client)) return this.#inUse(client)
        client.release(true)
      }
    } catch (error) {
      throw this.#notConnected(error)
    }
  }

  async end(): Promise<void> {
    this.#lostAnswers?.[Symbol.dispose]()
    await this.lanes?.[Symbol.asyncDispose]()
    await this.#pool.end()
  }

  /** Whether `LISTEN` works: not through a pooler, whose sessions are everybody's. */
  get listens(): boolean {
    return !this.#servers.pooled
  }

  /** A connection of its own beside the pool, for whoever must not wait behind the requests. */
  async connectApart(queryMaxMs: number, more: Pick<pg.ClientConfig, 'pipeline'> = {}): Promise<pg.Client> {
    const server = await this.#found()
    const generation = this.#generation
    try {
      const client = await connectTo({ ...server, ...more, query_timeout: queryMaxMs })
      this.#generationOf.set(client, generation)
      return client
    } catch (error) {
      this.#trusted = false
      throw error
    }
  }

  async #openLane(): Promise<LaneConnection> {
    try {
      const client = await this.connectApart(this.#servers.limits.query_timeout, { pipeline: true })
      const { query, isBroken } = this.#askOn(client)
      // As any statement: should its answer be lost, that is found out within two seconds.
      await query(`set lock_timeout = ${LANE_LOCK_MAX_MS}`, [])
      let isOpen = true
      client.once('error', (error) => this.#failureOf.set(client, error))
      client.once('end', () => {
        isOpen = false
        this.#doubt(client)
      })
      return {
        query,
        isUsable: () => isOpen && !isBroken() && this.isCurrent(client),
        end: async () => (isBroken() ? endAtOnce(client) : client.end()),
      }
    } catch (error) {
      throw this.#notConnected(error)
    }
  }

  #notConnected(error: unknown): unknown {
    if (isBusy(error)) return tookTooLong(error)
    if (!isServerTrouble(error)) return error
    this.#trusted = false
    return notReached(error)
  }

  /** Ends a connection that may be dead. */
  discard(client: pg.Client): void {
    endAtOnce(client)
  }

  /** Whether a connection leads to the host that is written to, as far as is known. */
  isCurrent(client: pg.ClientBase): boolean {
    return this.#generationOf.get(client) === this.#generation
  }

  /** While no host answers there is one attempt at a time, however many wait for it. */
  async #found(): Promise<Server> {
    if (!this.#trusted) await this.#search.join('', () => this.#find())
    return this.#server as Server
  }

  async #find(): Promise<void> {
    const server = await findWritable(this.#servers.list)
    if (this.#server && this.#server !== server) this.#generation++
    this.#server = server
    this.#trusted = true
  }

  /** The next one to connect looks for the writable host, unless that has been done since this one connected. */
  #doubt(client: pg.ClientBase): void {
    if (this.isCurrent(client)) this.#trusted = false
  }

  #inUse(client: pg.PoolClient): PostgresPoolClient {
    const asked = this.#askOn(client)
    let isTransaction = false
    const query = (text: string, values: unknown[]) => {
      isTransaction ||= text === 'begin'
      // Of a transaction all has to run again, which is not for a connection to do; a build leaves half an index.
      const isPart = isTransaction || text.startsWith('create index concurrently')
      return isPart ? asked.query(text, values) : runAgain(AFTER_STATEMENT, () => asked.query(text, values))
    }
    return {
      // A cursor, for streaming, is handed through as it is.
      query: ((text: unknown, values: unknown[] = []) =>
        typeof text === 'string' ? query(text, values) : client.query(text as string, values)) as never,
      release: (destroy = false) => {
        if (asked.isBroken()) endAtOnce(client)
        client.release(destroy || asked.isBroken())
      },
    }
  }

  #askOn(client: pg.ClientBase) {
    let broken: unknown
    let isUncommitted = false
    const explained = (error: unknown, text: string): unknown => {
      const told = this.#failureOf.get(client) ?? error
      const failure = isUncommitted ? toldBeforeCommit(told, this.#servers.pooled) : told
      if (isGivenUp(failure)) return tookTooLong(failure)
      if (!isServerTrouble(failure)) return failure
      const state = sqlStateOf(failure)
      if (state !== IDLE_TRANSACTION_ENDED || isConnectionLost(told)) this.#doubt(client)
      if (state === READ_ONLY && this.isCurrent(client)) this.#generation++
      const isUnchanged = isUncommitted || text.startsWith('select ')
      return (broken = isUnchanged ? notReached(failure) : notConfirmed(failure))
    }
    const query = async (text: string, values: unknown[]) => {
      // Such as the rollback after a statement that was never answered.
      if (broken) throw broken
      if (text === 'begin') isUncommitted = true
      else if (text === 'commit') isUncommitted = false
      const answered = this.#lostAnswers?.waiting(client)
      const name = values.length > 0 && !this.#servers.pooled ? nameOf(text) : undefined
      try {
        return await (name ? client.query({ name, text, values }) : client.query(this.#withLimits(text), values))
      } catch (error) {
        if (name && isOutdated(error)) throw toPrepareAnew(error, text, name)
        throw explained(error, text)
      } finally {
        answered?.()
      }
    }
    return { query, isBroken: () => broken !== undefined }
  }

  /** A session has its limits from the start; where sessions are shared each transaction brings them. */
  #withLimits(text: string): string {
    const { pooled, limits } = this.#servers
    if (!pooled || text !== 'begin') return text
    return ['begin', ...Object.entries(limits.server).map(([name, value]) => `set local ${name} = ${value}`)].join(';')
  }
}

/**
 * Not by the limit that the pool has itself, which also ends connections that have answered while this process stood
 * still. Whoever has given up hands on what they get when their turn comes.
 */
function inTime(connecting: Promise<pg.PoolClient>): Promise<pg.PoolClient> {
  return new Promise((resolve, reject) => {
    const waiting = patience(WAIT_MAX_MS)
    waiting.signal.addEventListener('abort', () => {
      reject(noneFree())
      connecting.then(
        (client) => client.release(),
        () => {},
      )
    })
    connecting.then(resolve, reject).finally(() => waiting[Symbol.dispose]())
  })
}
