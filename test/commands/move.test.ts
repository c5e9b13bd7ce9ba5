import assert from 'node:assert/strict'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { command } from '../../src/commands/move.ts'
import type { Terminal } from '../../cli/src/line/terminal.ts'
import { migrations } from '../../src/migrations.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { openStorage } from '../../src/platform/storage/open.ts'
import type { FirstKeys } from '../../src/service/first-start.ts'
import { askHttps } from '../deploys/visitor.ts'
import { handshake } from '../edge/tls-fixture.ts'
import { publishOwnSite } from '../harness/own-site.ts'
import { openPostgres, type PostgresDatabases } from '../harness/postgres.ts'
import { startTestPetstore, type TestPetstore } from '../harness/petstore.ts'
import { until } from '../harness/until.ts'
import { Browser } from '../platform-api/browser.ts'
import { attachSandboxDomain, expect, PASSWORD, tokenOf } from '../platform-api/house.ts'
import { runJson, startCommand, temporaryDirectory } from './command.ts'

const HOST = 'www.example.test'
const DIGITS = '9007199254740993'

interface Moved {
  rows: number
  tables: { table: string; rows: number; sha256: string }[]
}

let postgres: PostgresDatabases
const home = temporaryDirectory()
const data = join(home.path, 'data')
const environment = { PETSTORE_DATA: data }
let keys: FirstKeys
let cookies: Map<string, string>
let site: { fingerprint: string; page: string }
let animals: string

before(async () => {
  postgres = await openPostgres()
  await using shop = await startTestPetstore({ dataDirectory: data })
  keys = shop.keys
  const owner = new Browser(shop)
  await fill(shop, owner)
  cookies = owner.cookies
  animals = await (await shop.call('/pets?limit=100')).text()
  site = await visit(shop)
})
after(async () => {
  await postgres[Symbol.asyncDispose]()
  home[Symbol.dispose]()
})

test(
  'the service goes on at PostgreSQL with the same keys, sessions, certificates and sites, and comes back',
  { timeout: 300_000 },
  async () => {
    const url = await postgres.createDatabase()
    const moved = await runJson<Moved>(['move', url], { environment })
    assert.ok(moved.tables.length > 30 && moved.rows > 50, JSON.stringify(moved.tables))
    await goesOn(data, { DATABASE_URL: url }, 4)

    await assert.rejects(move(url, data), /The target holds other data \(accounts, .*: give an empty one\.$/)

    const again = join(home.path, 'again')
    const back = await runJson<Moved>(['move', again, '--from', url], { environment })
    assert.ok(back.rows > moved.rows)
    assert.equal(statSync(join(again, 'petstore.sqlite')).mode & 0o777, 0o600)
    assert.equal(statSync(join(again, 'master.key')).mode & 0o777, 0o600)
    assert.deepEqual(hashesOf(await move(join(home.path, 'third'), again)), hashesOf(back))
    await goesOn(again, {}, 5)

    await assert.rejects(move(again, url), /There is a database in .*again/)
  },
)

test('a move that is killed leaves nothing behind, and is simply run again', { timeout: 300_000 }, async () => {
  const url = await postgres.createDatabase()
  // The tables are there, so that one of them can be held.
  await (
    await openStorage({ dataDirectory: data, databaseUrl: url, migrations, onError: assert.fail })
  )[Symbol.asyncDispose]()
  const [holder, onlooker] = [new pg.Client(url), new pg.Client(url)]
  await Promise.all([holder.connect(), onlooker.connect()])
  const isTrue = async (condition: string) =>
    (await onlooker.query<{ so: boolean }>(`select exists (${condition}) as so`)).rows[0]?.so === true
  const inDatabase = 'select from pg_stat_activity where datname = current_database()'
  // It may be read: the move comes to wait for it in the middle of its copying.
  await holder.query('begin; lock table pets in exclusive mode')
  const killed = startCommand(['move', url], { environment })
  await until('the move waits', () => isTrue(`${inDatabase} and wait_event_type = 'Lock'`))
  killed.child.kill('SIGKILL')
  await killed.ended
  await holder.end()
  await until(
    'its transaction has ended',
    async () => !(await isTrue(`${inDatabase} and application_name like 'petstore%'`)),
  )
  assert.equal(await isTrue('select from projects'), false)
  await onlooker.end()

  const moved = await move(url, data)
  assert.deepEqual(hashesOf(await move(url, data)), hashesOf(moved), 'and once more')
})

test(
  'a service that runs is not left behind by mistake, and a rehearsal says what it is',
  { timeout: 300_000 },
  async () => {
    const url = await postgres.createDatabase()
    await using _running = await startTestPetstore({ dataDirectory: data, keys })
    await assert.rejects(
      move(url, data),
      /A service is running on .*data: .* Stop it first, or try the move out with --rehearsal/,
    )
    const said: string[] = []
    await move(url, data, { rehearsal: true, json: false }, (text) => said.push(text))
    assert.match(said.join('\n'), /^Copied [\d,]+ rows of \d+ tables to postgres:\/\/127[^]*This was a rehearsal/)
  },
)

test('what cannot be moved is refused with a sentence', async () => {
  const foreign = await postgres.createDatabase()
  const client = new pg.Client(foreign)
  await client.connect()
  await client.query('create table strangers (name text)')
  await client.end()
  const elsewhere = join(home.path, 'new')
  await assert.rejects(move(foreign, data), /holds the tables of something else/)
  await assert.rejects(move(data, data), /The data is in .*data already: say where from/)
  await assert.rejects(move(elsewhere, join(home.path, 'none')), /There is no database in .*none/)
  await assert.rejects(move(elsewhere, foreign), /is no database of Petstore/)
})

test('a move waits for nobody who keeps the source busy, as every write of a service would behind it', async () => {
  const url = await postgres.createSchema()
  const backup = new pg.Client(url)
  await backup.connect()
  await backup.query('begin')
  await backup.query('select count(*) from outbox_messages')
  await assert.rejects(move(join(home.path, 'new'), url), /A service or another program, such as a backup, is using /)
  await backup.end()
})

test('whoever waits in a clone of the source, where tables have the same numbers, is no service of it', async () => {
  const [url, clone] = [await postgres.createSchema(), await postgres.createSchema()]
  const [holder, waiter] = [new pg.Client(clone), new pg.Client(clone)]
  await holder.connect()
  await waiter.connect()
  await holder.query('begin')
  await holder.query('lock table outbox_messages')
  const waiting = waiter.query('select count(*) from outbox_messages')
  await until('one waits', async () => {
    const { rows } = await holder.query(`select 1 from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`)
    return rows.length > 0
  })
  await move(join(home.path, 'beside-a-clone'), url)
  await holder.end()
  await waiting
  await waiter.end()
})

/** The command in this process: what it prints as JSON, unless it is told to print for people. */
async function move(
  to: string,
  from: string,
  options = {},
  print: (text: string) => void = assert.fail,
): Promise<Moved> {
  let printed: unknown
  const terminal: Terminal = {
    print,
    printJson: (value) => (printed = value),
    note: () => {},
    status: () => {},
    watched: false,
    style: (_format, text) => text,
    noteStyle: (_format, text) => text,
  }
  const values = { from, rehearsal: false, json: true, ...options } as never
  await command.run({ values, arguments: [to], terminal, clock: systemClock })
  return printed as Moved
}

/** An owner with a session, animals, an order, and a domain that is served with a certificate. */
async function fill(shop: TestPetstore, owner: Browser): Promise<void> {
  const token = tokenOf(shop.petstore.ownerLink as string)
  expect(201, await owner.post('/sign-up', { token, email: 'olga@example.com', name: 'Olga', password: PASSWORD }))
  // Nothing listens there: what animals tell waits, and is moved with them, neither more nor less.
  const url = 'http://127.0.0.1:1/hooks'
  expect(201, await owner.post('/projects/petstore/webhooks', { url, events: ['pet.created', 'pet.deleted'] }))
  for (const name of ['Rex', 'Mia “ü” 🐕', 'Max']) {
    await shop.call('/pets', { method: 'POST', body: `{"name":"${name}","categoryId":${DIGITS}}` })
  }
  await shop.call('/store/orders', { method: 'POST', body: { petId: 1 } })
  await publishOwnSite(shop.petstore)
  await attachSandboxDomain(owner, HOST)
}

/** Everything that was made before works on another database, and the next animal gets the next number. */
async function goesOn(dataDirectory: string, place: Record<string, string>, nextId: number): Promise<void> {
  await using shop = await startTestPetstore({ dataDirectory, keys, environment: place })
  assert.equal(shop.petstore.firstKeys, undefined)
  const list = await (await shop.call('/pets?limit=100')).text()
  assert.ok(list.startsWith(animals.slice(0, -1)), list)
  const added = await shop.call('/pets', { method: 'POST', body: { name: 'Next', categoryId: 1 } })
  assert.equal(((await added.json()) as { id: number }).id, nextId)
  const owner = new Browser(shop)
  for (const [name, value] of cookies) owner.cookies.set(name, value)
  assert.equal(expect(200, await owner.get('/session')).account.email, 'olga@example.com')
  assert.equal(expect(200, await owner.get(`/projects/petstore/domains/${HOST}`)).state, 'live')
  assert.deepEqual(await visit(shop), site)
}

/** The certificate that visitors are shown, and the page behind it. */
async function visit({ config, petstore }: TestPetstore): Promise<{ fingerprint: string; page: string }> {
  const ca = await petstore.rootPem()
  const { socket } = await handshake(config.httpsPort, { servername: HOST, ca })
  const { fingerprint256: fingerprint } = socket.getPeerCertificate()
  socket.destroy()
  const { status, text: page } = await askHttps(config.httpsPort, ca, { host: `${HOST}:${config.httpsPort}` })
  assert.equal(status, 200, page)
  return { fingerprint, page }
}

const hashesOf = ({ tables }: Moved) => Object.fromEntries(tables.map(({ table, sha256 }) => [table, sha256]))
