import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import fc, { type AsyncCommand } from 'fast-check'
import { type NewKey, revokeKey } from '../../src/features/keys/keys.ts'
import { DAY_MS } from '../../src/platform/clock.ts'
import { openPostgres } from '../harness/postgres.ts'
import {
  type Change,
  change,
  emptyModel,
  endOrder,
  type Model,
  type ModelOrder,
  type ModelPet,
  shown,
} from './model.ts'
import { nextPageOf, type Pet, walk } from './paging.ts'
import { openShop, type Shop, type Tenant } from './shop.ts'

/** The service under test, which may be another one after a restart. */
interface Real {
  shop: Shop
  tenant: Tenant
  keys: NewKey[]
  restart(): Promise<void>
}

type Command = AsyncCommand<Model, Real>

const at = <Item>(items: readonly Item[], index: number) => items[index % items.length] as Item

const command = (name: string, run: Command['run'], check: Command['check'] = () => true): Command => ({
  check,
  run,
  toString: () => name,
})

const add = (body: Change) =>
  command(`add(${body.name})`, async (model, { tenant }) => {
    const answer = await tenant.post('/pets', body)
    assert.equal(answer.status, 201)
    remember(model, answer.json as Pet, body)
  })

const addOnce = (key: string, body: Change) =>
  command(`addOnce(${key}, ${body.name})`, async (model, { tenant }) => {
    const answer = await tenant.post('/pets', body, { headers: { 'Idempotency-Key': key } })
    const first = model.answered.get(key)
    const said = `${body.name} ${body.categoryId} ${body.status}`
    if (first && first.body !== said) return assert.equal(answer.status, 422)
    assert.equal(answer.status, 201)
    assert.equal(answer.headers['idempotency-replayed'], first && 'true')
    if (first) return assert.equal(answer.text, first.text)
    model.answered.set(key, { body: said, text: answer.text })
    remember(model, answer.json as Pet, body)
  })

const update = (index: number, patch: Change) =>
  command(
    `update(${index}, ${JSON.stringify(patch, (_, value) => (typeof value === 'bigint' ? String(value) : value))})`,
    async (model, { tenant }) => {
      const pet = at(model.pets, index)
      const { status, json } = await tenant.patch(`/pets/${pet.id}`, patch)
      assert.equal(status, change(pet, patch) ? 200 : 409)
      if (status === 200) assert.deepEqual(json, shown({ ...model, pets: [pet] }, undefined)[0])
    },
    (model) => model.pets.length > 0,
  )

const get = (index: number) =>
  command(
    `get(${index})`,
    async (model, { tenant }) => {
      const pet = at(model.pets, index)
      assert.deepEqual((await tenant.get(`/pets/${pet.id}`)).json, shown({ ...model, pets: [pet] }, undefined)[0])
      assert.equal((await tenant.get(`/pets/${pet.id}`, { environment: 'staging' })).status, 404)
    },
    (model) => model.pets.length > 0,
  )

const list = (limit: number, status: string | undefined) =>
  command(`list(${limit}, ${status})`, async (model, { tenant }) => {
    const path = `/pets?limit=${limit}${status === undefined ? '' : `&status=${status}`}`
    assert.deepEqual(await walk(tenant, path), shown(model, status))
  })

const beginWalk = (limit: number, status: string | undefined) =>
  command(`beginWalk(${limit}, ${status})`, async (model, real) => {
    const next = `/pets?limit=${limit}${status === undefined ? '' : `&status=${status}`}`
    await turnPage(model, real, { limit, status, lastId: 0, next })
  })

const continueWalk = (index: number) =>
  command(
    `continueWalk(${index})`,
    async (model, real) =>
      turnPage(model, real, model.walks.splice(index % model.walks.length, 1)[0] as Model['walks'][0]),
    (model) => model.walks.length > 0,
  )

const order = (index: number) =>
  command(
    `order(${index})`,
    async (model, { tenant }) => {
      const pet = at(model.pets, index)
      const { status, json } = await tenant.post('/store/orders', { petId: pet.id })
      assert.equal(status, pet.status === 'available' ? 201 : 409)
      if (status === 409) return
      const { id } = json as ModelOrder
      assert.ok(id > (model.orders.at(-1)?.id ?? 0))
      model.orders.push({ id, petId: pet.id, status: 'placed' })
      Object.assign(pet, { status: 'pending', heldBy: id })
    },
    (model) => model.pets.length > 0,
  )

const end = (index: number, status: string) =>
  command(
    `end(${index}, ${status})`,
    async (model, { tenant }) => {
      const order = at(model.orders, index)
      const answer = await tenant.patch(`/store/orders/${order.id}`, { status })
      assert.equal(answer.status, endOrder(model, order, status) ? 200 : 409)
      const listed = (await walk(tenant, '/store/orders?limit=3')) as unknown as ModelOrder[]
      assert.deepEqual(
        listed.map(({ id, petId, status }) => ({ id, petId, status })),
        model.orders,
      )
    },
    (model) => model.orders.length > 0,
  )

const useKey = (index: number) =>
  command(
    `useKey(${index})`,
    async (model, { tenant, keys }) => {
      const place = index % model.keys
      const { status } = await tenant.get('/pets?limit=1', { key: (keys[place] as NewKey).key })
      assert.equal(status, model.revoked.has(place) ? 401 : 200)
    },
    (model) => model.keys > 0,
  )

const mint = () =>
  command('mint', async (model, real) => {
    real.keys.push(await real.tenant.newKey())
    model.keys++
  })

const revoke = (index: number) =>
  command(
    `revoke(${index})`,
    async (model, { shop, tenant, keys }) => {
      const place = index % model.keys
      const { storage, changes } = shop.service.petstore
      await revokeKey({ storage, clock: shop.clock }, tenant.project.id, (keys[place] as NewKey).id)
      await changes.catchUp()
      model.revoked.add(place)
    },
    (model) => model.keys > 0,
  )

const nextDay = () =>
  command('nextDay', async (model, { shop }) => {
    shop.clock.advance(DAY_MS)
    model.answered.clear()
  })

const restart = () => command('restart', async (_model, real) => real.restart())

function remember(model: Model, pet: Pet, { name, categoryId, status = 'available' }: Change): void {
  assert.deepEqual(pet, { id: pet.id, name, categoryId, status })
  assert.ok(pet.id > (model.pets.at(-1)?.id ?? 0), 'ids ascend')
  model.pets.push({ ...pet, heldBy: undefined } as ModelPet)
}

async function turnPage(model: Model, { tenant }: Real, walk: Model['walks'][0]): Promise<void> {
  const { status, json, headers } = await tenant.get(walk.next)
  assert.equal(status, 200)
  const rest = shown(model, walk.status, walk.lastId)
  const page = rest.slice(0, walk.limit)
  assert.deepEqual(json, page)
  const link = nextPageOf(headers.link)
  assert.equal(link !== undefined, rest.length > walk.limit)
  if (link)
    model.walks.push({ ...walk, lastId: page.at(-1)?.id ?? 0, next: link.pathname.replace('/v1', '') + link.search })
}

const index = fc.nat(30)
const status = fc.constantFrom('available', 'pending', 'sold')
const filter = fc.option(status, { nil: undefined })
const limit = fc.constantFrom(1, 2, 3, 100)
const categoryId = fc.oneof(fc.integer(), fc.constantFrom(2n ** 63n - 1n, -(2n ** 63n), 9007199254740993n))
const name = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 20 })
  .map((text) => `${text.replaceAll(/\p{C}/gu, '')}.`)
const pet = fc.record({ name, categoryId, status }, { requiredKeys: ['name', 'categoryId'] })
const fewPets = fc.constantFrom<Change>(
  { name: 'A', categoryId: 1 },
  { name: 'B', categoryId: 1 },
  { name: 'A', categoryId: 2, status: 'sold' },
)

const COMMANDS: fc.Arbitrary<Command>[] = [
  pet.map(add),
  pet.map(add),
  pet.map(add),
  fc.tuple(fc.constantFrom('k1', 'k2'), fewPets).map((made) => addOnce(...made)),
  fc.tuple(fc.constantFrom('k1', 'k2'), fewPets).map((made) => addOnce(...made)),
  fc.tuple(index, fc.record({ name, categoryId, status }, { requiredKeys: ['status'] })).map((made) => update(...made)),
  fc.tuple(index, fc.record({ name })).map((made) => update(...made)),
  index.map(get),
  fc.tuple(limit, filter).map((made) => list(...made)),
  fc.tuple(limit, filter).map((made) => beginWalk(...made)),
  index.map(continueWalk),
  index.map(continueWalk),
  index.map(order),
  index.map(order),
  fc.tuple(index, fc.constantFrom('completed', 'cancelled')).map((made) => end(...made)),
  fc.constant(null).map(mint),
  index.map(useKey),
  index.map(revoke),
  fc.constant(null).map(nextDay),
  fc.constant(null).map(restart),
]

for (const { engine, numRuns } of [
  { engine: 'sqlite', numRuns: 12 },
  { engine: 'postgres', numRuns: 6 },
] as const) {
  test(`on ${engine}, whatever is done in any order is answered like the model, also across restarts`, async () => {
    await using stack = new AsyncDisposableStack()
    const dataDirectory = mkdtempSync(join(tmpdir(), 'petstore-model-'))
    stack.defer(() => rmSync(dataDirectory, { recursive: true, force: true }))
    const server = engine === 'postgres' ? stack.use(await openPostgres()) : undefined
    const databaseUrl = await server?.createSchema()
    let shop = await openShop({ dataDirectory, databaseUrl })
    stack.defer(() => shop[Symbol.asyncDispose]())

    const property = fc.asyncProperty(fc.commands(COMMANDS, { maxCommands: 60, size: 'max' }), async (commands) => {
      const tenant = await shop.tenant()
      const real: Real = {
        shop,
        tenant,
        keys: [],
        async restart() {
          const now = shop.clock.now()
          await shop[Symbol.asyncDispose]()
          shop = await openShop({ dataDirectory, databaseUrl, now })
          real.shop = shop
          real.tenant = shop.knownTenant(tenant.project, tenant.keys)
        },
      }
      const model = emptyModel()
      for (const name of ['Rex', 'Max', 'Tom', 'Kim', 'Ada']) await add({ name, categoryId: 1 }).run(model, real)
      await fc.asyncModelRun(() => ({ model, real }), commands)
    })
    await fc.assert(property, { numRuns })
  })
}
