import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ErrorBody } from './contract.ts'
import { nextPageOf, type Pet, walk } from './paging.ts'
import type { Shop, Tenant } from './shop.ts'

interface Order {
  id: number
  petId: number
  status: string
  placedAt: string
  endedAt?: string
}

const STATUSES = ['available', 'pending', 'sold']

/** available → pending, sold; pending → available, sold; sold → available; staying is no change. */
const ALLOWED: Record<string, string[]> = {
  available: ['available', 'pending', 'sold'],
  pending: ['pending', 'available', 'sold'],
  sold: ['sold', 'available'],
}

export function orderGuarantees(shop: () => Shop): void {
  describe('the status of an animal', () => {
    for (const from of STATUSES) {
      for (const to of STATUSES) {
        const allowed = ALLOWED[from]?.includes(to) ?? false
        test(`${from} → ${to} ${allowed ? 'is done' : 'is 409 and changes nothing'}`, async () => {
          const tenant = await shop().tenant()
          const pet = await add(tenant, from)
          const { status, json } = await tenant.patch(`/pets/${pet.id}`, { status: to })
          assert.equal(status, allowed ? 200 : 409)
          if (!allowed) assert.equal((json as ErrorBody).code, 'conflict')
          assert.equal(await statusOf(tenant, pet.id), allowed ? to : from)
        })
      }
    }

    test('a change that is refused leaves the other fields as they were', async () => {
      const tenant = await shop().tenant()
      const pet = await add(tenant, 'sold')
      assert.equal(
        (await tenant.patch(`/pets/${pet.id}`, { name: 'New', categoryId: 9, status: 'pending' })).status,
        409,
      )
      assert.deepEqual((await tenant.get(`/pets/${pet.id}`)).json, pet)
    })

    test('a change keeps what it does not name', async () => {
      const tenant = await shop().tenant()
      const pet = await add(tenant)
      assert.deepEqual((await tenant.patch(`/pets/${pet.id}`, { name: 'New' })).json, { ...pet, name: 'New' })
      const { json } = await tenant.patch(`/pets/${pet.id}`, { categoryId: 9, id: 1, unknown: true })
      assert.deepEqual(json, { ...pet, name: 'New', categoryId: 9 })
    })
  })

  describe('an order', () => {
    test('makes an available animal pending, completed sold, cancelled available again', async () => {
      const tenant = await shop().tenant()
      for (const [end, after] of [
        ['completed', 'sold'],
        ['cancelled', 'available'],
      ] as const) {
        const pet = await add(tenant)
        const placed = await tenant.post('/store/orders', { petId: pet.id })
        assert.equal(placed.status, 201)
        const order = placed.json as Order
        const placedAt = new Date(shop().clock.now()).toISOString()
        assert.deepEqual(order, { id: order.id, petId: pet.id, status: 'placed', placedAt })
        assert.equal(await statusOf(tenant, pet.id), 'pending')
        shop().clock.advance(1000)
        const ended = await tenant.patch(`/store/orders/${order.id}`, { status: end })
        assert.deepEqual(ended.json, { ...order, status: end, endedAt: new Date(shop().clock.now()).toISOString() })
        assert.equal(await statusOf(tenant, pet.id), after)
        const again = await tenant.patch(`/store/orders/${order.id}`, { status: end })
        assert.equal(again.text, ended.text, 'a repeated request changes nothing')
        const other = end === 'completed' ? 'cancelled' : 'completed'
        assert.equal((await tenant.patch(`/store/orders/${order.id}`, { status: other })).status, 409)
        assert.equal(await statusOf(tenant, pet.id), after)
      }
    })

    test('for an animal that is not available is 409, for one that is not there 404', async () => {
      const tenant = await shop().tenant()
      const stranger = await add(await shop().tenant())
      for (const status of ['pending', 'sold']) {
        assert.equal((await tenant.post('/store/orders', { petId: (await add(tenant, status)).id })).status, 409)
      }
      for (const petId of [0, -1, 4_000_000, 2n ** 63n - 1n, stranger.id]) {
        assert.equal((await tenant.post('/store/orders', { petId })).status, 404, String(petId))
      }
      assert.equal((await tenant.get('/store/orders')).text, '[]')
    })

    test('holds its animal: the status changes with the order only, name and category as before', async () => {
      const tenant = await shop().tenant()
      const pet = await add(tenant)
      const { id } = (await tenant.post('/store/orders', { petId: pet.id })).json as Order
      for (const status of ['available', 'sold']) {
        const { json } = await tenant.patch(`/pets/${pet.id}`, { status })
        assert.equal((json as ErrorBody).status, 409)
        assert.match((json as ErrorBody).message, new RegExp(`Order ${id} `))
      }
      assert.equal((await tenant.patch(`/pets/${pet.id}`, { name: 'New', status: 'pending' })).status, 200)
      await tenant.patch(`/store/orders/${id}`, { status: 'cancelled' })
      assert.equal((await tenant.patch(`/pets/${pet.id}`, { status: 'sold' })).status, 200)
    })

    test('is one at most for an animal, also when fifty are placed at once', async () => {
      const tenant = await shop().tenant()
      for (let round = 0; round < 3; round++) {
        const pet = await add(tenant)
        const answers = await Promise.all(
          Array.from({ length: 50 }, () => tenant.post('/store/orders', { petId: pet.id })),
        )
        assert.equal(answers.filter((answer) => answer.status === 201).length, 1)
        assert.equal(answers.filter((answer) => answer.status === 409).length, 49)
        assert.equal(await statusOf(tenant, pet.id), 'pending')
      }
      assert.equal((await walk(tenant, '/store/orders')).length, 3)
    })

    test('ended twice at once ends one way', async () => {
      const tenant = await shop().tenant()
      const pet = await add(tenant)
      const { id } = (await tenant.post('/store/orders', { petId: pet.id })).json as Order
      const ends = Array.from({ length: 20 }, (_, index) => (index % 2 ? 'completed' : 'cancelled'))
      const answers = await Promise.all(ends.map((status) => tenant.patch(`/store/orders/${id}`, { status })))
      const [won] = new Set(answers.flatMap(({ status, json }) => (status === 200 ? [(json as Order).status] : [])))
      for (const [index, { status }] of answers.entries()) assert.equal(status, ends[index] === won ? 200 : 409)
      assert.equal(await statusOf(tenant, pet.id), won === 'completed' ? 'sold' : 'available')
    })

    test('placed with an Idempotency-Key is placed once', async () => {
      const tenant = await shop().tenant()
      const pet = await add(tenant)
      const question = { headers: { 'Idempotency-Key': 'order-1' } }
      const first = await tenant.post('/store/orders', { petId: pet.id }, question)
      assert.equal(first.status, 201)
      const again = await tenant.post('/store/orders', { petId: pet.id }, question)
      assert.equal(again.text, first.text)
      assert.equal(again.headers['idempotency-replayed'], 'true')
      assert.equal((await tenant.post('/store/orders', { petId: pet.id + 1 }, question)).status, 422)
      assert.equal((await walk(tenant, '/store/orders')).length, 1)
    })

    test('that was refused may be tried again with the same Idempotency-Key', async () => {
      const tenant = await shop().tenant()
      const pet = await add(tenant, 'sold')
      const question = { headers: { 'Idempotency-Key': 'order-2' } }
      assert.equal((await tenant.post('/store/orders', { petId: pet.id }, question)).status, 409)
      await tenant.patch(`/pets/${pet.id}`, { status: 'available' })
      assert.equal((await tenant.post('/store/orders', { petId: pet.id }, question)).status, 201)
    })

    test('of another project or environment is 404', async () => {
      const [tenant, other] = [await shop().tenant(), await shop().tenant()]
      const pet = await add(tenant)
      const { id } = (await tenant.post('/store/orders', { petId: pet.id })).json as Order
      assert.equal((await other.patch(`/store/orders/${id}`, { status: 'completed' })).status, 404)
      const staging = { environment: 'staging' } as const
      assert.equal((await tenant.patch(`/store/orders/${id}`, { status: 'completed' }, staging)).status, 404)
      assert.equal((await tenant.post('/store/orders', { petId: pet.id }, staging)).status, 404)
      assert.equal(await statusOf(tenant, pet.id), 'pending')
    })

    test('is listed like an animal: bare array, ascending, filtered, paged by Link', async () => {
      const tenant = await shop().tenant()
      const ends = ['completed', 'cancelled', undefined]
      const placed: Order[] = []
      for (let index = 0; index < 12; index++) {
        const order = (await tenant.post('/store/orders', { petId: (await add(tenant)).id })).json as Order
        const end = ends[index % 3]
        if (end) await tenant.patch(`/store/orders/${order.id}`, { status: end })
        placed.push(order)
      }
      const all = (await walk(tenant, '/store/orders?limit=5')) as unknown as Order[]
      assert.deepEqual(
        all.map((order) => order.id),
        placed.map((order) => order.id),
      )
      for (const [index, status] of ['completed', 'cancelled', 'placed'].entries()) {
        const page = await tenant.get(`/store/orders?limit=2&status=${status}`)
        assert.equal(nextPageOf(page.headers.link)?.searchParams.get('status'), status)
        const orders = (await walk(tenant, `/store/orders?limit=2&status=${status}`)) as unknown as Order[]
        assert.deepEqual(
          orders.map((order) => order.id),
          placed.filter((_, place) => place % 3 === index).map((order) => order.id),
        )
      }
      for (const query of ['limit=0', 'limit=101', 'status=sold', 'cursor=x', 'status=placed&status=placed']) {
        assert.equal((await tenant.get(`/store/orders?${query}`)).status, 400, query)
      }
    })
  })
}

async function add(tenant: Tenant, status = 'available'): Promise<Pet> {
  return (await tenant.post('/pets', { name: 'Rex', categoryId: 1, status })).json as Pet
}

async function statusOf(tenant: Tenant, id: number): Promise<string> {
  return ((await tenant.get(`/pets/${id}`)).json as Pet).status
}
