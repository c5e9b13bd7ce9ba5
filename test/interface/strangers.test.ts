import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { askHttp } from '../deploys/visitor.ts'
import { openShop, type Shop } from './shop.ts'

let shop: Shop
before(async () => {
  shop = await openShop()
})
after(() => shop?.[Symbol.asyncDispose]())

test('what is for the operator is not at any public address', async () => {
  const { baseUrl, stagingUrl, adminPort } = shop.service.config
  for (const port of [baseUrl, stagingUrl].map((url) => Number(url.port))) {
    for (const host of [baseUrl.host, stagingUrl.host, 'petstore.localhost', `localhost:${adminPort}`, '127.0.0.1']) {
      for (const path of ['/metrics', '/livez', '/readyz', '/v1/metrics', '/platform/v1/metrics']) {
        const { status, text } = await askHttp(port, { host, path })
        assert.equal(status, 404, `${host}${path} at ${port}`)
        assert.doesNotMatch(text, /process_resident|petstore_/)
      }
    }
  }
  assert.equal((await askHttp(adminPort, { host: 'localhost', path: '/metrics' })).status, 200)
})

test('ids tell nothing about what others add', async () => {
  const [one, other] = [await shop.tenant(), await shop.tenant()]
  const add = async (tenant: typeof one) =>
    ((await tenant.post('/pets', { name: 'Rex', categoryId: 1 })).json as { id: number }).id
  const first = await add(one)
  const others = [await add(other), await add(other), await add(other)]
  assert.equal(await add(one), first + 1)
  assert.ok(others.every((id) => Math.abs(id - first) > 1000))
})
