import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { orderOperations } from '../../src/features/orders/orders.ts'
import { petOperations } from '../../src/features/pets/pets.ts'
import type { OperationContract } from '../../src/platform/http/operation.ts'
import { openShop, type Shop, type Tenant } from './shop.ts'

/** Operations without a service behind them: enough to name a test for each. */
const NOTHING = {} as Parameters<typeof petOperations>[0] & Parameters<typeof orderOperations>[0]
const contracts = [...petOperations(NOTHING), ...orderOperations(NOTHING)].map(({ contract }) => contract)

type Caller = 'nobody' | 'junk' | 'read' | 'write' | 'staging'
const CALLERS: Caller[] = ['nobody', 'junk', 'read', 'write', 'staging']

let shop: Shop
let tenant: Tenant
let neighbour: Tenant
let keys: Record<Caller, string>
/** What belongs to the tenant, by the parameter that names it. */
let children: Record<string, number | bigint>

before(async () => {
  shop = await openShop()
  ;[tenant, neighbour] = [await shop.tenant(), await shop.tenant()]
  keys = {
    nobody: '',
    junk: `ps_live_${'0'.repeat(38)}`,
    read: (await tenant.newKey({ scopes: ['read'] })).key,
    write: (await tenant.newKey({ scopes: ['write'] })).key,
    staging: tenant.keys.staging.key,
  }
  const pet = (await tenant.post('/pets', { name: 'Rex', categoryId: 1 })).json as { id: number }
  const order = (await tenant.post('/store/orders', { petId: pet.id })).json as { id: number }
  children = { petId: pet.id, orderId: order.id }
})
after(() => shop?.[Symbol.asyncDispose]())

test('the operations that are tested are those of the document that is served', async () => {
  const { paths } = (await shop.fetch('/v1/openapi.json')).json as { paths: Record<string, Record<string, unknown>> }
  const served = Object.entries(paths).flatMap(([path, methods]) =>
    ['get', 'put', 'post', 'delete', 'patch', 'query']
      .filter((method) => method in methods)
      .map((method) => `${method.toUpperCase()} ${path}`),
  )
  assert.deepEqual(served.sort(), contracts.map(({ method, path }) => `${method} ${path}`).sort())
})

for (const contract of contracts) {
  describe(`${contract.method} ${contract.path} (${contract.scope})`, () => {
    for (const caller of CALLERS) {
      const expected = verdict(contract, caller)
      test(`${caller}: ${expected}`, async () => {
        const { status } = await ask(tenant, contract, keys[caller])
        if (expected === 'admitted') assert.ok([200, 400, 409].includes(status), String(status))
        else assert.equal(status, expected)
      })
    }

    test('the key of another project: nothing of this one', async () => {
      const body = { ...(contract.body?.example as object | undefined) }
      const named = Object.keys(body).filter((name) => name in children)
      for (const name of named) Object.assign(body, { [name]: children[name] })
      const { status, text } = await ask(neighbour, contract, neighbour.keys.production.key, body)
      if (named.length > 0 || contract.path.includes('{')) assert.equal(status, 404, text)
      for (const id of Object.values(children)) assert.doesNotMatch(text, new RegExp(`"id":${id}[,}]`))
    })
  })
}

function verdict({ scope }: OperationContract, caller: Caller): 'admitted' | 401 | 403 {
  if (caller === 'read' || caller === 'write') return caller === scope ? 'admitted' : 403
  return 401
}

/** Who is admitted to a write learns that the body is no JSON, or that an order holds the animal: nothing changes. */
function ask(who: Tenant, { method, path }: OperationContract, key: string, body: unknown = '{') {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    assert.ok(children[name], `add a ${name} to this test`)
    return String(children[name])
  })
  return method === 'GET' ? who.get(filled, { key }) : who.ask(filled, { method, body, key })
}
