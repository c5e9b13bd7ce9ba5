import assert from 'node:assert/strict'
import { connect } from 'node:http2'
import { test } from 'node:test'
import { exchange } from './http2-exchange.ts'
import { nextPageOf } from './paging.ts'
import { openShop } from './shop.ts'

/** What the interface answers over HTTP/1.1 it answers over TLS and HTTP/2 too, refusals of a body included. */
test('over TLS and HTTP/2 the interface is the same, and a refused body does not end the connection', async () => {
  await using shop = await openShop()
  const tenant = await shop.tenant()
  const port = shop.service.config.httpsPort
  const session = connect(`https://127.0.0.1:${port}`, { rejectUnauthorized: false, servername: 'localhost' })
  const ask = (method: string, path: string, options: { body?: string; type?: string; key?: string } = {}) => {
    const { body, type = 'application/json', key = tenant.keys.production.key } = options
    const headers = {
      ':authority': `localhost:${port}`,
      ':method': method,
      ':path': `/v1${path}`,
      'content-type': type,
    }
    return exchange(session, { ...headers, ...(key && { authorization: `Bearer ${key}` }) }, body)
  }
  try {
    const pet = '{"name":"Réx","categoryId":9223372036854775807}'
    const created = await ask('POST', '/pets', { body: pet })
    assert.equal(created.status, 201)
    const scenarios: [status: number, method: string, path: string, options?: Parameters<typeof ask>[2]][] = [
      [200, 'GET', '/pets'],
      [200, 'GET', '/pets?limit=1&status=available'],
      [200, 'HEAD', '/pets'],
      [204, 'OPTIONS', '/pets'],
      [404, 'GET', '/pets/none'],
      [404, 'GET', '/pets/%zz'],
      [404, 'GET', '/nowhere'],
      [405, 'PUT', '/pets', { body: '{' }],
      [400, 'GET', '/pets?limit=0'],
      [400, 'POST', '/pets', { body: '{' }],
      [413, 'POST', '/pets', { body: 'x'.repeat(200_000) }],
      [415, 'POST', '/pets', { body: 'x', type: 'text/plain' }],
      [401, 'POST', '/pets', { body: 'x'.repeat(200_000), key: '' }],
      [401, 'GET', '/pets', { key: tenant.keys.staging.key }],
      [201, 'POST', '/pets', { body: pet }],
    ]
    for (const [status, method, path, options] of scenarios) {
      const answer = await ask(method, path, options)
      assert.equal(answer.status, status, `${method} ${path}`)
      shop.contract.judge(method, path, answer)
    }
    const listed = await ask('GET', '/pets?limit=1')
    assert.equal(listed.text, `[${created.text}]`)
    assert.match(String(listed.headers.link), /rel="next"$/)
    // Asked for so often that answers are kept: the plain address has its own.
    for (let round = 0; round < 3; round++) {
      const { headers: overTls } = await ask('GET', '/pets?limit=1')
      assert.equal(nextPageOf(String(overTls.link))?.origin, `https://localhost:${port}`)
      const { headers: plain } = await tenant.get('/pets?limit=1')
      assert.equal(nextPageOf(plain.link)?.origin, shop.service.config.baseUrl.origin)
    }
    // So has the operation that announces its removal, whatever the answer.
    const { id } = created.json as { id: number }
    const addressesIn = (link: unknown) => [...String(link).matchAll(/<([^>]+)>/g)].map(([, address]) => address)
    const { origin } = shop.service.config.baseUrl
    for (const path of [`/pets/${id}`, `/pets/${id}`, `/pets/${id}`, '/pets/none']) {
      const { headers: overTls } = await ask('GET', path)
      const paths = ['/docs/versioning', '/v1/pets']
      assert.deepEqual(
        addressesIn(overTls.link),
        paths.map((at) => `https://localhost:${port}${at}`),
      )
      const { headers: plain } = await tenant.get(path)
      assert.deepEqual(
        addressesIn(plain.link),
        paths.map((at) => `${origin}${at}`),
      )
    }
    assert.match(String(created.headers.location), new RegExp(`^https://localhost:${port}/v1/pets\\?id=\\d+$`))
    assert.equal(session.destroyed, false)
  } finally {
    session.destroy()
  }
})
