import assert from 'node:assert/strict'
import { get, type IncomingHttpHeaders } from 'node:http'
import { after, before, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { until } from '../harness/until.ts'
import { openShop, type Shop, type Tenant } from './shop.ts'

let shop: Shop
let tenant: Tenant
before(async () => {
  shop = await openShop()
  tenant = await shop.tenant()
  for (let count = 0; count < 30; count++) await tenant.post('/pets', { name: `Rex 犬 ${count}`, categoryId: count })
})
after(() => shop?.[Symbol.asyncDispose]())

const DECODE = { br: brotliDecompressSync, gzip: gunzipSync }

for (const encoding of ['br', 'gzip'] as const) {
  test(`a list that is asked for again comes compressed to those who take ${encoding}`, async () => {
    const plain = await ask(`/v1/pets?limit=30&for=${encoding}`)
    assert.equal(plain.headers['content-encoding'], undefined)
    const packed = await ask(`/v1/pets?limit=30&for=${encoding}`, { 'Accept-Encoding': encoding })
    assert.equal(packed.headers['content-encoding'], encoding)
    assert.equal(packed.headers['content-length'], String(packed.bytes.length))
    assert.ok(packed.bytes.length < plain.bytes.length / 3, String(packed.bytes.length))
    assert.deepEqual(DECODE[encoding](packed.bytes), plain.bytes)
    assert.equal(packed.headers.link, plain.headers.link)

    for (const { headers } of [plain, packed]) assert.equal(headers.vary, 'Authorization, Accept-Encoding')
    assert.notEqual(packed.headers.etag, plain.headers.etag, 'other bytes, another strong validator')
    const head = await ask(`/v1/pets?limit=30&for=${encoding}`, { 'Accept-Encoding': encoding }, 'HEAD')
    for (const name of ['etag', 'content-length', 'content-encoding', 'content-type', 'vary'])
      assert.equal(head.headers[name], packed.headers[name], name)
    assert.equal((await ask(`/v1/pets?limit=30&for=${encoding}`)).headers['content-encoding'], undefined)

    for (const { headers } of [plain, packed]) {
      const { etag = '' } = headers
      const fresh = await ask(`/v1/pets?limit=30&for=${encoding}`, {
        'Accept-Encoding': encoding,
        'If-None-Match': etag,
      })
      assert.deepEqual([fresh.status, fresh.headers.etag, fresh.bytes.length], [304, etag, 0])
    }
  })
}

test('a list that nobody has asked for before comes compressed too, while there is time for it', async () => {
  let asked = 0
  await until('one is compressed', async () => {
    const { headers, bytes } = await ask(`/v1/pets?limit=30&first=${++asked}`, { 'Accept-Encoding': 'br' })
    if (headers['content-encoding'] !== 'br') return false
    assert.match(String(brotliDecompressSync(bytes)), /Rex 犬 29/)
    return true
  })
})

test('the document comes compressed', async () => {
  const plain = await ask('/v1/openapi.json')
  const packed = await ask('/v1/openapi.json', { 'Accept-Encoding': 'gzip, deflate, br' })
  assert.equal(packed.headers['content-encoding'], 'br')
  assert.deepEqual(brotliDecompressSync(packed.bytes), plain.bytes)
})

test('what is small, and what is refused, stays as it is', async () => {
  for (const path of ['/v1/pets?limit=2', '/v1/pets?limit=0', '/v1/nothing']) {
    for (let times = 0; times < 3; times++) {
      const { headers } = await ask(path, { 'Accept-Encoding': 'br, gzip' })
      assert.equal(headers['content-encoding'], undefined, path)
    }
  }
})

test('a compressed answer is forgotten with the change that makes it wrong', async () => {
  const own = await shop.tenant()
  const key = own.keys.production.key
  const list = () => ask('/v1/pets', { 'Accept-Encoding': 'gzip' }, 'GET', key)
  for (let count = 0; count < 15; count++) await own.post('/pets', { name: `Rex the dog ${count}`, categoryId: 1 })
  for (let times = 0; times < 3; times++) await list()
  await own.post('/pets', { name: 'Max the cat', categoryId: 1 })
  const { headers, bytes } = await list()
  assert.match(String(headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes), /Max the cat/)
})

interface Raw {
  status: number
  headers: IncomingHttpHeaders
  bytes: Buffer
}

function ask(
  path: string,
  headers: Record<string, string> = {},
  method = 'GET',
  key = tenant.keys.production.key,
): Promise<Raw> {
  const { port } = shop.service.config.baseUrl
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, path, method, headers: { Authorization: `Bearer ${key}`, ...headers } }
    const asked = get(options, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part)).on('error', reject)
      response.on('end', () =>
        resolve({ status: response.statusCode as number, headers: response.headers, bytes: Buffer.concat(parts) }),
      )
    })
    asked.on('error', reject)
  })
}
