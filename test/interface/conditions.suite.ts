import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Answer, ErrorBody } from './contract.ts'
import type { Shop, Tenant } from './shop.ts'

interface Resource {
  id: number
  name?: string
  status: string
}

const withTag = (tag: unknown) => ({ headers: { 'If-Match': String(tag) } })
const pathOf = (address: unknown) => new URL(String(address)).pathname.slice('/v1'.length)

/** Of an animal and of an order alike: how it is made, and what each of two people would make of it. */
const KINDS: Record<string, { make(tenant: Tenant): Promise<Answer>; path: string; patches: [object, object] }> = {
  animal: {
    make: (tenant) => tenant.post('/pets', { name: 'Rex é 犬', categoryId: 2n ** 63n - 1n }),
    path: '/pets',
    patches: [{ name: 'Max' }, { name: 'Bello' }],
  },
  order: {
    async make(tenant) {
      const pet = (await tenant.post('/pets', { name: 'Rex', categoryId: 1 })).json as Resource
      return tenant.post('/store/orders', { petId: pet.id })
    },
    path: '/store/orders',
    patches: [{ status: 'completed' }, { status: 'cancelled' }],
  },
}

export function conditionGuarantees(shop: () => Shop): void {
  for (const [kind, { make, path, patches }] of Object.entries(KINDS)) {
    describe(`the validator of an ${kind}`, () => {
      test('is the same wherever it is shown alone: made, fetched, changed', async () => {
        const tenant = await shop().tenant()
        const made = await make(tenant)
        const at = `${path}/${(made.json as Resource).id}`
        assert.match(String(made.headers.etag), /^"[\w-]+"$/)
        const fetched = await tenant.get(at)
        assert.deepEqual([fetched.text, fetched.headers.etag], [made.text, made.headers.etag])
        const changed = await tenant.patch(at, patches[0])
        assert.notEqual(changed.headers.etag, made.headers.etag)
        const again = await tenant.get(at)
        assert.deepEqual([again.text, again.headers.etag], [changed.text, changed.headers.etag])
      })

      test('in If-Match lets a change through while it holds, and is 412 without effect afterwards', async () => {
        const tenant = await shop().tenant()
        const made = await make(tenant)
        const { etag } = made.headers
        const at = `${path}/${(made.json as Resource).id}`
        for (const tag of ['"other"', `W/${etag}`, String(etag).slice(1, -1), '']) {
          const { status, json } = await tenant.patch(at, patches[0], withTag(tag))
          assert.deepEqual([status, (json as ErrorBody).code], [412, 'precondition_failed'], tag)
        }
        assert.equal((await tenant.get(at)).text, made.text)
        // As a compressed answer has it, and among others.
        const one = await tenant.patch(at, patches[0], withTag(`"other", ${String(etag).slice(0, -1)}-gzip"`))
        assert.equal(one.status, 200)
        const late = await tenant.patch(at, patches[1], withTag(etag))
        assert.equal(late.status, 412)
        assert.equal((await tenant.get(at)).text, one.text)
        assert.equal((await tenant.patch(at, patches[0], withTag('*'))).status, 200)
        assert.equal((await tenant.patch(`${path}/1`, patches[0], withTag('*'))).status, 404)
      })

      test('lets one of two people through who have read the same', async () => {
        const tenant = await shop().tenant()
        const made = await make(tenant)
        const at = `${path}/${(made.json as Resource).id}`
        const both = await Promise.all(patches.map((patch) => tenant.patch(at, patch, withTag(made.headers.etag))))
        assert.deepEqual(both.map(({ status }) => status).sort(), [200, 412])
        const winner = both.find(({ status }) => status === 200)
        assert.equal((await tenant.get(at)).text, winner?.text)
      })
    })
  }

  for (const [kind, { make, path }] of Object.entries(KINDS)) {
    test(`a full page of ${kind}s that gets a next one is another answer, and then stays the same`, async () => {
      const tenant = await shop().tenant()
      const page = (tag: unknown) => tenant.get(`${path}?limit=1`, { headers: { 'If-None-Match': String(tag) } })
      await make(tenant)
      const last = await page('"other"')
      assert.deepEqual([last.headers.link, (await page(last.headers.etag)).status], [undefined, 304])
      await make(tenant)
      const followed = await page(last.headers.etag)
      assert.deepEqual([followed.status, followed.text], [200, last.text])
      assert.match(String(followed.headers.link), /rel="next"/)
      assert.equal((await page(followed.headers.etag)).status, 304)
    })
  }

  test('an animal that has changed since is not deleted', async () => {
    const tenant = await shop().tenant()
    const made = await tenant.post('/pets', { name: 'Rex', categoryId: 1 })
    const at = `/pets/${(made.json as Resource).id}`
    const changed = await tenant.patch(at, { name: 'Max' })
    const remove = (tag: unknown) => tenant.ask(at, { method: 'DELETE', ...withTag(tag) })
    assert.equal((await remove(made.headers.etag)).status, 412)
    assert.equal((await tenant.get(at)).status, 200)
    assert.equal((await remove(changed.headers.etag)).status, 204)
  })

  test('the Location of a placed order leads to it, also when the answer is told again', async () => {
    const tenant = await shop().tenant()
    const pet = (await tenant.post('/pets', { name: 'Rex', categoryId: 1 })).json as Resource
    const place = () => tenant.post('/store/orders', { petId: pet.id }, { headers: { 'Idempotency-Key': 'once' } })
    const [placed, again] = [await place(), await place()]
    assert.equal(placed.headers.location, `${shop().service.config.baseUrl.href}${pathOf(placed.headers.location)}`)
    assert.equal(again.headers.location, placed.headers.location)
    const at = pathOf(placed.headers.location)
    assert.equal((await tenant.get(at)).text, placed.text)
    assert.equal((await tenant.get(at, { environment: 'staging' })).status, 404)
    const neighbour = await shop().tenant()
    assert.equal((await neighbour.get(at)).status, 404)
    assert.equal((await tenant.get('/store/orders/none')).status, 404)
  })
}
