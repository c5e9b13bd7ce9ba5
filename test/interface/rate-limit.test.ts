import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SECOND_MS } from '../../src/platform/clock.ts'
import type { ErrorBody } from './contract.ts'
import { openShop } from './shop.ts'

test('a key has a burst of twice its rate, then 429 with Retry-After until there is room again', async () => {
  await using shop = await openShop({ environment: { PETSTORE_RATE_LIMIT: '5/s' } })
  const tenant = await shop.tenant()
  for (let left = 9; left >= 0; left--) {
    const { status, headers } = await tenant.get('/pets')
    assert.equal(status, 200)
    assert.equal(headers['ratelimit-policy'], '"default";q=10;w=2')
    assert.match(String(headers.ratelimit), new RegExp(`^"default";r=${left};t=[12]$`))
  }
  for (const path of ['/pets', '/pets/1', '/pets/none', '/store/orders']) {
    const { status, headers, json } = await tenant.get(path)
    assert.equal(status, 429)
    assert.equal((json as ErrorBody).code, 'rate_limited')
    assert.match(String(headers['retry-after']), /^[1-9]\d*$/)
    assert.match(String(headers.ratelimit), /^"default";r=0;t=\d+$/)
    const reset = Number(/t=(\d+)/.exec(String(headers.ratelimit))?.[1])
    assert.ok(Number(headers['retry-after']) >= reset, 'Retry-After is not earlier than the reset')
  }
  assert.equal((await tenant.post('/pets', '{')).status, 429, 'before the body is looked at')
  assert.equal((await tenant.ask('/pets', { method: 'HEAD' })).status, 429)

  const { headers } = await tenant.get('/pets')
  shop.clock.advance(Number(headers['retry-after']) * SECOND_MS)
  assert.equal((await tenant.get('/pets')).status, 200, 'whoever waits as told is let in')
  shop.clock.advance(60 * SECOND_MS)
  assert.match(
    String((await tenant.get('/pets')).headers.ratelimit),
    /r=9;/,
    'a long pause fills the burst and no more',
  )
})

test('one key’s haste is not another’s trouble, and needs no key where none is needed', async () => {
  await using shop = await openShop({ environment: { PETSTORE_RATE_LIMIT: '1/s' } })
  const tenant = await shop.tenant()
  const { key } = await tenant.newKey()
  for (const status of [200, 200, 429]) assert.equal((await tenant.get('/pets')).status, status)
  assert.equal((await tenant.get('/pets', { key })).status, 200)
  assert.equal((await tenant.get('/pets', { environment: 'staging' })).status, 200)
  assert.equal((await tenant.get('/openapi.json')).status, 200)
  assert.equal((await tenant.ask('/pets', { method: 'OPTIONS' })).status, 204)
})

test('a refused request counts as well, whatever it was refused for', async () => {
  await using shop = await openShop({ environment: { PETSTORE_RATE_LIMIT: '1/s' } })
  const tenant = await shop.tenant()
  assert.equal((await tenant.get('/pets?limit=0')).status, 400)
  assert.equal((await tenant.get('/pets/none')).status, 404)
  assert.equal((await tenant.get('/pets')).status, 429)
})

test('without a limit there are no headers about one', async () => {
  await using shop = await openShop()
  const tenant = await shop.tenant()
  const { headers } = await tenant.get('/pets')
  assert.equal(headers.ratelimit, undefined)
  assert.equal(headers['ratelimit-policy'], undefined)
})

test('all keys of a project share what four keys have, and another project does not notice', async () => {
  await using shop = await openShop({ environment: { PETSTORE_RATE_LIMIT: '1/s' } })
  const [tenant, neighbour] = [await shop.tenant(), await shop.tenant()]
  const keys = await Promise.all(Array.from({ length: 5 }, () => tenant.newKey()))
  const statuses: number[] = []
  for (const { key } of [...keys, ...keys]) statuses.push((await tenant.get('/pets', { key })).status)
  assert.deepEqual(statuses, [200, 200, 200, 200, 200, 200, 200, 200, 429, 429])
  const refused = (await tenant.get('/pets', { key: (await tenant.newKey()).key })).json as ErrorBody
  assert.match(refused.message, /project/)
  assert.equal((await neighbour.get('/pets')).status, 200)
})
