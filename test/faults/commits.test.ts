import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, test } from 'node:test'
import { Client } from 'pg'
import { openPostgres } from '../harness/postgres.ts'
import { type ServiceProcess, startServiceProcess } from '../harness/service-process.ts'
import { until } from '../harness/until.ts'
import { assertUnavailable, createPet, petNames } from './storage-trouble.ts'

const CREATES = 200

let service: ServiceProcess
before(async () => {
  service = await startServiceProcess()
})
after(() => service[Symbol.asyncDispose]())

const stored = ['First']

test('while another process holds the write lock, lists answer and creates wait', async () => {
  await createPet(service, 'First')
  using lock = lockOf(service)

  lock.exec('begin immediate')
  const early: number[] = []
  const creates = ['Second', 'Third'].map(async (name) => {
    const { status } = await createPet(service, name)
    if (lock.isTransaction) early.push(status)
    if (status === 201) stored.push(name)
    return status
  })
  for (let list = 0; list < 20; list++) assert.deepEqual(await petNames(service), ['First'])
  assert.equal((await service.call('/pets/1')).status, 200)

  lock.exec('rollback')
  const statuses = await Promise.all(creates)
  // On a machine that takes more than five seconds for the lists, they have given up as the next test has it.
  assert.ok(
    early.every((status) => status === 503),
    `${early.join()} although nothing could be stored`,
  )
  assert.ok(early.length > 0 || statuses.every((status) => status === 201), statuses.join())
  assert.deepEqual((await petNames(service)).toSorted(), stored.toSorted())
})

test('a write lock that is never given back ends in 503, and the next write after it succeeds', async () => {
  using lock = lockOf(service)
  lock.exec('begin immediate')
  await assertUnavailable(await createPet(service, 'Refused'))
  lock.exec('rollback')
  assert.equal((await createPet(service, 'Fourth')).status, 201)
  assert.deepEqual((await petNames(service)).toSorted(), [...stored, 'Fourth'].toSorted())
})

test('SQLite: concurrent creates share commits, each of which is one fsync', async (t) => {
  const file = join(service.dataDirectory, 'petstore.sqlite')
  using database = new DatabaseSync(file)
  assert.deepEqual(database.prepare('pragma journal_mode').get(), { __proto__: null, journal_mode: 'wal' })

  const earlier = commitsInLog(`${file}-wal`)
  await createConcurrently(service)
  const commits = commitsInLog(`${file}-wal`) - earlier
  t.diagnostic(`${CREATES} creates took ${commits} commits`)
  assert.ok(commits > 0 && commits < CREATES / 4, `${CREATES} creates took ${commits} commits`)
})

test('PostgreSQL: concurrent creates share transactions', async (t) => {
  await using postgres = await openPostgres()
  const url = await postgres.createSchema()
  await using onPostgres = await startServiceProcess({ environment: { DATABASE_URL: url } })
  await createConcurrently(onPostgres)

  const client = new Client(url)
  await client.connect()
  const { rows } = await client.query<{ commits: number }>(
    'select count(distinct xmin::text)::int as commits from pets',
  )
  await client.end()
  const commits = rows[0]?.commits ?? 0
  t.diagnostic(`${CREATES} creates took ${commits} transactions`)
  assert.ok(commits > 0 && commits < CREATES / 4, `${CREATES} creates took ${commits} transactions`)
})

/** All are there when the service wakes up, however slowly a busy machine sends them. */
async function createConcurrently(target: ServiceProcess): Promise<void> {
  const sockets = await Promise.all(Array.from({ length: CREATES }, () => openSocket(target)))
  process.kill(target.pid, 'SIGSTOP')
  for (const [index, socket] of sockets.entries())
    socket.write(request(target, 'POST', `{"name":"Pet ${index}","categoryId":1}`))
  await until('everything is sent', () => sockets.every(({ writableLength }) => writableLength === 0))
  const answers = sockets.map(async (socket) => String(await once(socket, 'data')).slice(0, 12))
  process.kill(target.pid, 'SIGCONT')
  assert.deepEqual(new Set(await Promise.all(answers)), new Set(['HTTP/1.1 201']))
  for (const socket of sockets) socket.destroy()
}

/** A connection that the service has taken and answered on. */
async function openSocket(target: ServiceProcess): Promise<Socket> {
  const socket = connect(target.productionPort, '127.0.0.1')
  socket.write(request(target, 'GET'))
  await once(socket, 'data')
  return socket
}

function request({ keys }: ServiceProcess, method: string, body = ''): string {
  const head = [
    `${method} /v1/pets?limit=1 HTTP/1.1`,
    'Host: 127.0.0.1',
    `Authorization: Bearer ${keys.production}`,
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
  ]
  return `${head.join('\r\n')}\r\n\r\n${body}`
}

/** The service writes by itself as well, such as counts of requests every few seconds: the lock waits for its turn. */
function lockOf({ dataDirectory }: ServiceProcess): DatabaseSync {
  return new DatabaseSync(join(dataDirectory, 'petstore.sqlite'), { timeout: 60_000 })
}

/**
 * A write-ahead log is a header of 32 bytes and frames of 24 bytes and a page. The last frame of a transaction
 * holds the size of the database where the others hold zero, and with synchronous=full it is fsynced.
 */
function commitsInLog(file: string): number {
  const log = readFileSync(file)
  const pageBytes = log.readUInt32BE(8)
  const salt = log.subarray(16, 24)
  let commits = 0
  for (let frame = 32; frame + 24 + pageBytes <= log.length; frame += 24 + pageBytes) {
    const ofThisLog = log.subarray(frame + 8, frame + 16).equals(salt)
    if (ofThisLog && log.readUInt32BE(frame + 4) !== 0) commits++
  }
  return commits
}
