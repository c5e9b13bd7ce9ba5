import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { ErrorBody } from './contract.ts'
import type { Pet } from './paging.ts'
import { openShop, type Shop, type Tenant } from './shop.ts'

let shop: Shop
let tenant: Tenant
let pet: Pet

before(async () => {
  shop = await openShop()
  tenant = await shop.tenant()
  pet = (await tenant.post('/pets', { name: 'Rex', categoryId: 1 })).json as Pet
  await tenant.post('/pets', { name: 'Max', categoryId: 1 })
})
after(() => shop[Symbol.asyncDispose]())

const PATHS: Record<string, string> = {
  '/pets': 'GET, POST, HEAD, OPTIONS',
  '/pets/1': 'GET, PATCH, DELETE, HEAD, OPTIONS',
  '/pets/none': 'GET, PATCH, DELETE, HEAD, OPTIONS',
  '/store/orders': 'GET, POST, HEAD, OPTIONS',
  '/store/orders/1': 'GET, PATCH, HEAD, OPTIONS',
  '/openapi.json': 'GET, HEAD, OPTIONS',
}

const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND', 'SEARCH', 'PURGE']

describe('a method that a path does not have', () => {
  for (const [path, allowed] of Object.entries(PATHS)) {
    for (const method of METHODS.filter((method) => !allowed.split(', ').includes(method))) {
      test(`${method} ${path} is 405 and says what is allowed`, async () => {
        for (const body of [undefined, '{', 'x'.repeat(100_000)]) {
          for (const key of [tenant.keys.production.key, '']) {
            const answer = await tenant.ask(path, { method, body, key })
            assert.equal(answer.status, 405)
            assert.equal(answer.headers.allow, allowed)
            if (method !== 'HEAD') assert.equal((answer.json as ErrorBody).code, 'method_not_allowed')
          }
        }
      })
    }
  }
})

describe('a path that is not there', () => {
  const paths = [
    '/v1',
    '/v1/',
    '/v1/pet',
    '/v1/Pets',
    '/v1//pets',
    '/v2/pets',
    '/v1/pets/1/',
    '/v1/pets/1/2',
    '/v1/store',
    '/v1/store/orders/',
    '/pets',
    '/v1/../v1/pets',
    '/v1/pets.json',
    '/v1/pets;a=b',
    '/v1/openapi.yaml',
    '/favicon.ico',
    '/%',
    '/v1/%zz/pets',
  ]
  for (const path of paths) {
    test(`${path} is 404 with the Error body for every method`, async () => {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        const headers = { Authorization: `Bearer ${tenant.keys.production.key}` }
        const answer = await shop.fetch(path, { method, headers, ...(method === 'POST' && { body: '{' }) })
        shop.contract.judge(method, 'no operation', answer)
        assert.equal(answer.status, 404, method)
        assert.equal((answer.json as ErrorBody).code, 'not_found')
      }
    })
  }
})

describe('a body', () => {
  const exactly = (bytes: number) => {
    const frame = '{"name":"Rex","categoryId":1,"filler":""}'
    return frame.replace('""}', `"${'x'.repeat(bytes - frame.length)}"}`)
  }

  test('of 64 KiB is taken, one byte more is 413', async () => {
    assert.equal((await tenant.post('/pets', exactly(64 * 1024))).status, 201)
    const { status, json } = await tenant.post('/pets', exactly(64 * 1024 + 1))
    assert.equal(status, 413)
    assert.equal((json as ErrorBody).code, 'payload_too_large')
    const chunked = { headers: { 'Transfer-Encoding': 'chunked', 'Content-Length': [] as string[] } }
    assert.equal((await tenant.post('/pets', exactly(64 * 1024), chunked)).status, 201)
    assert.equal((await tenant.post('/pets', exactly(64 * 1024 + 1), chunked)).status, 413)
  })

  for (const type of [
    'text/plain',
    'application/xml',
    'application/jsonx',
    'application/json, text/plain',
    'application/problem+json',
    'multipart/form-data; boundary=x',
    'application/x-www-form-urlencoded',
    'application/json; charset=latin1',
    'application/json;charset=utf-16',
    '*/*',
    'json',
    '',
  ]) {
    test(`of the type ${JSON.stringify(type)} is 415`, async () => {
      const { status, json } = await tenant.post(
        '/pets',
        { name: 'Rex', categoryId: 1 },
        { headers: { 'Content-Type': type } },
      )
      assert.equal(status, 415)
      assert.equal((json as ErrorBody).code, 'unsupported_media_type')
      assert.equal(
        (await tenant.patch(`/pets/${pet.id}`, { name: 'No' }, { headers: { 'Content-Type': type } })).status,
        415,
      )
    })
  }

  for (const type of [
    'application/json',
    'APPLICATION/JSON',
    'application/json; charset=utf-8',
    'application/json;charset="UTF-8"',
    'application/json;charset=UTF8',
  ]) {
    test(`of the type ${type} is read`, async () => {
      const headers = { 'Content-Type': type }
      assert.equal((await tenant.post('/pets', { name: 'Réx', categoryId: 1 }, { headers })).status, 201)
    })
  }

  test('that is compressed is 415, not taken for JSON', async () => {
    for (const encoding of ['gzip', 'deflate', 'br', 'zstd', 'nonsense']) {
      const headers = { 'Content-Encoding': encoding }
      assert.equal((await tenant.post('/pets', { name: 'Rex', categoryId: 1 }, { headers })).status, 415, encoding)
    }
    const headers = { 'Content-Encoding': 'identity' }
    assert.equal((await tenant.post('/pets', { name: 'Rex', categoryId: 1 }, { headers })).status, 201)
  })

  test('with a GET is ignored', async () => {
    assert.equal(
      (await tenant.ask('/pets?limit=1', { body: 'not looked at', headers: { 'Content-Type': 'text/plain' } })).status,
      200,
    )
  })
})

describe('HEAD', () => {
  test('has the headers of GET, its length included, and no body', async () => {
    for (const path of [
      '/pets?limit=1',
      `/pets/${pet.id}`,
      '/store/orders',
      '/openapi.json',
      '/pets/none',
      '/pets?limit=0',
    ]) {
      const [get, head] = [await tenant.get(path), await tenant.ask(path, { method: 'HEAD' })]
      assert.equal(head.status, get.status, path)
      assert.equal(head.text, '')
      assert.equal(head.headers['content-length'], String(Buffer.byteLength(get.text)))
      for (const name of ['etag', 'link', 'deprecation', 'sunset', 'content-type'])
        assert.equal(head.headers[name], get.headers[name], name)
    }
  })
})

describe('a browser of any origin', () => {
  test('may ask what is allowed, without a key', async () => {
    for (const [path, allowed] of Object.entries(PATHS)) {
      const headers = {
        Origin: 'https://a.example',
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'authorization',
      }
      const answer = await tenant.ask(path, { method: 'OPTIONS', key: '', headers })
      assert.equal(answer.status, 204)
      assert.equal(answer.headers.allow, allowed)
      assert.equal(answer.headers['access-control-allow-methods'], allowed)
      const requestHeaders = String(answer.headers['access-control-allow-headers']).toLowerCase().split(', ')
      for (const name of ['authorization', 'content-type', 'idempotency-key', 'if-none-match', 'x-request-id'])
        assert.ok(requestHeaders.includes(name), name)
      assert.match(String(answer.headers['access-control-max-age']), /^\d+$/)
      assert.equal(answer.headers['access-control-allow-credentials'], undefined)
    }
  })

  test('may read every answer and every header that the interface speaks through', async () => {
    const exposed = new Set([
      'link',
      'location',
      'etag',
      'x-request-id',
      'ratelimit',
      'ratelimit-policy',
      'retry-after',
      'idempotency-replayed',
      'deprecation',
      'sunset',
    ])
    for (const answer of [
      await tenant.get('/pets'),
      await tenant.post('/pets', { name: 'Rex', categoryId: 1 }),
      await tenant.get('/pets', { key: '' }),
      await tenant.get('/nowhere'),
      await tenant.ask('/pets', { method: 'PUT' }),
    ]) {
      assert.equal(answer.headers['access-control-allow-origin'], '*')
      const names = String(answer.headers['access-control-expose-headers']).toLowerCase().split(', ')
      for (const name of exposed) assert.ok(names.includes(name), name)
    }
  })
})

describe('a validator', () => {
  test('given back while nothing has changed is answered with 304 and no body', async () => {
    for (const path of ['/pets?limit=1', `/pets/${pet.id}`, '/store/orders', '/openapi.json']) {
      const { headers } = await tenant.get(path)
      const etag = headers.etag as string
      assert.match(etag, /^"[\w-]+"$/, 'strong')
      assert.match(String(headers['cache-control']), path === '/openapi.json' ? /^public, max-age=\d+$/ : /^private/)
      for (const given of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
        for (const method of ['GET', 'HEAD']) {
          const fresh = await tenant.ask(path, { method, headers: { 'If-None-Match': given } })
          assert.equal(fresh.status, 304, given)
          assert.equal(fresh.headers.etag, etag)
          assert.equal(fresh.headers.link, headers.link)
        }
      }
      assert.equal((await tenant.get(path, { headers: { 'If-None-Match': '"other"' } })).status, 200)
    }
  })

  test('is another one as soon as the answer is another one', async () => {
    const { headers } = await tenant.get(`/pets/${pet.id}`)
    await tenant.patch(`/pets/${pet.id}`, { name: `Rex ${headers.etag}` })
    const changed = await tenant.get(`/pets/${pet.id}`, { headers: { 'If-None-Match': String(headers.etag) } })
    assert.equal(changed.status, 200)
    assert.notEqual(changed.headers.etag, headers.etag)
  })

  test('does not keep a write from being done', async () => {
    const headers = { 'If-None-Match': '*' }
    assert.equal((await tenant.post('/pets', { name: 'Rex', categoryId: 1 }, { headers })).status, 201)
    assert.equal((await tenant.patch(`/pets/${pet.id}`, { categoryId: 2 }, { headers })).status, 200)
  })
})

describe('X-Request-Id', () => {
  test('that reads like the name of a header moves no other', async () => {
    const { id } = (await tenant.post('/pets', { name: 'Rex', categoryId: 1 })).json as { id: number }
    const { etag } = (await tenant.get('/pets')).headers
    for (const own of ['Content-Length', 'ETag', 'own']) {
      const unchanged = await tenant.get('/pets', { headers: { 'X-Request-Id': own, 'If-None-Match': String(etag) } })
      const asked = await tenant.ask('/pets', { method: 'OPTIONS', headers: { 'X-Request-Id': own } })
      for (const { status, headers } of [unchanged, asked]) {
        assert.equal(headers['x-request-id'], own, String(status))
        assert.equal(headers['x-content-type-options'], 'nosniff', String(status))
        assert.equal(headers['content-length'], undefined, String(status))
      }
      assert.deepEqual([unchanged.status, unchanged.headers.etag, asked.status], [304, etag, 204])
    }
    const gone = await tenant.ask(`/pets/${id}`, { method: 'DELETE', headers: { 'X-Request-Id': 'Content-Length' } })
    assert.deepEqual([gone.status, gone.headers['x-request-id']], [204, 'Content-Length'])
  })

  test('is the caller’s own where it is harmless, and ours otherwise', async () => {
    for (const own of ['abc', 'a.b:c-d_e', 'x'.repeat(128)]) {
      assert.equal((await tenant.get('/pets', { headers: { 'X-Request-Id': own } })).headers['x-request-id'], own)
    }
    const seen = new Set<unknown>()
    for (const bad of ['', ' ', 'a b', '<script>', 'x'.repeat(129), 'é', '{"a":1}']) {
      const { headers } = await tenant.get('/pets', { headers: { 'X-Request-Id': bad } })
      assert.match(String(headers['x-request-id']), /^req_\w+$/)
      seen.add(headers['x-request-id'])
    }
    assert.equal(seen.size, 7, 'each its own')
  })
})

test('answers with animals are not for shared caches, errors and writes for none', async () => {
  assert.equal((await tenant.get('/pets')).headers.vary, 'Authorization, Accept-Encoding')
  for (const answer of [
    await tenant.post('/pets', { name: 'Rex', categoryId: 1 }),
    await tenant.get('/pets?limit=0'),
    await tenant.get('/pets', { key: '' }),
  ]) {
    assert.equal(answer.headers['cache-control'], 'no-store')
  }
})

test('the document is served without a key at both addresses, and names both', async () => {
  for (const environment of ['production', 'staging'] as const) {
    const { status, headers, json } = await shop.fetch('/v1/openapi.json', { environment })
    assert.equal(status, 200)
    assert.equal(headers['content-type'], 'application/json')
    const document = json as { openapi: string; info: { version: string }; servers: { url: string }[] }
    assert.match(document.openapi, /^3\.1\./)
    assert.equal(document.info.version, '1.0.0')
    const { baseUrl, stagingUrl } = shop.service.config
    assert.deepEqual(
      document.servers.map(({ url }) => url),
      [baseUrl.href, stagingUrl.href],
    )
  }
})
