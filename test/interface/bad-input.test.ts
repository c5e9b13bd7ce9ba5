import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { ErrorBody } from './contract.ts'
import type { Pet } from './paging.ts'
import { openShop, type Question, type Shop, type Tenant } from './shop.ts'

let shop: Shop
let tenant: Tenant
let petId: number

before(async () => {
  shop = await openShop()
  tenant = await shop.tenant()
  petId = ((await tenant.post('/pets', { name: 'Rex', categoryId: 1 })).json as Pet).id
})
after(() => shop[Symbol.asyncDispose]())

interface Scenario extends Question {
  path: string
  status: number
  code: string
  /** Every one of these is named in the message. */
  names?: readonly string[]
  notNames?: readonly string[]
}

const refusedQuery = (query: string, ...names: string[]): Scenario => ({
  path: `/pets?${query}`,
  status: 400,
  code: 'invalid_request',
  names,
})

const QUERIES: Scenario[] = [
  ...[
    '0',
    '-1',
    '101',
    '1000000000',
    '1.5',
    '1e1',
    'ten',
    '',
    '%20',
    '%2B5',
    '5%00',
    '0x10',
    '99999999999999999999',
    'NaN',
    '5,6',
    'true',
  ].map((limit) => refusedQuery(`limit=${limit}`, 'limit')),
  ...['', 'Available', 'sold%20', 'all', 'null', 'available,sold', '1', '__proto__', 'constructor'].map((status) =>
    refusedQuery(`status=${status}`, 'status'),
  ),
  refusedQuery('limit=5&limit=5', 'limit'),
  refusedQuery('status=sold&status=sold', 'status'),
  refusedQuery('cursor=a&cursor=a', 'cursor'),
  refusedQuery('limit=1&limit=2&status=sold&status=pending', 'limit', 'status'),
  refusedQuery('limit=0&status=lost', 'limit', 'status'),
  refusedQuery('cursor=nonsense', 'cursor'),
  refusedQuery(`${'a=1&'.repeat(1500)}limit=0`, 'limit'),
]

const refusedPet = (body: unknown, ...names: string[]): Scenario => ({
  path: '/pets',
  method: 'POST',
  body,
  status: 400,
  code: 'invalid_request',
  names,
})

const NAMES = [
  '""',
  '" "',
  '"\\t"',
  '"\\u00a0\\u3000\\ufeff"',
  '"a\\nb"',
  '"a\\u0000b"',
  '"\\u007f"',
  '"\\u0085"',
  '"\\ud800"',
  '"\\udc00\\ud800"',
  `"${'n'.repeat(256)}"`,
  `"${'🐕'.repeat(256)}"`,
  `"${'n'.repeat(60_000)}"`,
  '1',
  'true',
  'null',
  '[]',
  '{}',
  '["Rex"]',
]

const CATEGORIES = [
  '"12"',
  '1.5',
  '9223372036854775808',
  '-9223372036854775809',
  '1e19',
  '1e400',
  '-1e400',
  '1e-1',
  '1e-400',
  '0.1',
  '1.00000000000000000001',
  '9007199254740993.5',
  '99999999999999999999999999999999',
  'null',
  'true',
  '[]',
  '{}',
  '[1]',
  '""',
  '1e999999999999',
  '9223372036854775807.5',
]

const BODIES: Scenario[] = [
  ...NAMES.map((name) => refusedPet(`{"name":${name},"categoryId":1}`, 'name')),
  ...CATEGORIES.map((category) => refusedPet(`{"name":"Rex","categoryId":${category}}`, 'categoryId')),
  ...['null', '"lost"', '"Available"', '""', '1', '[]', '["sold"]'].map((status) =>
    refusedPet(`{"name":"Rex","categoryId":1,"status":${status}}`, 'status'),
  ),
  refusedPet('{}', 'name', 'categoryId'),
  refusedPet('{"name":"Rex"}', 'categoryId'),
  refusedPet('{"categoryId":1}', 'name'),
  refusedPet('{"name":"","categoryId":"1","status":"x"}', 'name', 'categoryId', 'status'),
  refusedPet('{"__proto__":{"name":"Rex","categoryId":1}}', 'name', 'categoryId'),
  refusedPet('{"constructor":{"prototype":{"name":"Rex"}},"categoryId":1}', 'name'),
  ...['null', '[]', '[{"name":"Rex","categoryId":1}]', '"Rex"', '1', 'true'].map((body) => refusedPet(body)),
  ...[
    '',
    '{',
    '{"name":"Rex","categoryId":1',
    '{"name":"Rex","categoryId":1}}',
    "{'name':'Rex'}",
    '{"name":"Rex","categoryId":01}',
    '{"name":"Rex","categoryId":+1}',
    '{"name":"Rex","categoryId":NaN}',
    '{"name":"Rex","categoryId":Infinity}',
    '{"name":"Rex",}',
    '\ufeff{"name":"Rex","categoryId":1}',
    '{"name":"a\nb","categoryId":1}',
    '/**/{}',
    '[[[',
    '"\\x"',
  ].map((body) => refusedPet(body)),
  refusedPet(Buffer.from([0x7b, 0xff, 0xfe, 0x7d])),
  refusedPet(Buffer.from('{"name":"Rex","categoryId":1}', 'utf16le')),
  refusedPet(Buffer.concat([Buffer.from('{"name":"a'), Buffer.from([0xc3, 0x28]), Buffer.from('","categoryId":1}')])),
  refusedPet('['.repeat(30_000) + ']'.repeat(30_000)),
  refusedPet(`{"name":"Rex","categoryId":${'['.repeat(30_000)}1.0${']'.repeat(30_000)}}`),
  { ...refusedPet(undefined), headers: {} },
  { ...refusedPet(undefined), headers: { 'Content-Type': 'application/json' } },
]

const PATCHES: Scenario[] = [
  ...['{}', '{"unknown":1}', '[]', 'null', '{"id":5}'].map((body) => ({ body })),
  ...['{"name":""}', '{"name":null}'].map((body) => ({ body, names: ['name'] })),
  ...['{"categoryId":"1"}', '{"categoryId":9223372036854775808}'].map((body) => ({ body, names: ['categoryId'] })),
  ...['{"status":null}', '{"status":"lost"}'].map((body) => ({ body, names: ['status'] })),
  { body: '{"name":" ","categoryId":1.5,"status":0}', names: ['name', 'categoryId', 'status'] },
].map((scenario) => ({ path: '/pets/{petId}', method: 'PATCH', status: 400, code: 'invalid_request', ...scenario }))

const ORDERS: Scenario[] = [
  ...['{}', '{"petId":null}', '{"petId":"1"}', '{"petId":1.5}', '{"petId":9223372036854775808}', '[]'].map((body) => ({
    path: '/store/orders',
    method: 'POST',
    body,
    status: 400,
    code: 'invalid_request',
  })),
  ...['{}', '{"status":"placed"}', '{"status":"sold"}', '{"status":null}', '{"status":1}'].map((body) => ({
    path: '/store/orders/1',
    method: 'PATCH',
    body,
    status: 400,
    code: 'invalid_request',
    names: ['status'],
  })),
]

const IDENTIFIERS = [
  '0',
  '-1',
  '4000000',
  '9223372036854775807',
  '-9223372036854775808',
  '9223372036854775808',
  '-9223372036854775809',
  '01',
  '+1',
  '1.0',
  '1e0',
  '%31',
  '0x1',
  'one',
  'null',
  '-',
  '-0',
  '%20',
  '1%20',
  '%00',
  '%C3%A9',
  '%F0%9F%90%95',
  `a${'🐕'.repeat(40)}`,
  '٣',
  '9'.repeat(1000),
  '%zz',
  '%',
  '__proto__',
  'constructor',
  '1,2',
  '1;2',
  "1'--",
  '..%2f..%2fetc',
  '%2e%2e',
  '*',
].map((id) => (/[^\x21-\x7e]/.test(id) ? encodeURIComponent(id) : id))

const IDS: Scenario[] = IDENTIFIERS.flatMap((id) => [
  { path: `/pets/${id}`, status: 404, code: 'not_found' },
  { path: `/pets/${id}`, method: 'PATCH', body: { name: 'New' }, status: 404, code: 'not_found' },
  { path: `/store/orders/${id}`, method: 'PATCH', body: { status: 'completed' }, status: 404, code: 'not_found' },
]).filter(({ path }) => path !== '/pets/%31')

const sections = {
  'a query': QUERIES,
  'the body of an animal': BODIES,
  'a change of an animal': PATCHES,
  'an order': ORDERS,
  'an identifier': IDS,
}

for (const [section, scenarios] of Object.entries(sections)) {
  describe(section, () => {
    for (const { path, status, code, names = [], ...question } of scenarios) {
      const said = question.body instanceof Buffer ? question.body.toString('hex') : String(question.body ?? '')
      const title = `${question.method ?? 'GET'} ${path.slice(0, 60)} ${said.slice(0, 50)}`
      test(`${JSON.stringify(title)} is ${status}${names.length ? ` and names ${names.join(', ')}` : ''}`, async () => {
        const answer = await tenant.ask(path.replace('{petId}', String(petId)), question)
        const error = answer.json as ErrorBody
        assert.equal(answer.status, status)
        assert.equal(error.code, code)
        for (const name of names) assert.match(error.message, new RegExp(`\\b${name}\\b`))
        assert.ok(error.message.length < 600, 'a message is for people')
        assert.ok(error.message.isWellFormed(), 'no character is cut in half')
      })
    }
  })
}

test('nothing of all that was stored', async () => {
  assert.deepEqual((await tenant.get('/pets')).json, [{ id: petId, name: 'Rex', categoryId: 1, status: 'available' }])
  assert.equal((await tenant.get('/store/orders')).text, '[]')
})

test('unknown query parameters are ignored, however they look', async () => {
  for (const query of [
    'unknown=1',
    'limit2=0',
    '__proto__=1',
    'Limit=0',
    'constructor=1&constructor=2',
    '&&&',
    '=',
    '%zz=%',
    'offset=5',
    '[limit]=0',
  ]) {
    assert.equal((await tenant.get(`/pets?${query}`)).status, 200, query)
  }
})
