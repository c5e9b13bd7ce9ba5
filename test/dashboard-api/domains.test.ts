import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expect, openHouse } from './house.ts'

test('a late certificate is explained point by point, and a removed domain says whether DNS still leads here', async () => {
  await using house = await openHouse()
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
  expect(200, await browser.send(`${domains}/shop.example.test`, { method: 'DELETE' }))
  const left = expect(200, await browser.get(`${domains}/shop.example.test/dangling`))
  assert.equal(left.pointsHere, true)
  assert.match(left.advice, /delete it/)

  expect(204, await browser.send(`${zone}/${id}`, { method: 'DELETE' }))
  assert.equal(expect(200, await browser.get(`${domains}/shop.example.test/dangling`)).pointsHere, false)
})
