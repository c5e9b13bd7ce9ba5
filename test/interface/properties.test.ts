import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { anyCharacter } from '../harness/any-character.ts'
import type { ErrorBody } from './contract.ts'
import { nextPageOf, type Pet, walk } from './paging.ts'
import { jsonOf, openShop, type Question, type Shop, type Tenant } from './shop.ts'

let shop: Shop
let tenant: Tenant

before(async () => {
  shop = await openShop()
  tenant = await shop.tenant()
})
after(() => shop[Symbol.asyncDispose]())

const characters = (from: number, to: number, maxLength: number) =>
  fc.string({ unit: fc.integer({ min: from, max: to }).map((code) => String.fromCharCode(code)), maxLength })

const segment = fc.oneof(
  characters(0x21, 0x7e, 40).map((text) => text.replaceAll(/[?#]/g, '')),
  fc.string({ unit: anyCharacter }).map((text) => encodeURIComponent(text.toWellFormed())),
  fc.bigInt().map(String),
)
const id = fc.oneof(
  { weight: 4, arbitrary: fc.integer({ min: 1, max: 20 }).map(String) },
  { weight: 1, arbitrary: segment },
)
const pair = fc.oneof(
  fc.tuple(fc.constantFrom('limit', 'unknown'), fc.integer({ min: -1, max: 110 }).map(String)),
  fc.tuple(fc.constant('status'), fc.constantFrom('available', 'pending', 'sold', 'placed', 'completed', 'lost')),
  fc.tuple(fc.constantFrom('limit', 'status', 'cursor', '__proto__', 'unknown'), segment),
)
const query = fc.array(pair, { maxLength: 3 }).map((pairs) => `?${pairs.map((parts) => parts.join('=')).join('&')}`)

const asked = fc.oneof(
  fc.tuple(fc.constantFrom('GET', 'HEAD', 'POST'), fc.constantFrom('/pets', '/store/orders')),
  fc.tuple(
    fc.constantFrom('GET', 'HEAD', 'PATCH'),
    id.map((id) => `/pets/${id}`),
  ),
  fc.tuple(
    fc.constant('PATCH'),
    id.map((id) => `/store/orders/${id}`),
  ),
  fc.tuple(
    fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'),
    fc
      .tuple(fc.constantFrom('/', '/pets/', '/pets', '/store/', '/openapi.json'), segment)
      .map((parts) => parts.join('')),
  ),
)

const fields = fc.record(
  {
    name: fc.oneof(fc.string({ minLength: 1 }), fc.string({ unit: anyCharacter }), fc.jsonValue()),
    categoryId: fc.oneof(fc.integer(), fc.bigInt(), fc.double(), fc.jsonValue()),
    status: fc.oneof(fc.constantFrom('available', 'pending', 'sold', 'completed', 'cancelled'), fc.jsonValue()),
    petId: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.bigInt()),
    constructor: fc.jsonValue(),
  },
  { requiredKeys: [] },
)
const body = fc.oneof(
  { weight: 8, arbitrary: fields.map(jsonOf) },
  // Often enough that what is around a good body is judged too.
  { weight: 6, arbitrary: fc.constantFrom('{"name":"Rex","categoryId":1}', '{"petId":1}', '{"status":"sold"}') },
  { weight: 1, arbitrary: fc.json() },
  { weight: 1, arbitrary: fc.string({ unit: anyCharacter }) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }) },
  { weight: 1, arbitrary: fc.constant(undefined) },
)
const headers = fc.dictionary(
  fc.constantFrom(
    'Content-Type',
    'Content-Encoding',
    'Idempotency-Key',
    'If-None-Match',
    'X-Request-Id',
    'Accept',
    'Accept-Version',
    'X-HTTP-Method-Override',
    'Origin',
    'Cookie',
    'Expect',
    'Range',
    'X-Forwarded-Host',
    'Forwarded',
    'Authorization',
  ),
  fc.oneof(
    characters(0x20, 0x7e, 60),
    characters(0xa0, 0xff, 10),
    fc.constantFrom('application/json', '*', 'gzip', '"a"', 'Bearer'),
  ),
  { maxKeys: 2 },
)

test('no path, query, header or body makes the service fail or leave the contract', async () => {
  for (let count = 0; count < 20; count++) await tenant.post('/pets', { name: 'Rex', categoryId: count })
  const seen = new Map<number, number>()
  const anything = { asked, query, headers, body, environment: fc.constantFrom('production', 'production', 'staging') }
  await fc.assert(
    fc.asyncProperty(fc.record(anything), async ({ asked: [method, path], query, ...question }) => {
      // The judgement is in `ask`: a failure of ours, or anything that the document does not promise, throws.
      const { status } = await tenant.ask(path + query, { method, ...question } as Question)
      seen.set(status, (seen.get(status) ?? 0) + 1)
    }),
    { numRuns: 1500 },
  )
  for (const status of [200, 201, 400, 401, 404, 405, 415]) assert.ok(seen.has(status), `${status} was met`)
})

test('a JSON number is a category when it is exactly a 64-bit integer, and a 400 otherwise', async () => {
  const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: 22 })
  const number = fc.record({
    sign: fc.constantFrom('', '-'),
    whole: fc.oneof(
      digits.map((text) => text.replace(/^0+(?=.)/, '')),
      fc.bigInt(0n, 2n ** 64n).map(String),
    ),
    fraction: fc.option(fc.oneof(digits, fc.constant('000')), { nil: undefined }),
    exponent: fc.option(fc.integer({ min: -25, max: 25 }), { nil: undefined }),
  })
  await fc.assert(
    fc.asyncProperty(number, async ({ sign, whole, fraction, exponent }) => {
      const behind = [fraction === undefined ? '' : `.${fraction}`, exponent === undefined ? '' : `e${exponent}`]
      const text = sign + whole + behind.join('')
      const answer = await tenant.post('/pets', `{"name":"Rex","categoryId":${text}}`)
      const integer = exactInteger(sign, whole, fraction ?? '', exponent ?? 0)
      if (integer === undefined || BigInt.asIntN(64, integer) !== integer) {
        assert.equal(answer.status, 400, text)
        assert.match((answer.json as ErrorBody).message, /categoryId/)
        return
      }
      assert.equal(answer.status, 201, text)
      assert.ok(answer.text.includes(`"categoryId":${integer},`), `${text} came back in ${answer.text}`)
      assert.equal((await tenant.get(`/pets/${(answer.json as Pet).id}`)).text, answer.text)
    }),
    { numRuns: 300 },
  )
})

test('a name is kept exactly when it may be one, and a 400 otherwise', async () => {
  const awkward = fc.constantFrom(
    ' ',
    '\u00a0',
    '\t',
    '\0',
    '\x7f',
    '\u0085',
    '\ud800',
    '\udfff',
    '\u2028',
    '\ufeff',
    '🐕',
    'e\u0301',
    '"',
    '\\',
  )
  const name = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: anyCharacter }),
    fc.array(fc.oneof(awkward, fc.string({ maxLength: 2 })), { maxLength: 6 }).map((parts) => parts.join('')),
    fc
      .tuple(fc.constantFrom('a', '🐕', 'é'), fc.integer({ min: 250, max: 260 }))
      .map(([unit, count]) => unit.repeat(count)),
  )
  await fc.assert(
    fc.asyncProperty(name, async (name) => {
      const answer = await tenant.post('/pets', { name, categoryId: 1 })
      const length = [...name].length
      const allowed = length >= 1 && length <= 255 && name.isWellFormed() && name.trim() !== '' && !/\p{Cc}/u.test(name)
      assert.equal(answer.status, allowed ? 201 : 400)
      if (allowed) assert.equal((answer.json as Pet).name, name)
    }),
    { numRuns: 300 },
  )
})

test('a walk neither skips nor repeats an animal, whenever others are added', async () => {
  const added = fc.constantFrom('available', 'pending', 'sold')
  const rounds = fc.array(fc.array(added, { maxLength: 4 }), { minLength: 1, maxLength: 8 })
  const filter = fc.option(added, { nil: undefined })
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 4 }), filter, rounds, async (limit, filter, rounds) => {
      const own = await shop.tenant()
      const walked: Pet[] = []
      const where = filter === undefined ? '' : `&status=${filter}`
      let next: string | undefined = `/pets?limit=${limit}${where}`
      const adding: Promise<unknown>[] = []
      for (const [round, statuses] of rounds.entries()) {
        // The page is asked for while the animals are on their way.
        for (const status of statuses) adding.push(own.post('/pets', { name: `Round ${round}`, categoryId: 1, status }))
        const page = await own.get(next)
        walked.push(...(page.json as Pet[]))
        const link = nextPageOf(page.headers.link)
        if (!link) break
        next = link.pathname.replace('/v1', '') + link.search
      }
      await Promise.all(adding)
      const all = await walk(own, `/pets?limit=100${where}`)
      assert.deepEqual(walked, all.slice(0, walked.length))
    }),
    { numRuns: 60 },
  )
})

/** The integer that a decimal number is, by arithmetic on its digits. */
function exactInteger(sign: string, whole: string, fraction: string, exponent: number): bigint | undefined {
  const value = BigInt(sign + whole + fraction)
  const scale = exponent - fraction.length
  if (scale >= 0) return value * 10n ** BigInt(scale)
  const divisor = 10n ** BigInt(-scale)
  return value % divisor === 0n ? value / divisor : undefined
}
