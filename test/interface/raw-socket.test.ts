import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { ErrorBody } from './contract.ts'
import { converse, type Step } from './raw-http.ts'
import { openShop, type Shop, type Tenant } from './shop.ts'

let shop: Shop
let tenant: Tenant
let port: number

before(async () => {
  shop = await openShop()
  tenant = await shop.tenant()
  port = Number(shop.service.config.baseUrl.port)
})
after(() => shop[Symbol.asyncDispose]())

const host = () => `Host: localhost:${port}\r\n`
const signed = () => `${host()}Authorization: Bearer ${tenant.keys.production.key}\r\n`
const get = (extra = '') => `GET /v1/pets?limit=1 HTTP/1.1\r\n${signed()}${extra}\r\n`
const PET = '{"name":"Raw","categoryId":1}'
const post = (extra: string, body = PET) =>
  `POST /v1/pets HTTP/1.1\r\n${signed()}Content-Type: application/json\r\n${extra}\r\n${body}`
const chunked = (...chunks: string[]) => chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('')

interface Shape {
  bytes: () => readonly Step[]
  /** The statuses of the answers, in order. */
  statuses: readonly number[]
  /** False where the connection must still be good for another request. */
  closes: boolean
}

const closing = (bytes: () => readonly Step[], ...statuses: number[]): Shape => ({ bytes, statuses, closes: true })
const lasting = (bytes: () => readonly Step[], ...statuses: number[]): Shape => ({ bytes, statuses, closes: false })

const SMUGGLING: Record<string, Shape> = {
  'two lengths that differ': closing(() => [post('Content-Length: 29\r\nContent-Length: 5\r\n')], 400),
  'two lengths that agree': closing(() => [post('Content-Length: 29\r\nContent-Length: 29\r\n')], 400),
  'a list of lengths': closing(() => [post('Content-Length: 29, 29\r\n')], 400),
  'a length and chunks': closing(
    () => [post('Content-Length: 29\r\nTransfer-Encoding: chunked\r\n', '0\r\n\r\n')],
    400,
  ),
  'chunks and a length': closing(
    () => [post('Transfer-Encoding: chunked\r\nContent-Length: 29\r\n', '0\r\n\r\n')],
    400,
  ),
  'a negative length': closing(() => [post('Content-Length: -1\r\n')], 400),
  'a signed length': closing(() => [post('Content-Length: +29\r\n')], 400),
  'a hexadecimal length': closing(() => [post('Content-Length: 0x1d\r\n')], 400),
  'a length beyond 64 bits': closing(() => [post(`Content-Length: ${'9'.repeat(30)}\r\n`)], 400),
  'an encoding that is not chunked': closing(() => [post('Transfer-Encoding: identity\r\n')], 400),
  'chunked twice': closing(
    () => [post('Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n', '0\r\n\r\n')],
    400,
  ),
  'chunked not last': closing(() => [post('Transfer-Encoding: chunked, gzip\r\n', '0\r\n\r\n')], 400),
  'chunked with a vertical tab': closing(() => [post('Transfer-Encoding: \x0bchunked\r\n', '0\r\n\r\n')], 400),
  'a space before the colon': closing(() => [post('Content-Length : 29\r\n')], 400),
  'a folded header': closing(() => [get('X-Folded: a\r\n b\r\n')], 400),
  'a header that begins with a space': closing(() => [`GET /v1/pets HTTP/1.1\r\n ${host()}\r\n`], 400),
  'bare line feeds': closing(() => [`GET /v1/pets HTTP/1.1\n${signed().replaceAll('\r\n', '\n')}\n`], 400),
  'a bare line feed inside': closing(() => [get('X-A: b\nX-C: d\r\n')], 400),
  'a bare carriage return': closing(() => [get('X-A: b\rX-C: d\r\n')], 400),
  'a NUL in a value': closing(() => [get('X-A: b\0c\r\n')], 400),
  'a NUL in a name': closing(() => [get('X\0A: b\r\n')], 400),
  'a NUL in the target': closing(() => [`GET /v1/pets\0 HTTP/1.1\r\n${signed()}\r\n`], 400),
  'bad chunk size': closing(() => [post('Transfer-Encoding: chunked\r\n', 'xyz\r\n')], 400),
  'a huge chunk size': closing(() => [post('Transfer-Encoding: chunked\r\n', 'ffffffffffffffffff\r\n')], 400),
  'a chunk longer than its size': closing(
    () => [post('Transfer-Encoding: chunked\r\n', '3\r\nabcdef\r\n0\r\n\r\n')],
    400,
  ),
  'a chunk that ends in a bare line feed': closing(
    () => [post('Transfer-Encoding: chunked\r\n', '3\r\nabc\n0\r\n\r\n')],
    400,
  ),
  'a request hidden in a body that is refused': closing(() => [post('Content-Length: 200000\r\n', get())], 413),
}

const TARGETS: Record<string, Shape> = {
  'two Hosts': closing(() => [`GET /v1/pets HTTP/1.1\r\n${signed()}Host: other\r\n\r\n`], 400),
  'two Hosts that agree': closing(() => [`GET /v1/pets HTTP/1.1\r\n${signed()}${host()}\r\n`], 400),
  'no Host': closing(() => ['GET /v1/pets HTTP/1.1\r\n\r\n'], 400),
  'the absolute form': lasting(() => [`GET http://localhost:${port}/v1/pets?limit=1 HTTP/1.1\r\n${signed()}\r\n`], 200),
  'the absolute form of another host': closing(
    () => [`GET http://evil.example/v1/pets HTTP/1.1\r\n${signed()}\r\n`],
    400,
  ),
  'the authority form': closing(() => [`CONNECT localhost:${port} HTTP/1.1\r\n${signed()}\r\n`], 405),
  'the asterisk form': lasting(() => [`OPTIONS * HTTP/1.1\r\n${signed()}\r\n`], 404),
  'a relative target': closing(() => [`GET v1/pets HTTP/1.1\r\n${signed()}\r\n`], 400),
  'an unknown method': closing(() => [`FETCH /v1/pets HTTP/1.1\r\n${signed()}\r\n`], 405),
  'a method in lower case': closing(() => [`get /v1/pets HTTP/1.1\r\n${signed()}\r\n`], 405),
  'a space in the target': closing(() => [`GET /v1/pets ?limit=1 HTTP/1.1\r\n${signed()}\r\n`], 400),
  'bytes beyond ASCII in the target': closing(() => [`GET /v1/p\xffts HTTP/1.1\r\n${signed()}\r\n`], 400),
  'two slashes in the target': lasting(() => [`GET /v1//evil.example/pets HTTP/1.1\r\n${signed()}\r\n`], 404),
  'HTTP/0.9': closing(() => ['GET /v1/pets\r\n\r\n'], 400),
  'HTTP/3.0': closing(() => [`GET /v1/pets HTTP/3.0\r\n${signed()}\r\n`], 400),
  'HTTP/2.0 in text': closing(() => [`GET /v1/pets HTTP/2.0\r\n${signed()}\r\n`], 400),
  'the HTTP/2 preface': closing(() => ['PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'], 400),
  'HTTP/1.0': closing(() => [`GET /v1/pets?limit=1 HTTP/1.0\r\n${signed()}\r\n`], 200),
  'HTTP/1.0 that wants to stay': lasting(
    () => [`GET /v1/pets?limit=1 HTTP/1.0\r\n${signed()}Connection: keep-alive\r\n\r\n`],
    200,
  ),
  'a TLS hello': closing(() => ['\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'], 400),
  'a wish to upgrade': lasting(() => [get('Connection: Upgrade\r\nUpgrade: websocket\r\n')], 200),
  'a prototype in the query': lasting(
    () => [`GET /v1/pets?__proto__[limit]=0&constructor.prototype.limit=0 HTTP/1.1\r\n${signed()}\r\n`],
    200,
  ),
  'an empty line before the request': lasting(() => [`\r\n${get()}`], 200),
}

const SIZES: Record<string, Shape> = {
  'a header of 20 KiB': closing(() => [get(`X-Big: ${'x'.repeat(20_000)}\r\n`)], 431),
  'a target of 20 KiB': closing(() => [`GET /v1/pets?${'x'.repeat(20_000)} HTTP/1.1\r\n${signed()}\r\n`], 431),
  'two thousand headers': closing(() => [get('X: y\r\n'.repeat(2000))], 431),
  'three hundred headers': closing(() => [get('X: y\r\n'.repeat(300))], 431),
  'a hundred headers': lasting(() => [get('X: y\r\n'.repeat(100))], 200),
  '10 MB announced': closing(() => [post('Content-Length: 10000000\r\n', '')], 413),
  '10 MB sent': closing(
    () => [post('Content-Length: 10000000\r\n', ''), ...Array.from({ length: 10 }, () => 'x'.repeat(1_000_000))],
    413,
  ),
  '10 MB in chunks': closing(
    () => [
      post('Transfer-Encoding: chunked\r\n', ''),
      ...Array.from({ length: 10 }, () => chunked('x'.repeat(1_000_000))),
    ],
    413,
  ),
  'a hundred thousand brackets': closing(
    () => [post('Content-Length: 200000\r\n', '['.repeat(100_000) + ']'.repeat(100_000))],
    413,
  ),
  'thirty thousand brackets': lasting(
    () => [post('Content-Length: 60000\r\n', '['.repeat(30_000) + ']'.repeat(30_000))],
    400,
  ),
  'a million keys': closing(() => {
    const body = `{${Array.from({ length: 1_000_000 }, (_, index) => `"${index}":0`).join(',')}}`
    return [post(`Content-Length: ${body.length}\r\n`, body)]
  }, 413),
  'a prototype in the body': lasting(() => {
    const body = '{"__proto__":{"categoryId":1},"name":"Raw"}'
    return [post(`Content-Length: ${body.length}\r\n`, body)]
  }, 400),
}

const ORDER: Record<string, Shape> = {
  'ten requests at once': lasting(() => [get().repeat(10)], ...Array.from({ length: 10 }, () => 200)),
  'requests of every kind at once': lasting(
    () => [
      get() +
        post('Content-Length: 29\r\n') +
        `GET /v1/nowhere HTTP/1.1\r\n${signed()}\r\n` +
        `DELETE /v1/pets HTTP/1.1\r\n${signed()}\r\n` +
        `GET /v1/pets HTTP/1.1\r\n${host()}\r\n` +
        get(),
    ],
    200,
    201,
    404,
    405,
    401,
    200,
  ),
  'good ones before a bad one': closing(
    () => [`${get()}${post('Content-Length: 29\r\n')}NONSENSE\r\n\r\n${get()}`],
    200,
    201,
    400,
  ),
  'one behind a body that is refused': closing(
    () => [post('Content-Length: 70000\r\n', 'x'.repeat(70_000)) + get()],
    413,
  ),
  'a body of the wrong type, then another request': closing(
    () => [
      `POST /v1/pets HTTP/1.1\r\n${signed()}Content-Type: text/plain\r\nContent-Length: 29\r\n\r\n`,
      { pauseMs: 20 },
      PET + get(),
    ],
    415,
  ),
  'a request in single bytes': lasting(() => [...get()], 200),
  'a body in single bytes': lasting(() => [post('Content-Length: 29\r\n', ''), ...PET], 201),
  'a chunked body with extensions and trailers': lasting(
    () => [
      post(
        'Transfer-Encoding: chunked\r\n',
        `${PET.length.toString(16)};ext="a"\r\n${PET}\r\n0\r\nX-Trailer: 1\r\n\r\n`,
      ),
    ],
    201,
  ),
  'a client that waits for 100 Continue': lasting(
    () => [post('Content-Length: 29\r\nExpect: 100-continue\r\n', ''), { pauseMs: 30 }, PET],
    201,
  ),
  'an expectation that nobody knows': lasting(() => [post('Content-Length: 29\r\nExpect: 200-ok\r\n')], 201),
  'a last request': closing(() => [get('Connection: close\r\n') + get()], 200),
  'a half-closed connection': closing(() => [get(), 'half-close'], 200),
  'a body that ends early': closing(() => [post('Content-Length: 50\r\n'), 'half-close'], 400),
  'chunks that end early': closing(() => [post('Transfer-Encoding: chunked\r\n', '50\r\nabc'), 'half-close'], 400),
  'a head that ends early': closing(() => ['GET /v1/pets HT', 'half-close'], 400),
  'a reset in the middle of a body': closing(() => [post('Content-Length: 50\r\n'), { pauseMs: 10 }, 'reset']),
  'a reset in the middle of a head': closing(() => ['GET /v1/pe', { pauseMs: 10 }, 'reset']),
  'a reset before the answer': closing(() => [post('Content-Length: 29\r\n'), 'reset']),
  'nothing at all': closing(() => ['half-close']),
}

for (const [section, shapes] of Object.entries({ SMUGGLING, TARGETS, SIZES, ORDER })) {
  describe(section.toLowerCase(), () => {
    for (const [name, { bytes, statuses, closes }] of Object.entries(shapes)) {
      const outcome = `${statuses.join(', ') || 'no answer'}, and the connection ${closes ? 'ends' : 'goes on'}`
      test(`${name}: ${outcome}`, async () => {
        // Whether the connection is still good is shown by using it once more.
        const steps = closes ? bytes() : [...bytes(), { pauseMs: 20 }, get()]
        const { answers, closed } = await converse(port, steps, closes ? Infinity : statuses.length + 1)
        assert.deepEqual(
          answers.map(({ status }) => status),
          closes ? statuses : [...statuses, 200],
        )
        assert.equal(closed, closes)
        for (const { status, headers, body } of answers) {
          assert.ok(headers['x-request-id'])
          assert.equal(headers['content-type'], 'application/json')
          if (status >= 400)
            assert.deepEqual(Object.keys(JSON.parse(body) as ErrorBody).sort(), ['code', 'message', 'status'])
          if (status >= 400) assert.equal((JSON.parse(body) as ErrorBody).status, status)
        }
        assert.equal((await tenant.get('/pets?limit=1')).status, 200, 'the next good request is answered')
      })
    }
  })
}

test('none of it was a bug of ours', async () => {
  const metrics = await fetch(`http://127.0.0.1:${shop.service.config.adminPort}/metrics`)
  const failures = (await metrics.text()).match(/^petstore_failures_total\S+ [1-9]\d*$/gm) ?? []
  assert.ok(failures.length > 3)
  assert.deepEqual(
    failures.filter((line) => /internal_error|unavailable/.test(line)),
    [],
  )
})
