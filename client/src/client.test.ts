import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { startFaultyProxy } from '../../test/harness/faulty-proxy.ts'
import { startTestPetstore, type TestPetstore } from '../../test/harness/petstore.ts'
import {
  createPetstore,
  etagOf,
  type EndedRequest,
  type Pet,
  PetstoreAnswerError,
  PetstoreConnectionError,
  PetstoreError,
  type PetstoreOptions,
} from './client.ts'
import { searchOf } from './pages.ts'

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
    for await (const pet of petstore.pets.list({ id: [] })) assert.fail(`${pet.id} is none of no ids`)
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

  test('every kind of failure is told apart, after as many tries as are allowed, with its cause', async () => {
    for (const [fault, reason] of [
      ['cut', 'network'],
      ['cut body', 'cut'],
      ['cut json', 'cut'],
      ['silent', 'timeout'],
      ['stalled', 'timeout'],
    ] as const) {
      await using proxy = await startFaultyProxy(shop, [fault, fault])
      const patience = reason === 'timeout' ? { timeoutMs: 1000 } : {}
      const petstore = connect({ baseUrl: proxy.baseUrl, retries: 1, ...patience })
      await assert.rejects(Array.fromAsync(petstore.pets.list()), (error) => {
        assert.ok(error instanceof PetstoreConnectionError, String(error))
        assert.equal(error.reason, reason, fault)
        assert.ok(error.cause instanceof Error)
        return true
      })
      assert.equal(proxy.requests, 2, fault)
    }
    const nobody = connect({ baseUrl: 'http://127.0.0.1:1/v1', retries: 0 })
    await assert.rejects(nobody.pets.update(1, { name: 'Rex' }), {
      reason: 'network',
      message: /^Petstore could not be reached at http:\/\/127\.0\.0\.1:1\/v1\./,
    })
  })

  test('an answer that breaks off, stalls or comes from a proxy is asked for again, and adds one animal', async () => {
    for (const fault of ['cut body', 'cut json', 'stalled', 'bad gateway'] as const) {
      await using proxy = await startFaultyProxy(shop, [fault, 'pass'])
      const petstore = connect({ baseUrl: proxy.baseUrl, ...(fault === 'stalled' && { timeoutMs: 2000 }) })
      const name = `Once, whatever happens: ${fault}`
      const pet = await petstore.pets.create({ name, categoryId: 1 })
      assert.deepEqual(await Array.fromAsync(connect().pets.list({ q: name })), [pet])
      assert.equal(proxy.requests, 2, fault)
    }
  })

  test('what is not Petstore is named as that, and asked again only where that may help', async () => {
    for (const [fault, status, requests] of [
      ['html', 404, 1],
      ['welcome', 200, 1],
      ['other json', 200, 1],
      ['bad gateway', 502, 2],
    ] as const) {
      await using proxy = await startFaultyProxy(shop, [fault, fault])
      const petstore = connect({ baseUrl: proxy.baseUrl, retries: 1 })
      await assert.rejects(Array.fromAsync(petstore.pets.list()), (error) => {
        assert.ok(error instanceof PetstoreAnswerError, String(error))
        assert.equal(error.status, status)
        assert.match(error.message, status < 500 ? /check the base address/ : /try again/)
        return true
      })
      assert.equal(proxy.requests, requests, fault)
    }
  })

  test('waits as Retry-After says in either form, and not at all when that is longer than it is ready to', async () => {
    for (const [fault, asked] of [
      ['in a second', 1],
      ['at a date', 1],
    ] as const) {
      const ends: EndedRequest[] = []
      await using proxy = await startFaultyProxy(shop, [fault, 'pass'])
      const petstore = connect({ baseUrl: proxy.baseUrl, onAnswer: (end) => ends.push(end) })
      await petstore.pets.create({ name: 'Patient', categoryId: 1 })
      const [refused, done] = ends as [EndedRequest, EndedRequest]
      assert.ok((refused.retryInMs as number) >= asked * 1000 && (refused.retryInMs as number) <= asked * 1000 + 200)
      assert.deepEqual([refused.status, done.status, done.retryInMs], [503, 201, undefined])
    }
    for (const fault of ['in a day', 'at a far date'] as const) {
      await using proxy = await startFaultyProxy(shop, [fault])
      await assert.rejects(
        connect({ baseUrl: proxy.baseUrl }).pets.create({ name: 'Late', categoryId: 1 }),
        (error) => {
          assert.ok(error instanceof PetstoreError)
          assert.ok((error.retryAfterSeconds as number) > 80_000)
          return true
        },
      )
      assert.equal(proxy.requests, 1)
    }
  })

  test('a deletion whose answer is lost is done, and one of nothing is refused', async () => {
    for (const fault of ['cut', 'unconfirmed'] as const) {
      const { id } = await connect().pets.create({ name: 'Going', categoryId: 1 })
      await using proxy = await startFaultyProxy(shop, [fault, 'pass'])
      await connect({ baseUrl: proxy.baseUrl }).pets.delete(id)
      assert.equal(proxy.requests, 2)
      await assert.rejects(connect().pets.delete(id), { code: 'not_found' })
    }
  })

  test('a change of what somebody else has changed is refused', async () => {
    const petstore = connect()
    const pet = await petstore.pets.create({ name: 'Rex', categoryId: 1 })
    const theirs = await petstore.pets.update(pet.id, { name: 'Max' })
    const ifMatch = etagOf(pet)
    assert.ok(ifMatch)
    await assert.rejects(petstore.pets.update(pet.id, { name: 'Bello' }, { ifMatch }), { code: 'precondition_failed' })
    await assert.rejects(petstore.pets.delete(pet.id, { ifMatch }), { code: 'precondition_failed' })
    await petstore.pets.delete(pet.id, { ifMatch: etagOf(theirs) })
  })

  test('finds animals by every filter', async () => {
    const petstore = connect()
    const categoryId = 4_242_424_242n
    const made: Pet[] = []
    for (const name of ['Zoe', 'anna', 'Anton']) made.push(await petstore.pets.create({ name, categoryId }))
    const names = async (filter: Parameters<typeof petstore.pets.list>[0]) =>
      (await Array.fromAsync(petstore.pets.list({ categoryId, limit: 1, ...filter }))).map(({ name }) => name)
    assert.deepEqual(await names({ order: 'newest' }), ['Anton', 'anna', 'Zoe'])
    assert.deepEqual(await names({ q: 'AN' }), ['anna', 'Anton'])
    assert.deepEqual(await names({ id: made.slice(0, 2).map(({ id }) => id), order: 'name' }), ['anna', 'Zoe'])
  })

  test('hooks see every try, and may add headers to it', async () => {
    await using proxy = await startFaultyProxy(shop, ['cut', 'pass'])
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
    const seen: string[] = []
    const petstore = connect({
      baseUrl: proxy.baseUrl,
      onRequest({ operation, attempt, headers }) {
        headers.set('traceparent', traceparent)
        seen.push(`${attempt} ${operation}`)
      },
      onAnswer({ attempt, status, error, durationMs, requestId }) {
        assert.ok(durationMs >= 0)
        seen.push(`${attempt} ${status ?? (error as PetstoreConnectionError).reason} ${requestId?.slice(0, 4)}`)
      },
    })
    const { id } = await petstore.pets.create({ name: 'Traced', categoryId: 1 })
    await petstore.pets.update(id, { name: 'Seen' })
    assert.deepEqual(seen, [
      '1 POST /pets',
      '1 network undefined',
      '2 POST /pets',
      '2 201 req_',
      '1 PATCH /pets/{id}',
      '1 200 req_',
    ])
    assert.deepEqual(new Set(proxy.traceparents), new Set([traceparent]))
  })

  test('adds animals where there is no crypto.randomUUID, as on pages over plain HTTP', async () => {
    const own = Object.getOwnPropertyDescriptor(crypto, 'randomUUID')
    Object.defineProperty(crypto, 'randomUUID', { value: undefined, configurable: true })
    try {
      assert.ok((await connect().pets.create({ name: 'Plain', categoryId: 1 })).id)
    } finally {
      if (own) Object.defineProperty(crypto, 'randomUUID', own)
      else Reflect.deleteProperty(crypto, 'randomUUID')
    }
  })

  test('answers that come in another order go to whoever asked', async () => {
    await using proxy = await startFaultyProxy(shop, ['last first', 'last first', 'last first'])
    const petstore = connect({ baseUrl: proxy.baseUrl })
    const names = ['First', 'Second', 'Third']
    const pets = await Promise.all(names.map((name) => petstore.pets.create({ name, categoryId: 1 })))
    assert.deepEqual(
      pets.map(({ name }) => name),
      names,
    )
    assert.equal(proxy.requests, 3)
  })

  test('an empty idempotency key or validator is refused, and not taken for none', async () => {
    const { pets } = connect()
    const pet = { name: 'Unkeyed', categoryId: 1 }
    await assert.rejects(pets.create(pet, { idempotencyKey: '' }), { code: 'invalid_request' })
    const { id } = await pets.create(pet)
    await assert.rejects(pets.update(id, { name: 'Other' }, { ifMatch: '' }), { code: 'precondition_failed' })
  })

  test('filters are sent where URLSearchParams has no size, as in Safari 16', () => {
    const own = Object.getOwnPropertyDescriptor(URLSearchParams.prototype, 'size') as PropertyDescriptor
    Reflect.deleteProperty(URLSearchParams.prototype, 'size')
    try {
      assert.deepEqual([searchOf({ status: 'sold', id: [1, 2] }), searchOf({})], ['?status=sold&id=1&id=2', ''])
    } finally {
      Object.defineProperty(URLSearchParams.prototype, 'size', own)
    }
  })

  test('a page that is followed by itself is the last', async () => {
    await connect().pets.create({ name: 'Again', categoryId: 1 })
    await using proxy = await startFaultyProxy(shop, ['followed by itself', 'followed by itself'])
    const pets = await Array.fromAsync(connect({ baseUrl: proxy.baseUrl }).pets.list({ limit: 1 }))
    assert.deepEqual([pets.length, proxy.requests], [1, 1])
  })

  test('says at once what is wrong with a key, and takes an address with a slash at its end', async () => {
    assert.throws(() => createPetstore({ key: undefined }), /needs a key/)
    assert.throws(() => createPetstore({ key: '' }), /needs a key/)
    for (const key of ['ps_live_\n', 'ps_live_é', 'ps live']) {
      assert.throws(() => createPetstore({ key }), /no header can carry/)
    }
    const petstore = connect({ baseUrl: `${addressOf(shop)}/` })
    assert.ok((await petstore.pets.create({ name: 'Slash', categoryId: 1 })).id)
  })

  test('an abort ends the wait with its own reason, and hooks see the end of that try too', async () => {
    await using proxy = await startFaultyProxy(shop, ['silent'])
    const reason = new Error('not needed any more')
    const stop = new AbortController()
    const ends: unknown[] = []
    const onAnswer = ({ attempt, status, error, retryInMs }: EndedRequest) =>
      ends.push([attempt, status, (error as PetstoreConnectionError).reason, error?.cause, retryInMs])
    const petstore = connect({ baseUrl: proxy.baseUrl, onAnswer })
    const created = petstore.pets.create({ name: 'Nobody', categoryId: 1 }, { signal: stop.signal })
    stop.abort(reason)
    await assert.rejects(created, reason)
    assert.deepEqual(ends, [[1, undefined, 'aborted', reason, undefined]])
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
})

const addressOf = ({ config }: TestPetstore) => `http://127.0.0.1:${config.baseUrl.port}/v1`
