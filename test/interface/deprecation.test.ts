import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ErrorBody } from './contract.ts'
import type { Pet } from './paging.ts'
import { openShop } from './shop.ts'

const REMOVAL = Date.UTC(2030, 11, 5)

test('GET /pets/{petId} announces its removal with every answer, and no other operation does', async () => {
  await using shop = await openShop()
  const tenant = await shop.tenant()
  const { id } = (await tenant.post('/pets', { name: 'Rex', categoryId: 1 })).json as Pet
  const base = shop.service.config.baseUrl
  for (const answer of [
    await tenant.get(`/pets/${id}`),
    await tenant.get(`/pets/${id}`),
    await tenant.ask(`/pets/${id}`, { method: 'HEAD' }),
    await tenant.get('/pets/none'),
    await tenant.get('/pets/0'),
  ]) {
    assert.match(String(answer.headers.deprecation), /^@\d{10}$/)
    assert.ok(Number(String(answer.headers.deprecation).slice(1)) * 1000 <= REMOVAL, 'the sunset is not before it')
    assert.equal(answer.headers.sunset, 'Thu, 05 Dec 2030 00:00:00 GMT')
    const links = String(answer.headers.link).split(', ')
    assert.ok(links.includes(`<${base.href}/pets>; rel="successor-version"`), String(links))
    assert.ok(
      links.some((link) => link.startsWith(`<${base.origin}/docs/versioning>; rel="deprecation"`)),
      String(links),
    )
  }
  const there = await tenant.get('/pets/none', { environment: 'staging' })
  assert.match(
    String(there.headers.link),
    new RegExp(`<${shop.service.config.stagingUrl.href}/pets>; rel="successor-version"`),
  )

  for (const answer of [
    await tenant.get('/pets'),
    await tenant.get('/pets?status=sold'),
    await tenant.patch(`/pets/${id}`, { name: 'Max' }),
    await tenant.get('/store/orders'),
  ]) {
    assert.equal(answer.headers.deprecation, undefined)
    assert.equal(answer.headers.sunset, undefined)
  }
})

test('GET /pets/{petId} works to the last millisecond before 5 December 2030, and is 410 from then on', async () => {
  await using shop = await openShop({ now: REMOVAL - 1 })
  const tenant = await shop.tenant()
  const added = await tenant.post('/pets', { name: 'Rex', categoryId: 1 })
  const { id } = added.json as Pet
  assert.equal((await tenant.get(`/pets/${id}`)).status, 200)
  const { headers } = await tenant.get(`/pets/${id}`)

  shop.clock.advance(1)
  for (const path of [`/pets/${id}`, '/pets/none', '/pets/0']) {
    const { status, json, headers } = await tenant.get(path)
    assert.equal(status, 410, path)
    assert.equal((json as ErrorBody).code, 'gone')
    assert.match((json as ErrorBody).message, /GET \/pets/, 'says what to use instead')
    assert.equal(headers.sunset, 'Thu, 05 Dec 2030 00:00:00 GMT')
  }
  assert.equal((await tenant.get(`/pets/${id}`, { headers: { 'If-None-Match': String(headers.etag) } })).status, 410)
  assert.equal((await tenant.ask(`/pets/${id}`, { method: 'HEAD' })).status, 410)
  assert.equal((await tenant.get(`/pets/${id}`, { key: '' })).status, 401, 'the key still comes first')
  assert.equal((await tenant.get('/pets?status=available')).status, 200, 'its successor stays')
  const found = new URL(String(added.headers.location))
  const { text } = await tenant.get(found.pathname.replace('/v1', '') + found.search)
  assert.equal(text, `[${added.text}]`, 'and so does the address that was given when the animal was added')
  assert.equal((await tenant.patch(`/pets/${id}`, { name: 'Max' })).status, 200)
})

test('the document marks the operation with the same day', async () => {
  await using shop = await openShop()
  const { json } = await shop.fetch('/v1/openapi.json')
  const { paths } = json as { paths: Record<string, Record<string, Record<string, unknown>>> }
  const marked = Object.values(paths).flatMap((methods) =>
    Object.values(methods).filter((operation) => operation.deprecated),
  )
  assert.deepEqual(
    marked.map((operation) => operation.operationId),
    ['getPet'],
  )
  assert.equal(marked[0]?.['x-deprecated-sunset'], '2030-12-05')
})

test('a path that ends with a slash names no animal: it is no operation, and announces no removal', async () => {
  await using shop = await openShop()
  const tenant = await shop.tenant()
  for (const path of ['/pets/', '/store/orders/']) {
    const { status, json, headers } = await tenant.get(path)
    assert.equal(status, 404)
    assert.match((json as ErrorBody).message, /no operation at/)
    assert.deepEqual([headers.deprecation, headers.sunset], [undefined, undefined])
  }
})
