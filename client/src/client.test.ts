import assert from 'node:assert/strict'
import { createServer, request as forward } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { startTestPetstore, type TestPetstore } from '../../test/harness/petstore.ts'
import { createPetstore, type Pet, PetstoreConnectionError, PetstoreError, type PetstoreOptions } from './client.ts'

describe('the client', () => {
  let shop: TestPetstore
  const connect = (options: Partial<PetstoreOptions> = {}) =>
    createPetstore({ key: shop.keys.production, baseUrl: addressOf(shop), ...options })

  before(async () => {
    shop = await startTestPetstore()
  })
  after(() => shop[Symbol.asyncDispose]())

  test('iterates over all pages, each animal once and in order', async () => {
    const petstore = connect()
    for (let count = 0; count < 25; count++) await petstore.pets.create({ name: `Animal ${count}`, categoryId: 7 })
    const ids: bigint[] = []
    for await (const pet of petstore.pets.list({ limit: 10, status: 'available' })) ids.push(BigInt(pet.id))
    assert.ok(ids.length >= 25)
    assert.deepEqual(
      ids,
      [...new Set(ids)].sort((one, other) => Number(one - other)),
    )
    const pages: Pet[][] = []
    for await (const page of petstore.pets.list({ limit: 10 }).pages()) pages.push(page)
    assert.equal(pages[0]?.length, 10)
  })

  test('keeps every digit of a 64-bit integer, both ways, and digits in names stay text', async () => {
    const petstore = connect()
    const large = await petstore.pets.create({
      name: 'No "9007199254740993" 12345678901234567890',
      categoryId: 9007199254740993n,
    })
    assert.equal(large.categoryId, 9007199254740993n)
    assert.equal(large.name, 'No "9007199254740993" 12345678901234567890')
    const least = await petstore.pets.create({ name: 'Least', categoryId: -(2n ** 63n) })
    assert.equal(least.categoryId, -(2n ** 63n))
    const small = await petstore.pets.create({ name: 'Small', categoryId: 12 })
    assert.equal(small.categoryId, 12)
  })

  test('a refusal is an error with its code, and is not sent again', async () => {
    let calls = 0
    const counted: typeof fetch = (...call) => {
      calls++
      return fetch(...call)
    }
    const petstore = connect({ fetch: counted })
    await assert.rejects(petstore.pets.create({ name: ' ', categoryId: 1 }), (error) => {
      assert.ok(error instanceof PetstoreError)
      assert.equal(error.code, 'invalid_request')
      assert.equal(error.status, 400)
      assert.match(error.requestId ?? '', /^req_/)
      return true
    })
    const { id } = await petstore.pets.create({ name: 'Sold', categoryId: 1, status: 'sold' })
    await assert.rejects(petstore.orders.create({ petId: id }), { code: 'conflict' })
    assert.equal(calls, 3)
  })

  test('a create whose answer is lost is sent again and adds one animal', async () => {
    await using proxy = await startFaultyProxy(shop, ['cut', 'unavailable', 'pass'])
    const petstore = connect({ baseUrl: proxy.baseUrl })
    const pet = await petstore.pets.create({ name: 'Only once', categoryId: 99 })
    const same: Pet[] = []
    for await (const each of connect().pets.list()) if (each.name === 'Only once') same.push(each)
    assert.deepEqual(same, [pet])
    assert.equal(proxy.requests, 3)
  })

  test('gives up after its tries with the last failure as the cause', async () => {
    await using proxy = await startFaultyProxy(shop, ['cut', 'cut'])
    const petstore = connect({ baseUrl: proxy.baseUrl, retries: 1 })
    await assert.rejects(Array.fromAsync(petstore.pets.list()), (error) => {
      assert.ok(error instanceof PetstoreConnectionError)
      assert.ok(error.cause instanceof Error)
      return true
    })
  })

  test('a try that takes too long is given up', async () => {
    await using proxy = await startFaultyProxy(shop, ['silent'])
    const petstore = connect({ baseUrl: proxy.baseUrl, retries: 0, timeoutMs: 50 })
    await assert.rejects(petstore.pets.create({ name: 'Late', categoryId: 1 }), PetstoreConnectionError)
  })

  test('an abort ends the wait with its own reason', async () => {
    await using proxy = await startFaultyProxy(shop, ['silent'])
    const reason = new Error('not needed any more')
    const stop = new AbortController()
    const petstore = connect({ baseUrl: proxy.baseUrl })
    const created = petstore.pets.create({ name: 'Nobody', categoryId: 1 }, { signal: stop.signal })
    stop.abort(reason)
    await assert.rejects(created, reason)
  })

  test('a deprecated operation is announced once', async () => {
    const notices: unknown[] = []
    const petstore = connect({ onDeprecation: (notice) => notices.push(notice) })
    const { id } = await petstore.pets.create({ name: 'Old way', categoryId: 1 })
    await petstore.pets.get(id)
    await petstore.pets.get(id)
    assert.deepEqual(notices, [{ operation: 'GET /pets/{id}', sunset: 'Thu, 05 Dec 2030 00:00:00 GMT' }])
  })

  test('orders hold an animal until they end', async () => {
    const petstore = connect()
    const pet = await petstore.pets.create({ name: 'Wanted', categoryId: 1 })
    const order = await petstore.orders.create({ petId: pet.id })
    assert.equal(order.status, 'placed')
    const ended = await petstore.orders.update(order.id, { status: 'completed' })
    assert.equal(ended.status, 'completed')
    const orders = await Array.fromAsync(petstore.orders.list({ status: 'completed' }))
    assert.ok(orders.some((each) => each.id === order.id))
    assert.equal((await petstore.pets.update(pet.id, { status: 'available' })).status, 'available')
  })

  test('an address that is not Petstore is named as the likely mistake', async () => {
    await using proxy = await startFaultyProxy(shop, ['html'])
    await assert.rejects(Array.fromAsync(connect({ baseUrl: proxy.baseUrl }).pets.list()), /check the base address/)
  })
})

const addressOf = ({ config }: TestPetstore) => `http://127.0.0.1:${config.baseUrl.port}/v1`

type Fault = 'pass' | 'cut' | 'unavailable' | 'silent' | 'html'

/** Stands between client and service; `cut` lets the request through and loses its answer. */
async function startFaultyProxy(shop: TestPetstore, faults: Fault[]) {
  let requests = 0
  const server = createServer((request, response) => {
    const fault = faults[requests++] ?? 'pass'
    if (fault === 'silent') return
    if (fault === 'html') return response.writeHead(404, { 'Content-Type': 'text/html' }).end('<h1>Not here</h1>')
    if (fault === 'unavailable') {
      const body = JSON.stringify({ code: 'unavailable', message: 'Later.', status: 503 })
      return response.writeHead(503, { 'Content-Type': 'application/json', 'Retry-After': '0' }).end(body)
    }
    const { method, headers, url } = request
    const onward = forward(
      { host: '127.0.0.1', port: shop.config.baseUrl.port, path: url, method, headers },
      (answer) => {
        if (fault === 'cut') return answer.resume().on('end', () => response.destroy())
        response.writeHead(answer.statusCode ?? 500, answer.headers)
        answer.pipe(response)
      },
    )
    request.pipe(onward)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  return {
    baseUrl: `http://127.0.0.1:${port}/v1`,
    get requests() {
      return requests
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
