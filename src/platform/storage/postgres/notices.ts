import type pg from 'pg'
import type { Notice, Notices } from '../storage.ts'
import type { WritablePool } from './pool.ts'

export const CHANNEL = 'petstore_notices'
/** Beyond every transaction: the first look takes nothing but the horizon. */
const NOTHING_YET = '9223372036854775807'
/** A look that takes longer is made again on a new connection: this one may be dead. */
const LOOK_MAX_MS = 1000

/**
 * The notices in the order in which they can be seen. Their numbers say nothing about that: a transaction that took a
 * low one may commit after many with higher ones. So each look begins with the oldest transaction that was under way at
 * the look before. `server` tells another one that has taken over, where the numbers may mean something else.
 */
const QUESTION = `
  select pg_postmaster_start_time()::text as server,
    pg_snapshot_xmin(pg_current_snapshot())::text as horizon,
    coalesce((select json_agg(json_build_object('seq', seq, 'topic', topic, 'subject', subject) order by seq)
              from notices where xid >= $1::bigint), '[]') as notices`

interface Look {
  server: string
  horizon: string
  notices: (Notice & { seq: number })[]
}

/** On a connection of its own: requests that keep the pool busy do not hold it up, and it listens meanwhile. */
export class PostgresNotices implements Notices {
  readonly #pool: WritablePool
  readonly #wake: () => void
  #client: pg.Client | undefined
  #server: string | undefined
  #horizon = NOTHING_YET
  #seen = new Set<number>()

  constructor(pool: WritablePool, wake: () => void) {
    this.#pool = pool
    this.#wake = wake
  }

  async read() {
    const { server, horizon, notices } = await this.#look().catch(() => this.#look())
    const gap = this.#server !== undefined && this.#server !== server
    const fresh = notices.filter(({ seq }) => !this.#seen.has(seq))
    // Only what is at or behind the horizon can come again, and nothing before it.
    this.#seen = new Set(notices.map(({ seq }) => seq))
    this.#server = server
    this.#horizon = horizon
    return { gap, notices: fresh }
  }

  async end(): Promise<void> {
    await this.#client?.end().catch(() => {})
  }

  async #look(): Promise<Look> {
    const client = (this.#client ??= await this.#connect())
    try {
      if (!this.#pool.isCurrent(client)) throw new Error('Another server is written to.')
      const { rows } = await client.query<Look>(QUESTION, [this.#horizon])
      return rows[0] as Look
    } catch (error) {
      this.#client = undefined
      this.#pool.discard(client)
      throw error
    }
  }

  async #connect(): Promise<pg.Client> {
    const client = await this.#pool.connectApart(LOOK_MAX_MS)
    client.on('notification', this.#wake)
    client.once('end', this.#wake)
    if (this.#pool.listens) await client.query(`listen ${CHANNEL}`)
    return client
  }
}
