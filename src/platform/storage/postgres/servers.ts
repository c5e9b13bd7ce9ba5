import pg from 'pg'
import { patience } from '../../clock.ts'
import { exactNumber } from '../../int64.ts'
import { ADDRESS_FORM, addressesOf } from './address.ts'

/** Integers keep every digit: a number where a number holds it, a bigint beyond. */
const types = new pg.TypeOverrides()
types.setTypeParser(pg.types.builtins.INT8, (text) => exactNumber(BigInt(text)))

/** Short, because an attempt that began during a stall keeps the others waiting when it is over. */
const CONNECT_MAX_MS = 1500
/** A pooler lets people wait until one of its own connections is free. */
const POOLER_CONNECT_MAX_MS = 5000
/** At the start, when nobody waits yet and everything starts at once. */
const START_CONNECT_MAX_MS = 10_000

/** A server that says nothing for so long is taken for lost; `query_timeout` in the URL changes it. */
const QUERY_MAX_MS = 15_000
/**
 * An instance that stops in the middle of a transaction holds its locks no longer than this: the server ends the
 * transaction, and whoever waits goes on. Between two statements of one that runs there are some milliseconds.
 */
const IDLE_IN_TRANSACTION_MAX_MS = 1000
/**
 * Shorter, so that the transactions of a stopped instance that wait for one of its own give up before that one ends,
 * and do not hold the lock one after the other. The last of them may have had to wait just less than this, and hold it
 * for a second then: 1.75 s is what others wait at most. Whoever runs tries again: see `storage.ts`.
 */
const LOCK_MAX_MS = 750

/** How the server is told to clean up after an instance that has gone without a word: within half a minute. */
const GONE = { tcp_keepalives_idle: 10, tcp_keepalives_interval: 5, tcp_keepalives_count: 3, tcp_user_timeout: 25_000 }

export interface Server extends pg.ClientConfig {
  /** To connect, and then to say whether it accepts writes. */
  connectMaxMs: number
}

export interface Servers {
  /** One for each host of the URL. */
  readonly list: readonly Server[]
  /**
   * PgBouncer in transaction mode stands between, by `pgbouncer=true` in the URL: nothing may belong to a session, so
   * there are no named statements, no LISTEN, and the limits come with each transaction instead of the connection.
   */
  readonly pooled: boolean
  readonly limits: Limits
}

/** What the server itself ends, so that nothing is left running there that nobody waits for here. Milliseconds. */
interface Limits {
  query_timeout: number
  server: Record<'statement_timeout' | 'lock_timeout' | 'idle_in_transaction_session_timeout', number>
}

/** One configuration for each host. */
export function serversOf(url: string, unhurried = false): Servers {
  const addresses = addressesOf(url)
  if (!addresses) throw new Error(`A PostgreSQL database must be given as ${ADDRESS_FORM}`)
  const settings = addresses[0].searchParams
  const pooled = settings.get('pgbouncer') === 'true'
  const limits = unhurried ? NO_LIMITS : limitsOf(Number(settings.get('query_timeout') ?? QUERY_MAX_MS))
  const list = addresses.map((address) => {
    const options = pooled ? undefined : optionsOf(address.searchParams.get('options') ?? '', limits)
    for (const name of ['pgbouncer', 'query_timeout', 'options', 'application_name']) address.searchParams.delete(name)
    return {
      connectionString: address.href,
      host: address.hostname,
      port: Number(address.port || 5432),
      // Commands ask by this name whether a service is running: one in the URL would hide it, and is not used.
      application_name: unhurried ? 'petstore schema' : 'petstore',
      connectMaxMs: unhurried ? START_CONNECT_MAX_MS : pooled ? POOLER_CONNECT_MAX_MS : CONNECT_MAX_MS,
      query_timeout: limits.query_timeout,
      keepAlive: true,
      types,
      ...(options && { options }),
    }
  })
  return { list, pooled, limits }
}

/** As the driver reads it: a query may carry it, and what cannot be decoded stands for itself. */
export function passwordOf(url: string): string {
  return new pg.Client(serversOf(url).list[0]).password ?? ''
}

/** A new index on millions of animals takes longer than any request may, and than the database lets others take. */
const NO_LIMITS: Limits = {
  query_timeout: 0,
  server: { statement_timeout: 0, lock_timeout: 0, idle_in_transaction_session_timeout: 0 },
}

function limitsOf(queryMaxMs: number): Limits {
  // Rounded up, because 0 would be no limit.
  const server = {
    // The server gives up before the client does: a connection is then free again, and not left behind.
    statement_timeout: Math.ceil((queryMaxMs * 2) / 3),
    lock_timeout: Math.min(LOCK_MAX_MS, Math.ceil(queryMaxMs / 3)),
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MAX_MS,
  }
  return { query_timeout: queryMaxMs, server }
}

/** What the operator wrote comes last, and wins. */
function optionsOf(written: string, { server }: Limits): string {
  const own = Object.entries({ ...GONE, ...server }).map(([name, value]) => `-c ${name}=${value}`)
  return [...own, written].join(' ').trim()
}

/** `pg` has no `target_session_attrs`: the hosts are asked one after the other. */
export async function findWritable(servers: readonly Server[]): Promise<Server> {
  let failure: unknown
  for (const server of servers) {
    try {
      const client = await connectTo(server)
      void client.end().catch(() => {})
      return server
    } catch (error) {
      failure = error
    }
  }
  throw new Error('No server of DATABASE_URL accepts writes.', { cause: failure })
}

/** Rejects when the server is a standby. */
export async function connectTo(server: Server): Promise<pg.Client> {
  const client = new pg.Client(server)
  client.on('error', () => {})
  limitConnecting(client, server)
  try {
    await client.connect()
    await requireWritable(client, server)
    return client
  } catch (error) {
    endAtOnce(client)
    throw error
  }
}

/** Not by the driver's own timer, which calls a server silent that has answered while this process stood still. */
export function limitConnecting(client: pg.ClientBase, { connectMaxMs }: Server): void {
  const waiting = endAfter(client, connectMaxMs)
  const stop = () => waiting[Symbol.dispose]()
  client.once('connect', stop).once('end', stop)
}

export async function requireWritable(client: pg.ClientBase, { host, port, connectMaxMs }: Server): Promise<void> {
  using _ = endAfter(client, connectMaxMs)
  const { rows } = await client.query<{ standby: boolean }>('select pg_is_in_recovery() as standby')
  if (rows[0]?.standby) throw new Error(`${host}:${port} is a standby`)
}

function endAfter(client: pg.ClientBase, ms: number): Disposable {
  const waiting = patience(ms)
  waiting.signal.addEventListener('abort', () => endAtOnce(client))
  return waiting
}

/** Without the farewell, for which a silent network would never be thanked. */
export function endAtOnce(client: pg.ClientBase): void {
  const { connection } = client as unknown as { connection: { stream: { destroy(): void } } }
  connection.stream.destroy()
}
