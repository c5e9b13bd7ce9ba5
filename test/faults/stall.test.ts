import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import { Client } from 'pg'
import { startTestPetstore, type TestPetstore } from '../harness/petstore.ts'
import { type PostgresServer, startPostgres } from '../harness/postgres.ts'
import { until } from '../harness/until.ts'
import { startSilentProxy } from './silent-proxy.ts'

/**
 * 16 in the pool, one that listens, one that asks after lost answers or for the writable host; and attempts of these
 * two that were given up during the stall, of which the server hears when it is over.
 */
const CONNECTIONS_MAX = 24
const CLIENTS = 100
/** Longer than anybody waits for a connection of the pool. */
const STALL_MS = 6000

let postgres: PostgresServer
before(async () => {
  postgres = await startPostgres()
})
after(() => postgres[Symbol.asyncDispose]())

for (const [what, begin, end] of [
  ['delays everything', 'freeze', 'thaw'],
  ['swallows everything', 'cut', 'mend'],
] as const) {
  test(`a network that ${what} for some seconds costs nothing more once it is over`, async (t) => {
    const url = new URL(await postgres.createDatabase())
    await using watch = await watchConnections(url.href)
    await using proxy = await startSilentProxy(postgres.port)
    url.port = String(proxy.port)
    await using service = await startTestPetstore({
      environment: { DATABASE_URL: url.href, PETSTORE_RATE_LIMIT: 'off' },
    })
    const clients = startClients(service)
    await until('every client was served', () => clients.answers.length > CLIENTS)
    assert.deepEqual(troubles(clients.answers), [])

    proxy[begin]()
    await wait(STALL_MS)
    proxy[end]()
    const endedAt = performance.now()
    clients.answers.length = 0
    await until('it serves again', () => clients.answers.some((status) => status < 300))
    t.diagnostic(`served again ${Math.round(performance.now() - endedAt)} ms after the end of the stall`)
    // Whoever was waiting is answered; from then on there is no trace of it.
    const before = clients.rounds()
    await until('every client has been answered since', () => clients.rounds().every((n, i) => n > before[i]! + 1))
    clients.answers.length = 0
    await until('each client was served again', () => clients.answers.length > 3 * CLIENTS)
    const late = troubles(clients.answers)
    await clients.stop()
    t.diagnostic(`at most ${watch.most()} connections`)
    assert.deepEqual(late, [])
    assert.ok(watch.most() <= CONNECTIONS_MAX, `${watch.most()} connections`)
  })
}

test('a locked table costs 503s and no connections, and nothing once it is free', async (t) => {
  const url = new URL(await postgres.createDatabase())
  await using watch = await watchConnections(url.href)
  await using service = await startTestPetstore({ environment: { DATABASE_URL: url.href, PETSTORE_RATE_LIMIT: 'off' } })
  const clients = startClients(service)
  await until('every client was served', () => clients.answers.length > CLIENTS)

  await watch.client.query('begin')
  await watch.client.query('lock table pets in access exclusive mode')
  await until('clients are told', () => troubles(clients.answers).length > CLIENTS)
  assert.deepEqual([...new Set(troubles(clients.answers))], [503])
  await watch.client.query('rollback')

  const before = clients.rounds()
  await until('every client has been answered since', () => clients.rounds().every((n, i) => n > before[i]! + 1))
  clients.answers.length = 0
  await until('each client was served again', () => clients.answers.length > 3 * CLIENTS)
  const late = troubles(clients.answers)
  await clients.stop()
  t.diagnostic(`at most ${watch.most()} connections`)
  assert.deepEqual(late, [])
  assert.ok(watch.most() <= CONNECTIONS_MAX, `${watch.most()} connections`)
})

const troubles = (statuses: readonly number[]) => statuses.filter((status) => status >= 400)

/** Clients that add and list, a few times a second each. */
function startClients(service: TestPetstore) {
  const answers: number[] = []
  const answered = Array.from({ length: CLIENTS }, () => 0)
  let running = true
  const loops = answered.map(async (_, index) => {
    while (running) {
      const response =
        index % 2 === 0
          ? await service.call('/pets', { method: 'POST', body: { name: 'Rex', categoryId: 1 } })
          : await service.call(`/pets?limit=${index}`)
      await response.arrayBuffer()
      answers.push(response.status)
      answered[index]!++
      await wait(200)
    }
  })
  return {
    answers,
    /** How often each has been answered. */
    rounds: () => [...answered],
    async stop() {
      running = false
      await Promise.all(loops)
    },
  }
}

/** Counts the connections that the server has for this database, beside its own. */
async function watchConnections(url: string) {
  const client = new Client(url)
  await client.connect()
  const counter = new Client(url)
  await counter.connect()
  let most = 0
  let running = true
  const loop = (async () => {
    while (running) {
      const { rows } = await counter.query<{ count: number }>(
        `select count(*)::int as count from pg_stat_activity
         where datname = current_database() and application_name = 'petstore'`,
      )
      most = Math.max(most, rows[0]?.count ?? 0)
      await wait(20)
    }
  })()
  return {
    client,
    most: () => most,
    async [Symbol.asyncDispose]() {
      running = false
      await loop
      await Promise.all([client.end(), counter.end()])
    },
  }
}
