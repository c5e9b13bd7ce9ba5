import assert from 'node:assert/strict'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { test } from 'node:test'
import { openPostgres, type PostgresDatabases } from '../harness/postgres.ts'
import { type ServiceProcess, startServiceProcess } from '../harness/service-process.ts'
import { until } from '../harness/until.ts'
import { untilStatus } from './storage-trouble.ts'

const CLIENTS = 16

const WORKERS = { SQLite: '2', PostgreSQL: '1' }

for (const [engine, workers] of Object.entries(WORKERS)) {
  test(
    `${engine}, workers: ${workers}: SIGTERM under load fails no request in flight and ends with exit code 0`,
    { timeout: 180_000 },
    async (t) => {
      await using postgres = engine === 'PostgreSQL' ? await openPostgres() : undefined
      await using service = await startServiceProcess({
        environment: { ...(await environmentOf(postgres)), PETSTORE_WORKERS: workers },
      })
      const load = startLoad(service)
      const slow = await startSlowRequest(service)
      await until('both kinds of requests are answered', load.isUnderWay)

      const exit = service.stop()
      await untilStatus(503, () => service.admin('/readyz'))
      assert.equal((await service.admin('/livez')).status, 200)
      assert.match(await slow.finish(), /^HTTP\/1\.1 201 /)

      const { code, signal } = await exit
      assert.deepEqual({ code, signal }, { code: 0, signal: null })
      const { statuses, failures } = await load.ended
      t.diagnostic(`answers: ${JSON.stringify(statuses)}`)
      assert.deepEqual(failures, [])
      assert.deepEqual(Object.keys(statuses).toSorted(), ['200', '201'])

      await service.restart()
      const created = (await (await service.call('/pets?limit=1')).json()) as unknown[]
      assert.equal(created.length, 1)
    },
  )
}

async function environmentOf(postgres: PostgresDatabases | undefined): Promise<Record<string, string>> {
  return postgres ? { DATABASE_URL: await postgres.createDatabase() } : {}
}

/** Clients that keep their connections and never pause, until nobody listens any more. */
function startLoad(service: ServiceProcess) {
  const agent = new Agent({ keepAlive: true, maxSockets: CLIENTS })
  const statuses: Record<string, number> = {}
  const failures: string[] = []

  const client = async (index: number) => {
    while (true) {
      try {
        const status = await send(service, agent, index % 2 === 0 ? 'GET' : 'POST')
        statuses[status] = (statuses[status] ?? 0) + 1
      } catch (error) {
        const { code, message } = error as NodeJS.ErrnoException
        // The only way in which a client may learn of the end: its next connection is not accepted.
        if (code !== 'ECONNREFUSED') failures.push(`${code} ${message}`)
        return
      }
    }
  }
  const clients = Array.from({ length: CLIENTS }, (_, index) => client(index))
  return {
    isUnderWay: () => Object.keys(statuses).length === 2,
    ended: Promise.all(clients).then(() => ({ statuses, failures })),
  }
}

function send(service: ServiceProcess, agent: Agent, method: 'GET' | 'POST'): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = { Authorization: `Bearer ${service.keys.production}`, 'Content-Type': 'application/json' }
    const options = { agent, method, headers, host: '127.0.0.1', port: service.productionPort, path: '/v1/pets' }
    const sent = request(options, (response) => {
      response.resume()
      response.on('error', reject)
      response.on('end', () => resolve(response.statusCode as number))
    })
    sent.on('error', reject)
    sent.end(method === 'POST' ? '{"name":"Rex","categoryId":1}' : undefined)
  })
}

/** A request whose head has arrived, which the service says itself, and whose body is still on its way. */
async function startSlowRequest({ productionPort, keys }: ServiceProcess) {
  const body = '{"name":"Slow","categoryId":1}'
  const socket = connect(productionPort, '127.0.0.1')
  await once(socket, 'connect')
  socket.write(
    `POST /v1/pets HTTP/1.1\r\nHost: localhost:${productionPort}\r\nAuthorization: Bearer ${keys.production}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\nExpect: 100-continue\r\n\r\n`,
  )
  let received = ''
  socket.setEncoding('utf8').on('data', (text: string) => (received += text))
  await until('the head has arrived', () => received === 'HTTP/1.1 100 Continue\r\n\r\n')
  received = ''
  socket.write(body.slice(0, 10))
  return {
    async finish() {
      const closed = once(socket, 'close')
      socket.write(body.slice(10))
      await closed
      return received
    },
  }
}
