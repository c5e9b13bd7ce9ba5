import assert from 'node:assert/strict'
import { METHODS } from 'node:http'
import { type ClientHttp2Session, connect } from 'node:http2'
import { after, before, describe, test } from 'node:test'
import type { ErrorBody } from './contract.ts'
import { exchange } from './http2-exchange.ts'
import { converse } from './raw-http.ts'
import { openShop, type Shop } from './shop.ts'

const SLUG_TOO_LONG = 'a'.repeat(513)

/** What is allowed there, or nothing where no path leads. */
const PATHS: Record<string, string | undefined> = {
  '/': undefined,
  '/v1/pets': 'GET, POST, HEAD, OPTIONS',
  '/v1/pets?limit=1': 'GET, POST, HEAD, OPTIONS',
  '/v1/pets/1': 'GET, PATCH, DELETE, HEAD, OPTIONS',
  '/v1/pets/%zz': 'GET, PATCH, DELETE, HEAD, OPTIONS',
  '/v1/openapi.json': 'GET, HEAD, OPTIONS',
  '/v1/nowhere': undefined,
  '/v1/store/orders/': undefined,
  '/platform/v1/projects': 'GET, POST, HEAD',
  '/platform/v1/projects/kennel': 'GET, PATCH, DELETE, HEAD',
  '/platform/v1/sign-in': 'POST',
  '/platform/v1/nowhere': undefined,
  [`/platform/v1/projects/${SLUG_TOO_LONG}`]: undefined,
}

/** CONNECT names no path: both protocols hand it over by itself. */
const SERVED = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'CONNECT'])
const KNOWN_TO_NODE = METHODS.filter((word) => !SERVED.has(word))
const EVERY_METHOD = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'
const UNKNOWN = [
  'FOO',
  'get',
  'Post',
  'pATCH',
  'query',
  'constructor',
  '__proto__',
  'toString',
  'x'.repeat(2000),
  "!#$%&'*+.^_`|~",
]

let shop: Shop
let session: ClientHttp2Session
before(async () => {
  shop = await openShop()
  const { httpsPort } = shop.service.config
  session = connect(`https://127.0.0.1:${httpsPort}`, { rejectUnauthorized: false, servername: 'localhost' })
})
after(async () => {
  session?.destroy()
  await shop?.[Symbol.asyncDispose]()
})

interface Answered {
  status: number
  allow: string | undefined
  text: string
}

async function overHttp1(method: string, path: string): Promise<Answered> {
  const { baseUrl } = shop.service.config
  const { answers } = await converse(
    Number(baseUrl.port),
    [`${method} ${path} HTTP/1.1\r\nHost: ${baseUrl.host}\r\n\r\n`],
    1,
  )
  const [answer] = answers
  assert.ok(answer)
  return { status: answer.status, allow: answer.headers.allow, text: answer.body }
}

async function overHttp2(method: string, path: string): Promise<Answered> {
  const authority = `localhost:${shop.service.config.httpsPort}`
  const { status, headers, text } = await exchange(
    session,
    { ':authority': authority, ':method': method, ':path': path },
    undefined,
  )
  return { status, allow: headers.allow, text }
}

function assertRefused({ status, allow, text }: Answered, expected: number, code: string, allowed?: string): void {
  assert.equal(status, expected, text)
  const body = JSON.parse(text) as ErrorBody
  assert.deepEqual(Object.keys(body), ['code', 'message', 'status'])
  assert.equal(body.code, code)
  assert.equal(body.status, expected)
  assert.equal(allow, allowed)
}

for (const [path, allowed] of Object.entries(PATHS)) {
  const [status, code] = allowed === undefined ? ([404, 'not_found'] as const) : ([405, 'method_not_allowed'] as const)
  describe(`${path.slice(0, 60)} is ${status} for every method word that no path has`, () => {
    test('over HTTP/1.1', async () => {
      for (const word of KNOWN_TO_NODE) assertRefused(await overHttp1(word, path), status, code, allowed)
    })
    test('over HTTP/2', async () => {
      for (const word of [...KNOWN_TO_NODE, ...UNKNOWN]) {
        assertRefused(await overHttp2(word, path), status, code, allowed)
      }
    })
  })
}

test('a word unknown to Node’s parser for HTTP/1.1 is refused before its path is read, in the same form', async () => {
  for (const word of UNKNOWN) assertRefused(await overHttp1(word, '/v1/pets'), 405, 'method_not_allowed', EVERY_METHOD)
})

test('CONNECT is refused in the same form', async () => {
  const authority = `localhost:${shop.service.config.httpsPort}`
  assertRefused(await overHttp1('CONNECT', authority), 405, 'method_not_allowed', EVERY_METHOD)
  const { status, headers, text } = await exchange(
    session,
    { ':authority': authority, ':method': 'CONNECT' },
    undefined,
  )
  assertRefused({ status, allow: headers.allow, text }, 405, 'method_not_allowed', EVERY_METHOD)
})

test('a path that is too long for the dashboard’s router is 404 for the methods that others have', async () => {
  const path = `/platform/v1/projects/${SLUG_TOO_LONG}`
  for (const method of ['GET', 'PATCH', 'DELETE']) {
    assertRefused(await overHttp1(method, path), 404, 'not_found')
    assertRefused(await overHttp2(method, path), 404, 'not_found')
  }
})

test('none of it was a bug of ours', async () => {
  const metrics = await (await fetch(`http://127.0.0.1:${shop.service.config.adminPort}/metrics`)).text()
  assert.match(metrics, /^petstore_failures_total\{code="method_not_allowed"\} [1-9]/m)
  assert.doesNotMatch(metrics, /^petstore_failures_total\{code="internal_error"\} [1-9]/m)
})
