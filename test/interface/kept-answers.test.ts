import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createLog } from '../../src/platform/log.ts'
import { openConfiguredStorage } from '../../src/service/database.ts'
import { addPet, updatePet } from '../../src/features/pets/writes.ts'
import { placeOrder } from '../../src/features/orders/writes.ts'
import { deleteSomePets } from '../../src/features/pets/queries.ts'
import { defineWrite, type Storage } from '../../src/platform/storage/storage.ts'
import type { Pet } from './paging.ts'
import { openShop, type Shop, type Tenant } from './shop.ts'

/** Answers are kept on SQLite. Another process there is another connection to the same file. */
let shop: Shop
let elsewhere: Storage
before(async () => {
  shop = await openShop()
  elsewhere = await openConfiguredStorage(shop.service.config, createLog('silent'))
})
after(async () => {
  await elsewhere?.[Symbol.asyncDispose]()
  await shop?.[Symbol.asyncDispose]()
})

const REX = { name: 'Rex', categoryId: 1, status: 'available' } as const
const production = ({ project }: Tenant) => ({ projectId: project.id, environment: 'production' })
const ask = async (tenant: Tenant, path = '/pets') => (await tenant.get(path)).json as Pet[]

test('what another process has written is seen by the next request, however often it was asked before', async () => {
  const tenant = await shop.tenant()
  for (let count = 1; count <= 5; count++) {
    for (let times = 0; times < 3; times++) assert.equal((await ask(tenant)).length, count - 1)
    await elsewhere.write(addPet, { tenant: production(tenant), fields: REX, now: count })
    assert.equal((await ask(tenant)).length, count)
  }
})

test('an order, a change and a deletion are seen in every answer that they touch', async () => {
  const tenant = await shop.tenant()
  const { id } = (await tenant.post('/pets', REX)).json as Pet
  const statuses = async () => [(await ask(tenant)).map(({ status }) => status), await ask(tenant, `/pets/${id}`)]
  const orders = async () => (await ask(tenant, '/store/orders')).length
  const of = production(tenant)
  for (let times = 0; times < 3; times++) await Promise.all([statuses(), orders()])
  await elsewhere.write(updatePet, { tenant: of, id, patch: { name: 'Max' }, now: 1 })
  assert.equal((await ask(tenant))[0]?.name, 'Max')
  for (let times = 0; times < 3; times++) assert.equal(await orders(), 0)
  await elsewhere.write(placeOrder, { tenant: of, fields: { petId: id }, now: 2 })
  assert.equal(await orders(), 1)
  assert.equal((await ask(tenant))[0]?.status, 'pending')
  for (let times = 0; times < 3; times++) assert.equal((await ask(tenant)).length, 1)
  const clear = defineWrite('test.clear', (db) => deleteSomePets(db, of.projectId))
  await elsewhere.write(clear, undefined)
  assert.deepEqual(await ask(tenant), [])
})

test('a version changes with its own tenant and resource alone, whoever writes', async () => {
  const [mine, yours] = [await shop.tenant(), await shop.tenant()]
  const { storage } = shop.service.petstore
  const versions = () => ({
    mine: storage.versionOf('pets', production(mine)),
    staging: storage.versionOf('pets', { ...production(mine), environment: 'staging' }),
    orders: storage.versionOf('orders', production(mine)),
    yours: storage.versionOf('pets', production(yours)),
  })
  for (const writer of [storage, elsewhere]) {
    const before = versions()
    await writer.write(addPet, { tenant: production(mine), fields: REX, now: 1 })
    // A commit elsewhere is looked for once in a turn of the event loop.
    await new Promise((resolve) => setImmediate(resolve))
    const { mine: changed, ...others } = versions()
    assert.notEqual(changed, before.mine)
    assert.deepEqual({ mine: before.mine, ...others }, before)
  }
})

test('the memory of kept answers is counted', async () => {
  const tenant = await shop.tenant()
  await tenant.post('/pets', REX)
  for (let times = 0; times < 3; times++) await ask(tenant)
  const { adminPort } = shop.service.config
  const metrics = await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text()
  assert.ok(Number(/^petstore_kept_answers_bytes (\d+)$/m.exec(metrics)?.[1]) > 0)
})
