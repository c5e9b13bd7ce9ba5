import assert from 'node:assert/strict'
import { test } from 'node:test'
import { publishOwnSite } from '../harness/own-site.ts'
import { until } from '../harness/until.ts'
import { expect, openHouse } from './house.ts'

test('a late certificate is explained point by point; a removed domain says if DNS still leads here', async () => {
  await using house = await openHouse()
  await publishOwnSite(house.shop.petstore)
  const { browser } = house.operator
  const domains = '/projects/petstore/domains'
  const { record } = expect(201, await browser.post(domains, { hostname: 'shop.example.test' }))
  const zone = '/sandbox/zones/example.test/records'

  const early = expect(200, await browser.post(`${domains}/shop.example.test/troubleshoot`, {}))
  const verifies = early.steps.find(({ step }: { step: string }) => step === 'verifies')
  assert.equal(verifies.ok, false)
  assert.ok(verifies.fix)

  const { type, value } = record.record
  const { id } = expect(201, await browser.post(zone, { name: 'shop', type, value, ttl: 60 }))
  assert.deepEqual(expect(200, await browser.get('/projects/petstore/removed-domains')), [])
  expect(200, await browser.send(`${domains}/shop.example.test`, { method: 'DELETE' }))
  const [removed, ...others] = expect(200, await browser.get('/projects/petstore/removed-domains'))
  assert.deepEqual([removed.hostname, removed.unicode, others.length], ['shop.example.test', 'shop.example.test', 0])
  assert.equal(Date.parse(removed.removedAt), house.clock.now())
  const left = expect(200, await browser.get(`${domains}/shop.example.test/dangling`))
  assert.equal(left.pointsHere, true)
  assert.match(left.advice, /delete it/)

  expect(204, await browser.send(`${zone}/${id}`, { method: 'DELETE' }))
  assert.equal(expect(200, await browser.get(`${domains}/shop.example.test/dangling`)).pointsHere, false)
})

test('what was removed is listed once, newest first, until it is added again', async () => {
  await using house = await openHouse()
  await publishOwnSite(house.shop.petstore)
  const { browser } = house.operator
  const domains = '/projects/petstore/domains'
  const removed = async () =>
    expect(200, await browser.get('/projects/petstore/removed-domains')).map(
      ({ unicode }: { unicode: string }) => unicode,
    )
  for (const hostname of ['a.example.test', 'bücher.example.test', 'a.example.test']) {
    const added = expect(201, await browser.post(domains, { hostname }))
    house.clock.advance(1000)
    expect(200, await browser.send(`${domains}/${added.hostname}`, { method: 'DELETE' }))
  }
  assert.deepEqual(await removed(), ['a.example.test', 'bücher.example.test'])
  expect(201, await browser.post(domains, { hostname: 'a.example.test' }))
  assert.deepEqual(await removed(), ['bücher.example.test'])
})

test('every try for a certificate is told with what came of it', async () => {
  await using house = await openHouse()
  await publishOwnSite(house.shop.petstore)
  const { browser } = house.operator
  const domain = '/projects/petstore/domains/www.example.test'
  const zone = '/sandbox/zones/example.test/records'
  const { record } = expect(201, await browser.post('/projects/petstore/domains', { hostname: 'www.example.test' }))
  assert.deepEqual(expect(200, await browser.get(`${domain}/attempts`)), [])
  const { type, name, value } = record.record
  expect(201, await browser.post(zone, { type, name, value }))
  const { id } = expect(201, await browser.post(zone, { type: 'CAA', name: '@', value: '0 issue "another.example"' }))
  const results = async (count: number) => {
    let attempts: { result: string; problem: string | null }[] = []
    await until(`${count} attempts are told`, async () => {
      house.clock.advance(200)
      attempts = expect(200, await browser.get(`${domain}/attempts`))
      return attempts.length >= count
    })
    return attempts.map(({ result, problem }) => [result, problem])
  }
  expect(200, await browser.post(`${domain}/verify`, {}))
  assert.deepEqual(await results(1), [['failed', 'caa_forbids']])
  expect(204, await browser.send(`${zone}/${id}`, { method: 'DELETE' }))
  expect(200, await browser.post(`${domain}/verify`, {}))
  assert.deepEqual(await results(2), [
    ['issued', null],
    ['failed', 'caa_forbids'],
  ])
})
