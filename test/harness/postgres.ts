import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { freePorts } from './free-ports.ts'
import { findPostgresBinaries, type PostgresBinaries, serverUser } from './postgres-binaries.ts'
import { storeStarterContents } from './schema.ts'
import { until } from './until.ts'

/** What a test needs that never stops the server. */
export interface PostgresDatabases extends AsyncDisposable {
  readonly port: number
  /** Of a new, empty database. */
  createDatabase(): Promise<string>
  /** Of a new database with the schema and the starter site's contents: a copy, migrating takes ten times as long. */
  createSchema(): Promise<string>
}

export interface PostgresServer extends PostgresDatabases {
  /** Of the database `postgres`. */
  readonly url: string
  /** Ends sessions, writes everything out and stops: what an operator does. */
  stop(): Promise<void>
  /** Stops at once and writes nothing out (PostgreSQL's `immediate`): the next start recovers from the log. */
  kill(): Promise<void>
  /** Starts at the same address on the same data; stops first when it runs. */
  restart(): Promise<void>
  /** A hot standby that streams from this server, which stops for a moment to be copied. */
  startStandby(): Promise<PostgresServer & { promote(): Promise<void> }>
}

export interface PostgresOptions {
  /** Server settings, such as `{ synchronous_standby_names: '*' }`. */
  settings?: Record<string, string>
}

const STOP_MAX_MS = 10_000

/** Where `npm test` has a server for all files: its port. */
export const SHARED_PORT = 'PETSTORE_TEST_POSTGRES_PORT'
/** Where it has a data directory that no server has run on. To copy it takes a tenth of the time of `initdb`. */
export const SHARED_CLUSTER = 'PETSTORE_TEST_CLUSTER'

/** How it copies a database. */
export const SHARED_STRATEGY = 'PETSTORE_TEST_POSTGRES_STRATEGY'

/**
 * Of the server of the whole run. Nobody pulls its plug and nobody follows it, so that it waits for no disk and writes
 * little of a log; its databases are gone before there is anything to tidy up in them.
 */
export const SHARED_SETTINGS = {
  fsync: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  autovacuum: 'off',
}

/** Databases on the server of the whole run; a file that is run alone starts one. */
export async function openPostgres(): Promise<PostgresDatabases> {
  const port = Number(process.env[SHARED_PORT])
  if (!port) return startPostgres({ settings: SHARED_SETTINGS })
  const created: string[] = []
  const noted = async (made: Promise<string>) => {
    const url = await made
    created.push(url)
    return url
  }
  const { createDatabase, createSchema } = databasesAt(port)
  return {
    port,
    createDatabase: () => noted(createDatabase()),
    createSchema: () => noted(createSchema()),
    // Each takes 11 MB, and a run makes hundreds.
    async [Symbol.asyncDispose]() {
      await withClient(urlOf(port, 'postgres'), async (client) => {
        for (const url of created) await client.query(`drop database ${new URL(url).pathname.slice(1)} with (force)`)
      })
    },
  }
}

/** A real PostgreSQL server on a free loopback port, with fsync on, that goes away with the test. */
export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer> {
  return startServer({ ...(await makeCluster()), settings: options.settings ?? {} })
}

/** The files of a server that has not run yet. */
export async function makeCluster(): Promise<Omit<Cluster, 'settings'>> {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-postgres-'))
  const binaries = findPostgresBinaries(directory)
  own(directory)
  const data = join(directory, 'data')
  const made = process.env[SHARED_CLUSTER]
  if (made) await promisify(execFile)('cp', ['-a', made, data])
  else await initialise({ directory, data, binaries })
  return { directory, data, binaries }
}

async function initialise({ directory, data, binaries }: Omit<Cluster, 'settings'>): Promise<void> {
  mkdirSync(data, { mode: 0o700 })
  own(data)
  // A half made cluster is thrown away, so that only the server itself has to sync.
  const options = ['-D', data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-locale', '--no-sync']
  await promisify(execFile)(binaries.initdb, options, { ...serverUser, cwd: directory })
}

interface Cluster {
  directory: string
  data: string
  binaries: PostgresBinaries
  settings: Record<string, string>
}

async function startServer(cluster: Cluster): Promise<PostgresServer> {
  const { directory, data, binaries } = cluster
  const [port] = (await freePorts(1)) as [number]
  const url = urlOf(port, 'postgres')
  let server: ChildProcess | undefined

  const endAtExit = () => {
    server?.kill('SIGQUIT')
    rmSync(directory, { recursive: true, force: true })
  }
  process.once('exit', endAtExit)
  exitOnSignals()
  try {
    await start()
  } catch (error) {
    endAtExit()
    throw error
  }

  return {
    url,
    port,
    ...databasesAt(port),
    stop: () => end('SIGINT'),
    kill: () => end('SIGQUIT'),
    async restart() {
      await end('SIGINT')
      await start()
    },
    async startStandby() {
      await end('SIGINT')
      const copy = copyForStandby(cluster, port)
      await start()
      const standby = await startServer(copy)
      return Object.assign(standby, { promote: () => query(standby.url, 'select pg_promote(true)') })
    },
    async [Symbol.asyncDispose]() {
      await end('SIGINT')
      process.off('exit', endAtExit)
      rmSync(directory, { recursive: true, force: true })
    },
  }

  async function start(): Promise<void> {
    const settings = { listen_addresses: '127.0.0.1', fsync: 'on', max_connections: '200', ...cluster.settings }
    const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
    const child = spawn(binaries.postgres, ['-D', data, '-p', String(port), '-k', directory, ...flags], {
      ...serverUser,
      cwd: directory,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    server = child
    let printed = ''
    child.stderr?.setEncoding('utf8').on('data', (text: string) => (printed = (printed + text).slice(-4000)))
    await untilItAnswers(child, url, () => printed)
  }

  async function end(signal: 'SIGINT' | 'SIGQUIT'): Promise<void> {
    const running = server
    if (!running || hasEnded(running)) return
    const ended = once(running, 'exit')
    running.kill(signal)
    const late = setTimeout(() => running.kill('SIGQUIT'), STOP_MAX_MS)
    await ended
    clearTimeout(late)
  }
}

const urlOf = (port: number, database: string) => `postgres://postgres@127.0.0.1:${port}/${database}`

function databasesAt(port: number) {
  let template: Promise<void> | undefined
  return {
    createDatabase: () => createDatabase(port, 'template1'),
    async createSchema() {
      await (template ??= makeTemplate(port))
      return createDatabase(port, TEMPLATE)
    },
  }
}

async function createDatabase(port: number, template: string): Promise<string> {
  const name = `petstore_${randomBytes(8).toString('hex')}`
  const strategy = process.env[SHARED_STRATEGY] ?? 'wal_log'
  await query(urlOf(port, 'postgres'), `create database ${name} template ${template} strategy ${strategy}`)
  return urlOf(port, name)
}

const TEMPLATE = 'petstore_schema'

/** Whoever needs it first makes it, in whichever process; nobody may be connected to what is copied. */
async function makeTemplate(port: number): Promise<void> {
  await withClient(urlOf(port, 'postgres'), async (client) => {
    const isThere = async () =>
      (await client.query('select from pg_database where datname = $1', [TEMPLATE])).rowCount === 1
    if (await isThere()) return
    await client.query('select pg_advisory_lock(1)')
    if (await isThere()) return
    const { migrations } = await import('../../src/migrations.ts')
    const { openStorage } = await import('../../src/platform/storage/open.ts')
    const making = `${TEMPLATE}_making`
    await client.query(`create database ${making}`)
    const place = { dataDirectory: tmpdir(), databaseUrl: urlOf(port, making) }
    const storage = await openStorage({ ...place, migrations, onError: () => {} })
    await storeStarterContents(storage)
    await storage[Symbol.asyncDispose]()
    await client.query(`alter database ${making} rename to ${TEMPLATE}`)
  })
}

function copyForStandby(primary: Cluster, primaryPort: number): Cluster {
  const directory = mkdtempSync(join(tmpdir(), 'petstore-postgres-'))
  own(directory)
  const data = join(directory, 'data')
  execFileSync('cp', ['-a', primary.data, data])
  writeFileSync(join(data, 'standby.signal'), '')
  own(join(data, 'standby.signal'))
  const primary_conninfo = `host=127.0.0.1 port=${primaryPort} user=postgres application_name=standby`
  // A primary that is back waits for its standby with every commit; by itself that looks for it every five seconds.
  const settings = { primary_conninfo, recovery_target_timeline: 'latest', wal_retrieve_retry_interval: '200ms' }
  return { ...primary, directory, data, settings }
}

async function untilItAnswers(server: ChildProcess, url: string, printed: () => string): Promise<void> {
  const answers = () =>
    query(url, 'select 1').then(
      () => true,
      () => false,
    )
  await until('PostgreSQL starts', async () => hasEnded(server) || (await answers()))
  if (hasEnded(server)) throw new Error(`PostgreSQL did not start:\n${printed()}`)
}

const query = (url: string, text: string) => withClient(url, async (client) => void (await client.query(text)))

async function withClient(url: string, work: (client: Client) => Promise<void>): Promise<void> {
  const client = new Client({ connectionString: url })
  client.on('error', () => {})
  try {
    await client.connect()
    await work(client)
  } finally {
    await client.end().catch(() => {})
  }
}

const hasEnded = (child: ChildProcess) => child.exitCode !== null || child.signalCode !== null

function own(path: string): void {
  if (serverUser.uid !== undefined) chownSync(path, serverUser.uid, serverUser.gid)
}

/** A signal ends a process without its exit handlers, and the server would outlive the test that started it. */
let exitsOnSignals = false

function exitOnSignals(): void {
  if (exitsOnSignals) return
  exitsOnSignals = true
  process.once('SIGTERM', () => process.exit(143))
  process.once('SIGINT', () => process.exit(130))
}
