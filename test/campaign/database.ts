import { setTimeout as wait } from 'node:timers/promises'
import { Client } from 'pg'
import { type PostgresServer, startPostgres } from '../harness/postgres.ts'

/** The fleet's PostgreSQL: a server with a synchronous standby, and what a campaign does to them. */
export interface Database extends AsyncDisposable {
  /** Of the server that is the primary at the moment. */
  readonly port: number
  readonly name: string
  restart(): Promise<void>
  kill(): Promise<void>
  /** Nobody reads or writes animals meanwhile. */
  lockPets(endure: () => Promise<void>): Promise<void>
  /** Strangers take every connection that is left, and hold them. */
  fillConnections(endure: () => Promise<void>): Promise<void>
  /** A column and an index come and go, as a newer version's migration would bring them. */
  migrate(): Promise<void>
  /** The primary dies, the standby takes over and is given a standby of its own. */
  promoteStandby(): Promise<void>
  /** What PostgreSQL finds wrong with the indexes of animals and orders. */
  damage(): Promise<string[]>
}

type Standby = PostgresServer & { promote(): Promise<void> }

const MAX_CONNECTIONS = 60

export async function startDatabase(): Promise<Database> {
  await using building = new AsyncDisposableStack()
  let primary: PostgresServer = await startPostgres({ settings: { max_connections: String(MAX_CONNECTIONS) } })
  building.defer(() => primary[Symbol.asyncDispose]())
  const name = new URL(await primary.createDatabase()).pathname.slice(1)
  let standby: Standby = await primary.startStandby()
  building.defer(() => standby[Symbol.asyncDispose]())
  await replicateSynchronously(primary)
  const opened = building.move()
  const urlOf = ({ port }: PostgresServer) => `postgres://postgres@127.0.0.1:${port}/${name}`

  return {
    get port() {
      return primary.port
    },
    name,
    restart: () => primary.restart(),
    async kill() {
      await primary.kill()
      await primary.restart()
    },
    async lockPets(endure) {
      await withClient(urlOf(primary), async (client) => {
        await client.query('begin')
        await client.query('lock table pets in access exclusive mode')
        await endure()
        await client.query('rollback')
      })
    },
    async fillConnections(endure) {
      const url = urlOf(primary)
      const strangers = Array.from({ length: MAX_CONNECTIONS }, () => new Client(url).on('error', () => {}))
      await Promise.allSettled(strangers.map((client) => client.connect()))
      await endure()
      await Promise.allSettled(strangers.map((client) => client.end()))
    },
    async migrate() {
      await withClient(urlOf(primary), async (client) => {
        await alter(client, 'add column campaign integer')
        // Waits for every transaction that is older, as long as that takes; one that never ends is found here.
        await client.query(`set statement_timeout = '2min'`)
        const built = client.query('create index concurrently campaign_index on pets (campaign)')
        await built.catch(async (error: Error) => {
          const { rows } = await client.query(OLDEST)
          throw new Error(`${error.message}; the oldest transactions are ${JSON.stringify(rows)}`)
        })
        await wait(500)
        await alter(client, 'drop column campaign')
      })
    },
    async promoteStandby() {
      await primary.kill()
      await standby.promote()
      const former = primary
      primary = standby
      await former[Symbol.asyncDispose]()
      standby = await primary.startStandby()
      await replicateSynchronously(primary)
    },
    async damage() {
      const found: string[] = []
      await withClient(urlOf(primary), async (client) => {
        await client.query('create extension if not exists amcheck')
        const indexes = await client.query<{ name: string }>(
          `select c.oid::regclass::text as name from pg_class c join pg_index i on i.indexrelid = c.oid
           join pg_am a on a.oid = c.relam and a.amname = 'btree'
           where i.indrelid in ('pets'::regclass, 'orders'::regclass)`,
        )
        for (const { name } of indexes.rows)
          await client
            .query('select bt_index_check($1::regclass, true)', [name])
            .catch((error: Error) => found.push(`index ${name}: ${error.message}`))
      })
      return found
    },
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  }
}

const OLDEST = `select pid, state, wait_event, now() - xact_start as age, query from pg_stat_activity
  where xact_start is not null and pid <> pg_backend_pid() order by xact_start limit 5`
const LOCK_NOT_AVAILABLE = '55P03'

/** As a migration of the service does it: whoever stands behind a lock that is not to be had passes soon. */
async function alter(client: Client, change: string): Promise<void> {
  await client.query(`set lock_timeout = '500ms'`)
  let altered = false
  while (!altered) {
    altered = await client.query(`alter table pets ${change}`).then(
      () => true,
      (error: Error & { code?: string }) => {
        if (error.code !== LOCK_NOT_AVAILABLE) throw error
        return false
      },
    )
  }
  await client.query('set lock_timeout = 0')
}

/** A commit is then acknowledged once the standby has it on its disk. */
async function replicateSynchronously(primary: PostgresServer): Promise<void> {
  await withClient(primary.url, async (client) => {
    await client.query(`alter system set synchronous_standby_names = '*'`)
    await client.query('select pg_reload_conf()')
    const streaming = `select count(*)::int as count from pg_stat_replication where sync_state = 'sync'`
    while ((await client.query<{ count: number }>(streaming)).rows[0]?.count !== 1) await wait(50)
  })
}

async function withClient(url: string, work: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client(url)
  client.on('error', () => {})
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end().catch(() => {})
  }
}
