import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { openPostgres, type PostgresDatabases } from '../harness/postgres.ts'
import { type ServiceProcess, startServiceProcess } from '../harness/service-process.ts'
import { until } from '../harness/until.ts'
import { startLoad } from './drain-load.ts'
import { untilStatus } from './storage-trouble.ts'

const WORKERS = { SQLite: '2', PostgreSQL: '1' }

for (const [engine, workers] of Object.entries(WORKERS)) {
  test(`${engine}, workers: ${workers}: SIGTERM under load cuts no request, and ends with 0`, async (t) => {
    await using postgres = engine === 'PostgreSQL' ? await openPostgres() : undefined
    await using service = await startServiceProcess({
      environment: { ...(await environmentOf(postgres)), PETSTORE_WORKERS: workers },
    })
    const load = startLoad(service)
    const slow = await startSlowRequest(service)
    await until('every kind of request is answered', load.isUnderWay)

    const exit = service.stop()
    await untilStatus(503, () => service.admin('/readyz'))
    assert.equal((await service.admin('/livez')).status, 200)
    assert.match(await slow.finish(), /^HTTP\/1\.1 201 /)

    const { code, signal } = await exit
    assert.deepEqual({ code, signal }, { code: 0, signal: null })
    const { answers, refused, cut } = await load.ended
    t.diagnostic(`answers: ${JSON.stringify(answers)}, refused as not processed: ${refused}`)
    assert.deepEqual(cut, [])
    assert.deepEqual(Object.keys(answers).toSorted(), ['HTTP/1.1 200', 'HTTP/1.1 201', 'HTTP/2 200'])

    await service.restart()
    const created = (await (await service.call('/pets?limit=1')).json()) as unknown[]
    assert.equal(created.length, 1)
  })
}

async function environmentOf(postgres: PostgresDatabases | undefined): Promise<Record<string, string>> {
  return postgres ? { DATABASE_URL: await postgres.createSchema() } : {}
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
