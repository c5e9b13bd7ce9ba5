import pg from 'pg'
import type { PostgresPool, PostgresPoolClient } from 'kysely'
import { exactNumber } from '../../int64.ts'
import { isServerTrouble, notConfirmed, notReached } from './trouble.ts'

/** Integers keep every digit: a number where a number holds it, a bigint beyond. */
const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.INT8, (text) => exactNumber(BigInt(text)))

const CONNECT_TIMEOUT_MS = 3000
/** A server that says nothing for so long is taken for lost; `query_timeout` in the URL changes it. */
const QUERY_MAX_MS = 15_000
/** Enough to keep a few cores of PostgreSQL busy; more only queue there instead of here. */
const CONNECTIONS_MAX = 16
/** Statements known by name skip the parser on the server; texts beyond this many stay unnamed. */
const NAMED_STATEMENTS_MAX = 500

export interface PoolOptions {
  queryMaxMs?: number
  connectionsMax?: number | undefined
}

/**
 * A pool on whichever of the URL's hosts accepts writes.
 *
 * `pg` has no `target_session_attrs`, so hosts are asked with `pg_is_in_recovery()`; the pool is
 * dropped and the hosts are asked again when the server turns read-only or goes away.
 */
export class WritablePool implements PostgresPool {
  readonly options = {}
  readonly #servers: pg.ClientConfig[]
  readonly #onError: (error: Error) => void
  readonly #connectionsMax: number
  #pool: Promise<pg.Pool> | undefined
  #ended = false

  constructor(url: string, onError: (error: Error) => void, options: PoolOptions = {}) {
    const { queryMaxMs = QUERY_MAX_MS, connectionsMax = CONNECTIONS_MAX } = options
    this.#servers = serversOf(url).map((server) => ({ query_timeout: queryMaxMs, ...server }))
    this.#connectionsMax = connectionsMax
    this.#onError = onError
  }

  async connect(): Promise<PostgresPoolClient> {
    try {
      const client = await (await this.#current()).connect()
      return withNamedStatements(client, (error) => this.#explain(error, notConfirmed))
    } catch (error) {
      throw this.#explain(error, notReached)
    }
  }

  async end(): Promise<void> {
    this.#ended = true
    await (await this.#pool)?.end()
  }

  /** The next connect looks for the writable server anew; connections in use finish on their own. */
  drop(): void {
    const dropped = this.#pool
    this.#pool = undefined
    dropped?.then((pool) => pool.end()).catch(() => {})
  }

  /** A connection outside the pool, for LISTEN. */
  async listener(): Promise<pg.Client> {
    const { options } = await this.#current()
    const client = new pg.Client(options as pg.ClientConfig)
    await client.connect()
    return client
  }

  /** Trouble with the server ends in a new look for a writable one, and in a 503; anything else is left as it is. */
  #explain(error: unknown, asUnavailable: (cause: unknown) => Error): unknown {
    if (!isServerTrouble(error)) return error
    this.drop()
    return asUnavailable(error)
  }

  #current(): Promise<pg.Pool> {
    if (this.#ended) throw new Error('The pool has been closed.')
    this.#pool ??= this.#open().catch((error: unknown) => {
      this.#pool = undefined
      throw error
    })
    return this.#pool
  }

  async #open(): Promise<pg.Pool> {
    const config = await findWritable(this.#servers)
    const pool = new pg.Pool({
      ...config,
      types,
      max: this.#connectionsMax,
      connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    })
    // A connection that breaks while it is in use also fails its query; unheard, its event would end the process.
    pool.on('connect', (client) => client.on('error', () => {}))
    pool.on('error', ({ message }) => {
      // pg hangs the whole client on its error, settings included: only the sentence belongs in a log.
      this.#onError(new Error(`An idle connection to ${config.host}:${config.port} was lost: ${message}`))
      this.drop()
    })
    return pool
  }
}

async function findWritable(servers: pg.ClientConfig[]): Promise<pg.ClientConfig> {
  let failure: unknown
  for (const server of servers) {
    const client = new pg.Client({ ...server, connectionTimeoutMillis: CONNECT_TIMEOUT_MS })
    client.on('error', () => {})
    try {
      await client.connect()
      const { rows } = await client.query<{ standby: boolean }>('select pg_is_in_recovery() as standby')
      if (!rows[0]?.standby) return server
      failure = new Error(`${server.host}:${server.port} is a standby`)
    } catch (error) {
      failure = error
    } finally {
      await client.end().catch(() => {})
    }
  }
  throw new Error('No server of DATABASE_URL accepts writes.', { cause: failure })
}

/** `postgres://user:secret@one:5432,two:5432/name?sslmode=require` → one configuration for each host. */
export function serversOf(url: string): pg.ClientConfig[] {
  const match = /^(postgres(?:ql)?:\/\/(?:[^@/]*@)?)([^/?]*)(.*)$/.exec(url)
  if (!match) throw new Error('DATABASE_URL is not an address like postgres://user:password@host:5432/name.')
  const [, before = '', hosts = '', after = ''] = match
  return hosts.split(',').map((host) => {
    const parsed = new URL(`${before}${host || 'localhost'}${after}`)
    return {
      connectionString: parsed.href,
      host: parsed.hostname,
      port: Number(parsed.port || 5432),
      application_name: 'petstore',
      keepAlive: true,
    }
  })
}

const statementNames = new Map<string, string>()

function nameOf(text: string): string | undefined {
  const known = statementNames.get(text)
  if (known || statementNames.size >= NAMED_STATEMENTS_MAX) return known
  const name = `petstore_${statementNames.size + 1}`
  statementNames.set(text, name)
  return name
}

function withNamedStatements(client: pg.PoolClient, explain: (error: unknown) => unknown): PostgresPoolClient {
  const query = (text: string, values: unknown[]) => {
    const name = values.length > 0 ? nameOf(text) : undefined
    return name ? client.query({ name, text, values }) : client.query(text, values)
  }
  return {
    query: ((text: unknown, values: unknown[] = []) => {
      // A cursor, for streaming, is handed through as it is.
      if (typeof text !== 'string') return client.query(text as string, values)
      return query(text, values).catch((error: unknown) => {
        throw explain(error)
      })
    }) as unknown as PostgresPoolClient['query'],
    release: (destroy?: boolean) => client.release(destroy),
  }
}
