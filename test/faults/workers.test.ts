import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { connect as connectTls } from 'node:tls'
import { Worker } from 'node:worker_threads'
import type { Service } from '../../src/commands/serve/service.ts'
import { optionsFor, serveWithWorkers, THREAD } from '../../src/commands/serve/several.ts'
import { readConfig } from '../../src/config.ts'
import type { Shared } from '../../src/main.ts'
import { createKey, revokeKey } from '../../src/features/keys/keys.ts'
import { openConfiguredStorage } from '../../src/service/database.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { createDnsClient } from '../../src/platform/dns/client.ts'
import { createLog } from '../../src/platform/log.ts'
import { freePorts } from '../harness/free-ports.ts'
import { HUNG_AFTER_MS, until } from '../harness/until.ts'
import { allAnimals, assertNothingLostOrInvented, startWriters } from './writers.ts'
import { assertGuessesCountTogether } from './wrong-passwords.ts'

/** So many that one worker has all of them once in 30,000 times. */
const CONNECTIONS = 16

const dataDirectory = mkdtempSync(join(tmpdir(), 'petstore-workers-'))
const [production = 0, staging = 0, adminPort = 0, otherAdminPort = 0, httpsPort = 0, dnsPort = 0] = await freePorts(6)
const environment = {
  PETSTORE_DATA: dataDirectory,
  PETSTORE_BASE_URL: `http://localhost:${production}/v1`,
  PETSTORE_STAGING_URL: `http://localhost:${staging}/v1`,
  PETSTORE_ADMIN_PORT: String(adminPort),
  PETSTORE_HTTPS_PORT: String(httpsPort),
  PETSTORE_LISTEN: '127.0.0.1',
  PETSTORE_LOG_LEVEL: 'silent',
  PETSTORE_RATE_LIMIT: 'off',
  PETSTORE_WORKERS: '2',
  PETSTORE_DNS_ZONE: 'acme.localhost',
  PETSTORE_DNS_LISTEN: `127.0.0.1:${dnsPort}`,
}
const config = readConfig(environment)
const log = createLog('silent')
/** Those that run now, by their number. */
const threads: Worker[] = []
let service: Service
let key: string

before(async () => {
  service = await serve(environment)
  key = /ps_live_\w+/.exec(service.greeting)?.[0] as string
})
after(() => rmSync(dataDirectory, { recursive: true }))

function serve(env: Record<string, string>, prepare: (shared: Shared) => void = () => {}): Promise<Service> {
  return serveWithWorkers({
    config: readConfig(env),
    clock: systemClock,
    log,
    spawn(data) {
      prepare(data.shared)
      const thread = new Worker(THREAD, { ...optionsFor(data), env })
      threads[data.number] = thread
      return thread
    },
  })
}

/** The status of a list, each on a connection of its own, and so by either worker. */
async function list(bearer = key): Promise<number | undefined> {
  const headers = { Authorization: `Bearer ${bearer}` }
  const [response] = await once(get(`${config.baseUrl.href}/pets`, { agent: false, headers }), 'response')
  return (response as IncomingMessage).resume().statusCode
}
const many = <Value>(make: () => Promise<Value>) => Promise.all(Array.from({ length: CONNECTIONS }, make))
const admin = (path: string) => fetch(`http://127.0.0.1:${adminPort}${path}`)
const metrics = async () => (await admin('/metrics')).text()

test('two workers make one first start', () => {
  using database = new DatabaseSync(join(dataDirectory, 'petstore.sqlite'), { readOnly: true })
  const count = (table: string) => database.prepare(`select count(*) as n from ${table}`).get()?.n
  assert.deepEqual([count('projects'), count('keys'), count('deploys')], [1, 2, 1])
})

test('their figures are one set, and add up', async () => {
  const before = listsIn(await metrics())
  await many(async () => assert.equal(await list(), 200))
  const text = await metrics()
  assert.equal(listsIn(text) - before, CONNECTIONS)
  assert.match(text, /^petstore_workers 2$/m)
  assert.equal(text.match(/^process_resident_memory_bytes /gm)?.length, 1)
})

const listsIn = (text: string) => Number(/_count\{[^}]*"GET"[^}]*route="\/pets"[^}]*\} (\d+)/.exec(text)?.[1] ?? 0)

test('a revoked key is refused by every worker', async () => {
  await using storage = await openConfiguredStorage(config, log)
  const needs = { storage, clock: systemClock }
  const { id, key: revoked } = await createKey(needs, 1, { environment: 'production' })
  await many(async () => assert.equal(await list(revoked), 200))
  await revokeKey(needs, 1, id)
  await until('no connection is served', async () =>
    (await many(() => list(revoked))).every((status) => status === 401),
  )
})

test('guesses at passwords are counted by both together', () => assertGuessesCountTogether([config.baseUrl.origin]))

test('a TLS session of one worker is taken up by the other', async () => {
  const first = shake()
  const [session] = (await once(first.resume(), 'session')) as [Buffer]
  first.destroy()
  const isReused = await many(async () => {
    const socket = shake(session)
    await once(socket, 'secureConnect')
    const isResumed = socket.isSessionReused()
    socket.destroy()
    return isResumed
  })
  assert.deepEqual(new Set(isReused), new Set([true]))
})

const shake = (session?: Buffer) =>
  connectTls({
    host: '127.0.0.1',
    port: httpsPort,
    servername: 'petstore.localhost',
    rejectUnauthorized: false,
    ...(session && { session }),
  })

// What was on its way to a worker that dies is asked for again, as every resolver does.
const dns = createDnsClient({ clock: systemClock, timeoutMs: HUNG_AFTER_MS, retryAfterMs: 500 })

/** Each from a port of its own, and so by either worker. */
async function assertDnsAnswers(): Promise<void> {
  for (const overTcp of [false, true]) {
    const asked = await many(() =>
      dns.ask({ address: '127.0.0.1', port: dnsPort }, 'acme.localhost', 'SOA', { overTcp }),
    )
    const told = asked.map(({ transport, rcode, answers, error }) => {
      return error?.message ?? `${answers.length} by ${transport}, ${rcode}`
    })
    assert.deepEqual(new Set(told), new Set([`1 by ${overTcp ? 'tcp' : 'udp'}, NOERROR`]))
  }
}

test('both answer DNS on one port, over UDP and TCP', async () => {
  const answersIn = async () => Number(/^petstore_dns_answers (\d+)$/m.exec(await metrics())?.[1])
  const before = await answersIn()
  await assertDnsAnswers()
  assert.equal((await answersIn()) - before, CONNECTIONS, 'their datagrams add up')
})

test('a worker that dies is replaced, nothing acknowledged is lost, and no counter falls', async () => {
  const call = async (path: string, { method = 'GET', body, headers = {} }: Call = {}) =>
    fetch(`http://127.0.0.1:${production}/v1${path}`, {
      method,
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...headers },
      body: body ?? null,
    })
  await using writers = startWriters({ call: call as never }, 8)
  await until('animals are added', () => writers.attempts.filter(({ id }) => id !== undefined).length > 20)
  const counted = listsIn(await metrics())
  for (const number of [1, 2]) {
    await threads[number]?.terminate()
    await assertDnsAnswers()
    await until('both serve again', async () => /^petstore_workers 2$/m.test(await metrics()))
  }
  await writers.finish()
  assert.deepEqual(writers.unexpected, [])
  assertNothingLostOrInvented(writers.attempts, await allAnimals({ call: call as never }))
  const text = await metrics()
  assert.match(text, /^petstore_workers_replaced_total 2$/m)
  assert.match(text, /^# TYPE petstore_dns_answers counter$/m)
  assert.ok(listsIn(text) > counted)
  assert.equal((await admin('/readyz')).status, 200)
  await assertDnsAnswers()
})

interface Call {
  method?: string
  body?: string
  headers?: Record<string, string>
}

test('a second service on the same ports is refused with a sentence', async () => {
  const elsewhere = mkdtempSync(join(tmpdir(), 'petstore-workers-'))
  const other = { ...environment, PETSTORE_DATA: elsewhere, PETSTORE_ADMIN_PORT: String(otherAdminPort) }
  await assert.rejects(serve(other), { message: new RegExp(`^Port ${httpsPort} is in use by another process\\. Stop`) })
  rmSync(elsewhere, { recursive: true })
})

test('a start whose writer thread fails ends with its reason', async () => {
  const [ownPort = 0, otherPort = 0, ownAdminPort = 0, ownHttpsPort = 0] = await freePorts(4)
  const directory = mkdtempSync(join(tmpdir(), 'petstore-workers-'))
  const own = {
    ...environment,
    PETSTORE_DATA: directory,
    PETSTORE_BASE_URL: `http://localhost:${ownPort}/v1`,
    PETSTORE_STAGING_URL: `http://localhost:${otherPort}/v1`,
    PETSTORE_ADMIN_PORT: String(ownAdminPort),
    PETSTORE_HTTPS_PORT: String(ownHttpsPort),
  }
  // It opens what it is told of first: this cannot be opened.
  const misled = (shared: Shared) => shared.writer?.postMessage({ file: join(directory, 'no', 'where'), settings: '' })
  await assert.rejects(serve(own, misled), /unable to open database file/)
  rmSync(directory, { recursive: true })
})

test('a stop lets the requests in flight finish, and is not ready meanwhile', async () => {
  const body = '{"name":"Slow","categoryId":1}'
  const sockets = await many(async () => {
    const socket = connect(production, '127.0.0.1')
    socket.write(
      `POST /v1/pets HTTP/1.1\r\nHost: localhost:${production}\r\nAuthorization: Bearer ${key}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`,
    )
    await once(socket, 'data')
    return socket
  })
  const stopped = service.stop()
  await until('it is not ready', async () => (await admin('/readyz')).status === 503)
  const answers = sockets.map(async (socket) => {
    let received = ''
    socket.setEncoding('utf8').on('data', (text: string) => (received += text))
    socket.write(body)
    await once(socket, 'close')
    return received.slice(0, 12)
  })
  assert.deepEqual(new Set(await Promise.all(answers)), new Set(['HTTP/1.1 201']))
  assert.equal(await stopped, 'in order')
})
