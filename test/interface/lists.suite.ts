import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { nextPageOf, type Pet, walk } from './paging.ts'
import type { Shop, Tenant } from './shop.ts'

/** What section 4 of the contract and the decisions on lists promise, for animals and for orders alike. */
export function listGuarantees(shop: () => Shop): void {
  describe('a list of animals', () => {
    test('is a bare array, empty for a new project', async () => {
      const tenant = await shop().tenant()
      const { status, text, headers } = await tenant.get('/pets')
      assert.equal(status, 200)
      assert.equal(text, '[]')
      assert.equal(headers.link, undefined)
    })

    test('gives 20 animals without a limit, 1 to 100 with one, and a Link only where more follow', async () => {
      const tenant = await tenantWith(shop(), 101)
      for (const [query, length, more] of [
        ['', 20, true],
        ['?limit=1', 1, true],
        ['?limit=100', 100, true],
        ['?limit=99', 99, true],
        ['?limit=20&status=available', 20, true],
      ] as const) {
        const answer = await tenant.get(`/pets${query}`)
        assert.equal((answer.json as Pet[]).length, length, query)
        assert.equal(answer.headers.link !== undefined, more, query)
      }
    })

    test('shows an animal with the bytes that adding it and fetching it show', async () => {
      const tenant = await shop().tenant()
      const added: string[] = []
      for (const name of ['Rex', ' "\\/<&>\u2028 ', 'é ß 犬 🐕', '\u{10ffff}\u200b']) {
        for (const categoryId of [0, 2n ** 63n - 1n, -(2n ** 63n), 2n ** 53n + 1n]) {
          added.push((await tenant.post('/pets', { name, categoryId })).text)
        }
      }
      assert.equal((await tenant.get('/pets')).text, `[${added.join()}]`)
      const [first = ''] = added
      assert.equal((await tenant.get(`/pets/${JSON.parse(first).id}`)).text, first)
    })

    test('has no Link when the last page is exactly full', async () => {
      const tenant = await tenantWith(shop(), 20)
      const { json, headers } = await tenant.get('/pets')
      assert.equal((json as Pet[]).length, 20)
      assert.equal(headers.link, undefined)
    })

    test('is in ascending order of ids and, followed to its end, holds every animal once', async () => {
      const tenant = await tenantWith(shop(), 57)
      for (const limit of [1, 7, 19, 57, 100]) {
        const pets = await walk(tenant, `/pets?limit=${limit}`)
        assert.equal(pets.length, 57)
        assert.deepEqual(
          pets.map((pet) => pet.name),
          Array.from({ length: 57 }, (_, index) => `Pet ${index}`),
        )
        for (const [index, pet] of pets.entries()) assert.ok(index === 0 || pet.id > (pets[index - 1] as Pet).id)
      }
    })

    test('links to an absolute address that repeats limit and status and adds only an opaque cursor', async () => {
      const tenant = await tenantWith(shop(), 6, (index) => (index % 2 ? 'sold' : 'available'))
      const { headers } = await tenant.get('/pets?limit=2&status=sold&unknown=x')
      const next = nextPageOf(headers.link)
      assert.equal(next?.origin + '/v1', shop().service.config.baseUrl.href)
      assert.equal(next?.pathname, '/v1/pets')
      assert.deepEqual([...(next?.searchParams.keys() ?? [])].sort(), ['cursor', 'limit', 'status'])
      assert.equal(next?.searchParams.get('limit'), '2')
      assert.equal(next?.searchParams.get('status'), 'sold')
      assert.match(next?.searchParams.get('cursor') ?? '', /^[\w-]+$/)
      const staging = await tenantWith(shop(), 2, undefined, 'staging')
      const { headers: there } = await staging.get('/pets?limit=1', { environment: 'staging' })
      assert.equal(`${nextPageOf(there.link)?.origin}/v1`, shop().service.config.stagingUrl.href)
    })

    test('filtered by status holds exactly the animals of that status', async () => {
      const statuses = ['available', 'pending', 'sold']
      const tenant = await tenantWith(shop(), 30, (index) => statuses[index % 3] as string)
      for (const status of statuses) {
        const pets = await walk(tenant, `/pets?limit=4&status=${status}`)
        assert.equal(pets.length, 10)
        assert.ok(pets.every((pet) => pet.status === status))
      }
    })

    test('walked while others are added, neither skips nor repeats one', async () => {
      const tenant = await tenantWith(shop(), 40)
      let adding = true
      const added: number[] = []
      const adders = Array.from({ length: 8 }, async () => {
        while (adding) {
          const { json } = await tenant.post('/pets', { name: 'Late', categoryId: 1 })
          added.push((json as { id: number }).id)
        }
      })
      const walks = await Promise.all([3, 10].map((limit) => walk(tenant, `/pets?limit=${limit}`, 60)))
      adding = false
      await Promise.all(adders)
      const all = (await walk(tenant, '/pets?limit=100')).map((pet) => pet.id)
      assert.equal(all.length, 40 + added.length)
      assert.equal(new Set(all).size, all.length)
      for (const pets of walks) {
        const ids = pets.map((pet) => pet.id)
        assert.deepEqual(ids, all.slice(0, ids.length), 'what was walked is an unbroken beginning of the list')
      }
    })

    test('shows what has been acknowledged before it was asked for, however many ask at the same time', async () => {
      const tenant = await shop().tenant()
      let asking = true
      const crowd = Array.from({ length: 8 }, async () => {
        while (asking) await tenant.get('/pets?limit=100')
      })
      for (let count = 1; count <= 15; count++) {
        const { id } = (await tenant.post('/pets', { name: `Pet ${count}`, categoryId: 1 })).json as Pet
        const [list, one] = await Promise.all([tenant.get('/pets?limit=100'), tenant.get(`/pets/${id}`)])
        assert.equal((list.json as Pet[]).length, count)
        assert.equal(one.status, 200)
        await tenant.patch(`/pets/${id}`, { status: 'sold' })
        const [sold, changed] = await Promise.all([tenant.get('/pets?status=sold'), tenant.get(`/pets/${id}`)])
        assert.equal((sold.json as Pet[]).length, count)
        assert.equal((changed.json as Pet).status, 'sold')
      }
      asking = false
      await Promise.all(crowd)
    })
  })

  describe('a cursor', () => {
    test('works only for the project, environment and filter that it was made for', async () => {
      const [one, other] = [await tenantWith(shop(), 3), await tenantWith(shop(), 3)]
      await addPets(one, 3, undefined, 'staging')
      const cursor = nextPageOf((await one.get('/pets?limit=1')).headers.link)?.searchParams.get('cursor')
      const sold = nextPageOf((await one.get('/pets?limit=1&status=available')).headers.link)?.searchParams.get(
        'cursor',
      )
      assert.equal((await one.get(`/pets?cursor=${cursor}`)).status, 200)
      assert.equal((await one.get(`/pets?limit=50&cursor=${cursor}`)).status, 200, 'another limit is no other list')
      assert.equal((await other.get(`/pets?cursor=${cursor}`)).status, 400)
      assert.equal((await one.get(`/pets?cursor=${cursor}`, { environment: 'staging' })).status, 400)
      assert.equal((await one.get(`/pets?cursor=${cursor}&status=available`)).status, 400)
      assert.equal((await one.get(`/pets?cursor=${sold}`)).status, 400)
      assert.equal((await one.get(`/pets?cursor=${sold}&status=pending`)).status, 400)
      assert.equal((await one.get(`/store/orders?cursor=${cursor}`)).status, 400)
    })

    test('works with another key of the same project and environment', async () => {
      const tenant = await tenantWith(shop(), 3)
      const cursor = nextPageOf((await tenant.get('/pets?limit=1')).headers.link)?.searchParams.get('cursor')
      const { key } = await tenant.newKey()
      assert.equal((await tenant.get(`/pets?cursor=${cursor}`, { key })).status, 200)
    })

    test('changed in any character is refused', async () => {
      const tenant = await tenantWith(shop(), 3)
      const cursor = nextPageOf((await tenant.get('/pets?limit=1')).headers.link)?.searchParams.get('cursor') as string
      for (let place = 0; place < cursor.length; place++) {
        const other = cursor[place] === 'A' ? 'B' : 'A'
        const changed = cursor.slice(0, place) + other + cursor.slice(place + 1)
        assert.equal((await tenant.get(`/pets?cursor=${changed}`)).status, 400, changed)
      }
      for (const junk of [
        '',
        '%20',
        'x',
        `${cursor}A`,
        `${cursor}!`,
        `${cursor}%3D`,
        `%20${cursor}`,
        cursor.slice(1),
        '%00',
        '9'.repeat(4000),
      ]) {
        assert.equal((await tenant.get(`/pets?cursor=${junk}`)).status, 400, junk)
      }
    })

    test('of a page whose animals have left the filter leads on to the rest', async () => {
      const tenant = await tenantWith(shop(), 4)
      const first = await tenant.get('/pets?limit=2&status=available')
      for (const pet of first.json as Pet[]) await tenant.patch(`/pets/${pet.id}`, { status: 'sold' })
      const next = nextPageOf(first.headers.link)
      const { json } = await tenant.get(`${next?.pathname.slice(3)}${next?.search}`)
      assert.deepEqual(
        (json as Pet[]).map((pet) => pet.name),
        ['Pet 2', 'Pet 3'],
      )
    })
  })
}

async function tenantWith(
  shop: Shop,
  count: number,
  statusOf?: (index: number) => string,
  environment: 'production' | 'staging' = 'production',
): Promise<Tenant> {
  const tenant = await shop.tenant()
  await addPets(tenant, count, statusOf, environment)
  return tenant
}

async function addPets(
  tenant: Tenant,
  count: number,
  statusOf: ((index: number) => string) | undefined,
  environment: 'production' | 'staging',
): Promise<void> {
  for (let index = 0; index < count; index++) {
    const pet = { name: `Pet ${index}`, categoryId: index, status: statusOf?.(index) ?? 'available' }
    assert.equal((await tenant.post('/pets', pet, { environment })).status, 201)
  }
}
