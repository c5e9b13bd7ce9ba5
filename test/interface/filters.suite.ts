import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { ErrorBody } from './contract.ts'
import { nextPageOf, type Pet, walk } from './paging.ts'
import type { Shop, Tenant } from './shop.ts'

const NAMES = [
  'Rex',
  'rex',
  'REX II',
  'Réx',
  'Bella',
  'bell',
  'Bel_l',
  '%',
  'Zoë',
  '犬',
  '\u{10ffff}',
  '\u{10ffff}x',
  ' a',
]
const CATEGORIES = [1, 2, 2n ** 63n - 1n, -(2n ** 63n)]
const STATUSES = ['available', 'pending', 'sold']
const ORDERS = [undefined, 'oldest', 'newest', 'name']

/** A to Z in lower case, and then by code points, as UTF-8 is sorted. */
const keyOf = (name: string) => name.replaceAll(/[A-Z]/g, (capital) => capital.toLowerCase())
const byName = (one: Pet, other: Pet) =>
  Buffer.compare(Buffer.from(keyOf(one.name)), Buffer.from(keyOf(other.name))) || one.id - other.id

/** The beta filters of lists, held against what the whole list says. */
export function filterGuarantees(shop: () => Shop): void {
  describe('a filtered list of animals', () => {
    let tenant: Tenant
    let all: Pet[]
    before(async () => {
      tenant = await shop().tenant()
      const neighbour = await shop().tenant()
      for (let index = 0; index < 60; index++) {
        const pet = {
          name: NAMES[index % NAMES.length],
          categoryId: CATEGORIES[index % CATEGORIES.length],
          status: STATUSES[(index * 7) % 3],
        }
        assert.equal((await tenant.post('/pets', pet)).status, 201)
        if (index < 5) await neighbour.post('/pets', pet)
      }
      all = await walk(tenant, '/pets?limit=100')
      assert.equal(all.length, 60)
    })

    const ids = () => [all[3], all[4], all[4], all[17], all[40], all[59]].map((pet) => (pet as Pet).id)
    const whole: [string, () => string[], (pet: Pet) => boolean][] = [
      ['', () => [], () => true],
      ['id', () => [...ids(), 1].map((id) => `id=${id}`), (pet) => ids().includes(pet.id)],
    ]
    for (const [named, parameters, isNamed] of whole) {
      for (const categoryId of [undefined, ...CATEGORIES]) {
        for (const status of [undefined, 'sold']) {
          const by = [named, categoryId === undefined ? '' : `categoryId ${categoryId}`, status].filter(Boolean)
          const list = `by ${by.join(', ') || 'nothing'}`
          test(`${list} holds the right animals in each order, by q, and page by page`, async () => {
            for (const order of ORDERS) {
              for (const q of [undefined, 'rex', 'REX', 'r', 'bel_', '%', '\u{10ffff}', 'x', ' ']) {
                if (q !== undefined && order !== undefined && order !== 'name') continue
                const fits = (pet: Pet) =>
                  isNamed(pet) &&
                  (categoryId === undefined ||
                    pet.categoryId === BigInt(categoryId) ||
                    pet.categoryId === categoryId) &&
                  (status === undefined || pet.status === status) &&
                  (q === undefined || keyOf(pet.name).startsWith(keyOf(q)))
                const expected = all.filter(fits)
                if (order === 'newest') expected.reverse()
                if (order === 'name' || q !== undefined) expected.sort(byName)
                const query = [
                  ...parameters(),
                  ...(categoryId === undefined ? [] : [`categoryId=${categoryId}`]),
                  ...(status === undefined ? [] : [`status=${status}`]),
                  ...(order === undefined ? [] : [`order=${order}`]),
                  ...(q === undefined ? [] : [`q=${encodeURIComponent(q)}`]),
                ].join('&')
                for (const limit of [3, 100]) {
                  assert.deepEqual(await walk(tenant, `/pets?${query}&limit=${limit}`), expected, query)
                }
              }
            }
          })
        }
      }
    }

    test('links to the next page with every filter, also one that is repeated', async () => {
      const [one, two] = ids() as [number, number]
      const { headers } = await tenant.get(`/pets?limit=1&order=newest&id=${one}&id=${two}`)
      assert.deepEqual(nextPageOf(headers.link)?.searchParams.getAll('id'), [String(one), String(two)])
      const named = await tenant.get('/pets?limit=1&q=R%26x%3D%20%C3%A9&q=')
      assert.equal(named.status, 400)
    })

    test('a cursor works for its own filters and order only', async () => {
      const asked = ['order=newest', 'categoryId=1', 'q=r', 'order=name', `id=${ids().join('&id=')}`, 'categoryId=2']
      const cursors = await Promise.all(
        asked.map(async (query) => {
          const { headers } = await tenant.get(`/pets?limit=1&${query}`)
          return nextPageOf(headers.link)?.searchParams.get('cursor')
        }),
      )
      for (const [at, query] of asked.entries()) {
        for (const [of, cursor] of cursors.entries()) {
          assert.equal((await tenant.get(`/pets?${query}&cursor=${cursor}`)).status, at === of ? 200 : 400, query)
        }
      }
    })

    test('what is no such filter is 400 with a sentence that names it', async () => {
      for (const [query, name] of [
        ['order=up', 'order'],
        ['categoryId=x', 'categoryId'],
        ['categoryId=9223372036854775808', 'categoryId'],
        ['categoryId=1&categoryId=2', 'categoryId'],
        ['q=', 'q'],
        [`q=${'x'.repeat(256)}`, 'q'],
        ['q=rex&order=newest', 'q'],
        ['id=x', 'id'],
        [`id=${Array.from({ length: 101 }, (_, id) => id).join('&id=')}`, 'id'],
      ] as const) {
        const { status, json } = await tenant.get(`/pets?${query}`)
        assert.equal(status, 400, query)
        assert.match((json as ErrorBody).message, new RegExp(`\\b${name}\\b`), query)
      }
    })

    test('in the order of names, walked while animals are renamed, repeats and skips none of the others', async () => {
      const own = await shop().tenant()
      const names = Array.from({ length: 12 }, (_, index) => `Pet ${String(index).padStart(2, '0')}`)
      for (const name of names) await own.post('/pets', { name, categoryId: 1 })
      const first = await own.get('/pets?order=name&limit=5')
      const last = (first.json as Pet[]).at(-1) as Pet
      await own.patch(`/pets/${last.id}`, { name: 'Zed' })
      const next = nextPageOf(first.headers.link) as URL
      const rest = await walk(own, next.pathname.replace('/v1', '') + next.search)
      assert.deepEqual(
        rest.map(({ name }) => name),
        [...names.slice(5), 'Zed'],
      )
    })
  })

  describe('a list of orders', () => {
    test('comes newest first where it is asked to, with and without a status, page by page', async () => {
      const tenant = await shop().tenant()
      for (let index = 0; index < 7; index++) {
        const { id } = (await tenant.post('/pets', { name: 'Rex', categoryId: 1 })).json as Pet
        const order = (await tenant.post('/store/orders', { petId: id })).json as Pet
        if (index % 2) await tenant.patch(`/store/orders/${order.id}`, { status: 'completed' })
      }
      for (const query of ['', '&status=placed', '&status=cancelled']) {
        const oldest = await walk(tenant, `/store/orders?limit=100${query}`)
        assert.deepEqual(await walk(tenant, `/store/orders?limit=2&order=newest${query}`), oldest.toReversed())
        assert.deepEqual(await walk(tenant, `/store/orders?limit=2&order=oldest${query}`), oldest)
      }
    })

    test('is that of one animal, or one order, where it is asked for', async () => {
      const tenant = await shop().tenant()
      const { id: petId } = (await tenant.post('/pets', { name: 'Rex', categoryId: 1 })).json as Pet
      const { id: other } = (await tenant.post('/pets', { name: 'Mia', categoryId: 1 })).json as Pet
      const ids: number[] = []
      for (let index = 0; index < 3; index++) {
        const { id } = (await tenant.post('/store/orders', { petId })).json as Pet
        ids.push(id)
        if (index < 2) await tenant.patch(`/store/orders/${id}`, { status: 'cancelled' })
        if (index === 0) await tenant.post('/store/orders', { petId: other })
      }
      const idsOf = async (query: string) => (await walk(tenant, `/store/orders?${query}`)).map(({ id }) => id)
      assert.deepEqual(await idsOf(`petId=${petId}&limit=1`), ids)
      assert.deepEqual(await idsOf(`petId=${petId}&limit=2&order=newest`), ids.toReversed())
      assert.deepEqual(await idsOf(`petId=${petId}&status=cancelled`), ids.slice(0, 2))
      for (const order of ['oldest', 'newest']) assert.deepEqual(await idsOf(`id=${ids[1]}&order=${order}`), [ids[1]])
      assert.deepEqual(await idsOf(`id=${ids[1]}&petId=${other}`), [])
      assert.deepEqual(await idsOf(`petId=${petId + 1000}`), [])
    })
  })

  describe('an animal that is deleted', () => {
    test('is gone at once from every list, and its number is given to no other', async () => {
      const tenant = await shop().tenant()
      const add = async () => ((await tenant.post('/pets', { name: 'Rex', categoryId: 1 })).json as Pet).id
      const [one, two, three] = [await add(), await add(), await add()]
      assert.equal((await tenant.get('/pets')).text.includes(`"id":${three}`), true)
      for (const id of [three, two]) {
        const { status, text, headers } = await tenant.ask(`/pets/${id}`, { method: 'DELETE' })
        assert.deepEqual([status, text, headers['content-type']], [204, '', undefined])
        assert.equal((await tenant.get(`/pets/${id}`)).status, 404)
        assert.equal((await tenant.ask(`/pets/${id}`, { method: 'DELETE' })).status, 404)
      }
      assert.deepEqual(
        (await walk(tenant, '/pets')).map(({ id }) => id),
        [one],
      )
      assert.equal(await add(), three + 1)
      await tenant.ask(`/pets/${three + 1}`, { method: 'DELETE' })
      await tenant.ask(`/pets/${one}`, { method: 'DELETE' })
      assert.equal((await tenant.get('/pets')).text, '[]')
      assert.equal(await add(), three + 2)
    })

    test('stays while an order holds it, and can go once the order has ended, which keeps its number', async () => {
      const tenant = await shop().tenant()
      const pet = (await tenant.post('/pets', { name: 'Rex', categoryId: 1 })).json as Pet
      const order = (await tenant.post('/store/orders', { petId: pet.id })).json as { id: number }
      const refused = await tenant.ask(`/pets/${pet.id}`, { method: 'DELETE' })
      assert.equal(refused.status, 409)
      assert.match((refused.json as ErrorBody).message, new RegExp(`Order ${order.id} `))
      assert.equal((await tenant.get(`/pets/${pet.id}`)).status, 200)
      await tenant.patch(`/store/orders/${order.id}`, { status: 'completed' })
      assert.equal((await tenant.ask(`/pets/${pet.id}`, { method: 'DELETE' })).status, 204)
      const [kept] = (await tenant.get('/store/orders')).json as { petId: number }[]
      assert.equal(kept?.petId, pet.id)
      assert.equal((await tenant.post('/store/orders', { petId: pet.id })).status, 404)
    })

    test('is ordered or deleted, never both, however closely the two are asked for', async () => {
      const tenant = await shop().tenant()
      for (let round = 0; round < 10; round++) {
        const { id } = (await tenant.post('/pets', { name: 'Rex', categoryId: 1 })).json as Pet
        const [deleted, ordered] = await Promise.all([
          tenant.ask(`/pets/${id}`, { method: 'DELETE' }),
          tenant.post('/store/orders', { petId: id }),
        ])
        assert.ok(
          (deleted.status === 204 && ordered.status === 404) || (deleted.status === 409 && ordered.status === 201),
          `${deleted.status} ${ordered.status}`,
        )
      }
    })
  })
}
