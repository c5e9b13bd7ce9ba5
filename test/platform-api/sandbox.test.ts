import assert from 'node:assert/strict'
import { test } from 'node:test'
import { expect, openHouse } from './house.ts'

test('everybody who may sign in edits the DNS of the rehearsal', async () => {
  await using house = await openHouse()
  const { browser } = await house.person()
  const zones = '/sandbox/zones'
  expect(204, await browser.post(zones, { apex: 'rehearsal.test' }))
  expect(409, await browser.post(zones, { apex: 'rehearsal.test' }))
  const record = { name: 'www', type: 'A', value: '192.0.2.1', ttl: 60 }
  const added = expect(201, await browser.post(`${zones}/rehearsal.test/records`, record))
  assert.deepEqual([added.name, added.value, added.ttl], ['www.rehearsal.test', '192.0.2.1', 60])
  const fault = expect(201, await browser.post(`${zones}/rehearsal.test/faults`, { kind: 'servfail' }))
  expect(400, await browser.post(`${zones}/rehearsal.test/records`, { ...record, value: 'nonsense' }))
  expect(404, await browser.post(`${zones}/nowhere.test/records`, record))

  const shown = expect(200, await browser.get(zones)).find((zone: { apex: string }) => zone.apex === 'rehearsal.test')
  assert.deepEqual([shown.records, shown.faults], [[added], [fault]])
  const remove = (path: string) => browser.send(`${zones}/${path}`, { method: 'DELETE' })
  expect(204, await remove(`rehearsal.test/records/${added.id}`))
  expect(404, await remove(`rehearsal.test/records/${added.id}`))
  expect(204, await remove(`rehearsal.test/faults/${fault.id}`))
  expect(204, await remove('rehearsal.test'))
})

test('without a sandbox there is nothing to edit', async () => {
  await using house = await openHouse({ environment: { PETSTORE_SANDBOX: 'off', PETSTORE_DNS: '127.0.0.1:9' } })
  const { browser } = house.operator
  const refused = expect(404, await browser.get('/sandbox/zones'))
  assert.match(refused.message, /^The sandbox is off here/)
  expect(404, await browser.post('/sandbox/zones', { apex: 'rehearsal.test' }))
})
