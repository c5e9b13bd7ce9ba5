import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DAY_MS } from '../../src/platform/clock.ts'
import { answerOnce, deleteExpiredIdempotencyKeys, idempotentUse } from '../../src/platform/http/idempotency.ts'
import { defineWrite } from '../../src/platform/storage/storage.ts'
import type { Tenant as Owner } from '../../src/platform/tenant.ts'
import { meanwhile } from '../harness/meanwhile.ts'
import type { ErrorBody } from './contract.ts'
import { type Pet, walk } from './paging.ts'
import type { Shop } from './shop.ts'

/** Everything that a name may be; each comes back as it was sent. */
const NAMES: Record<string, string> = {
  'one letter': 'x',
  '255 letters': 'n'.repeat(255),
  '255 emoji, two code units each': '🐕'.repeat(255),
  'white space around and inside': '  Rex \u00a0 the\u2003dog  ',
  'combining marks, not composed': 'Ame\u0301lie',
  'the composed form': 'Am\u00e9lie',
  'right to left': 'כלב',
  'a family joined by zero-width joiners': '👨‍👩‍👧‍👦',
  'quotes, backslashes and angle brackets': `"Rex" \\ '</script>' <b>`,
  'line separators that JSON allows': 'a\u2028b\u2029c',
  'a byte order mark in the middle': 'a\ufeffb',
  noncharacters: '\ufdd0\uffff',
  'the last code point': '\u{10ffff}',
  'what databases take for wild cards': `%_*?'; drop table pets; --`,
  'something that looks like JSON': '{"id":1}',
  'prototype names': '__proto__',
}

const INT64S = [
  '0',
  '1',
  '-1',
  '9007199254740991',
  '9007199254740992',
  '9007199254740993',
  '-9007199254740993',
  '9223372036854775806',
  '9223372036854775807',
  '-9223372036854775807',
  '-9223372036854775808',
  '1000000000000000001',
]

/** What a JSON number may look like, and the integer that it is. */
const INTEGER_SPELLINGS: Record<string, string> = {
  '1.0': '1',
  '1e3': '1000',
  '1E3': '1000',
  '1e+3': '1000',
  '10e-1': '1',
  '-0': '0',
  '-0.0': '0',
  '0e999999': '0',
  '1.5e1': '15',
  '12.000': '12',
  '9.223372036854775807e18': '9223372036854775807',
  '-9.223372036854775808E18': '-9223372036854775808',
  '9223372036854775807.000': '9223372036854775807',
  '92233720368547758070e-1': '9223372036854775807',
  '0.0000001e7': '1',
}

const useKey = defineWrite(
  'test.useKey',
  (db, { answer, ...once }: Parameters<typeof answerOnce>[2] & { answer: string }, engine) =>
    answerOnce(db, engine, once, async () => answer),
)
const sweepKeys = defineWrite('test.sweepKeys', (db, { now }: { now: number }) => deleteExpiredIdempotencyKeys(db, now))

/** What section 7 says of adding: the fields, the identifiers, and the idempotency of a repeated request. */
export function addingGuarantees(shop: () => Shop): void {
  describe('an added animal', () => {
    test('is answered with 201, its id and its address, and is there to be fetched and listed', async () => {
      const tenant = await shop().tenant()
      const created = await tenant.post('/pets', { name: 'Rex', categoryId: 7, status: 'pending' })
      assert.equal(created.status, 201)
      const pet = created.json as Pet
      assert.deepEqual(pet, { id: pet.id, name: 'Rex', categoryId: 7, status: 'pending' })
      assert.equal(created.headers.location, `${shop().service.config.baseUrl.href}/pets?id=${pet.id}`)
      assert.equal((await tenant.get(`/pets/${pet.id}`)).text, created.text)
      assert.equal((await tenant.get('/pets')).text, `[${created.text}]`)
    })

    test('is available when no status is given', async () => {
      const tenant = await shop().tenant()
      const { json } = await tenant.post('/pets', { name: 'Rex', categoryId: 7 })
      assert.equal((json as Pet).status, 'available')
    })

    test('has an id that no other animal has, also when many are added at once', async () => {
      const tenant = await shop().tenant()
      const names = Array.from({ length: 100 }, (_, index) => `Pet ${index}`)
      const answers = await Promise.all(names.map((name) => tenant.post('/pets', { name, categoryId: 1 })))
      const ids = answers.map((answer) => (answer.json as Pet).id)
      assert.equal(new Set(ids).size, 100)
      const listed = await walk(tenant, '/pets?limit=100')
      assert.equal(listed.length, 100)
      for (const pet of listed) assert.equal(names[ids.indexOf(pet.id)], pet.name, 'every answer names its own animal')
    })

    for (const [kind, name] of Object.entries(NAMES)) {
      test(`keeps its name exactly: ${kind}`, async () => {
        const tenant = await shop().tenant()
        const { status, json } = await tenant.post('/pets', { name, categoryId: 1 })
        assert.equal(status, 201)
        assert.equal((json as Pet).name, name)
        assert.equal(((await tenant.get(`/pets/${(json as Pet).id}`)).json as Pet).name, name)
        const { json: changed } = await tenant.patch(`/pets/${(json as Pet).id}`, { name })
        assert.equal((changed as Pet).name, name)
      })
    }

    test('keeps every int64 to the last digit, in and out', async () => {
      const tenant = await shop().tenant()
      const spellings = [...INT64S.map((digits) => [digits, digits] as const), ...Object.entries(INTEGER_SPELLINGS)]
      for (const [sent, kept] of spellings) {
        const created = await tenant.post('/pets', `{"name":"Rex","categoryId":${sent}}`)
        assert.equal(created.status, 201, sent)
        assert.match(created.text, new RegExp(`"categoryId":${kept},`), sent)
        const { id } = created.json as Pet
        assert.equal((await tenant.get(`/pets/${id}`)).text, created.text)
        const patched = await tenant.patch(`/pets/${id}`, `{"categoryId":${sent}}`)
        assert.equal(patched.text, created.text)
      }
    })

    test('holds nothing but the fields of the contract, whatever was sent beside them', async () => {
      const tenant = await shop().tenant()
      const extra =
        '"id":99,"owner":"me","__proto__":{"status":"sold"},"constructor":{"x":1},"project_id":2,"held_by":5'
      const { status, json } = await tenant.post('/pets', `{"name":"Rex","categoryId":1,${extra}}`)
      assert.equal(status, 201)
      const { id } = json as Pet
      assert.notEqual(id, 99)
      assert.deepEqual((await tenant.get(`/pets/${id}`)).json, { id, name: 'Rex', categoryId: 1, status: 'available' })
      assert.equal((await tenant.post('/store/orders', { petId: id })).status, 201, 'nobody holds it')
    })
  })

  describe('an Idempotency-Key', () => {
    const add = { name: 'Once', categoryId: 1 }
    const withKey = (key: string) => ({ headers: { 'Idempotency-Key': key } })

    test('makes a repeated request give the first answer again, and add one animal only', async () => {
      const tenant = await shop().tenant()
      const first = await tenant.post('/pets', add, withKey('a'))
      assert.equal(first.status, 201)
      assert.equal(first.headers['idempotency-replayed'], undefined)
      for (const spelling of ['a', '"a"', ' a ']) {
        const again = await tenant.post('/pets', add, withKey(spelling))
        assert.equal(again.status, 201)
        assert.equal(again.text, first.text)
        assert.equal(again.headers.location, first.headers.location)
        assert.equal(again.headers['idempotency-replayed'], 'true')
      }
      assert.equal((await walk(tenant, '/pets')).length, 1)
    })

    test('is for one body: the same fields in another spelling replay, any other value is 422', async () => {
      const tenant = await shop().tenant()
      const first = await tenant.post('/pets', '{"name":"Once","categoryId":1000}', withKey('b'))
      for (const same of [
        '{ "categoryId": 1e3, "name": "\\u004fnce" }',
        '{"name":"Once","categoryId":1000,"ignored":1}',
      ]) {
        assert.equal((await tenant.post('/pets', same, withKey('b'))).text, first.text, same)
      }
      for (const other of [
        { name: 'once', categoryId: 1000 },
        { name: 'Once', categoryId: 1001 },
        { name: 'Once', categoryId: 1000, status: 'sold' },
      ]) {
        const { status, json } = await tenant.post('/pets', other, withKey('b'))
        assert.equal(status, 422)
        assert.equal((json as ErrorBody).code, 'idempotency_mismatch')
      }
      const pet = (first.json as Pet).id
      assert.equal((await tenant.post('/store/orders', { petId: pet }, withKey('b'))).status, 422, 'another operation')
      assert.equal((await walk(tenant, '/pets')).length, 1)
    })

    test('replays the first answer also after the animal has changed', async () => {
      const tenant = await shop().tenant()
      const first = await tenant.post('/pets', add, withKey('c'))
      await tenant.patch(`/pets/${(first.json as Pet).id}`, { name: 'Changed', status: 'sold' })
      assert.equal((await tenant.post('/pets', add, withKey('c'))).text, first.text)
    })

    test('belongs to one project and environment, and to every key of it', async () => {
      const [one, other] = [await shop().tenant(), await shop().tenant()]
      const first = await one.post('/pets', add, withKey('d'))
      const { key } = await one.newKey()
      assert.equal((await one.post('/pets', add, { ...withKey('d'), key })).text, first.text)
      for (const elsewhere of [
        await other.post('/pets', add, withKey('d')),
        await one.post('/pets', add, { ...withKey('d'), environment: 'staging' }),
      ]) {
        assert.equal(elsewhere.status, 201)
        assert.equal(elsewhere.headers['idempotency-replayed'], undefined)
      }
    })

    test('used by fifty requests at once adds one animal; the others replay it or are told to wait', async () => {
      const tenant = await shop().tenant()
      const answers = await Promise.all(Array.from({ length: 50 }, () => tenant.post('/pets', add, withKey('e'))))
      const created = answers.filter((answer) => answer.status === 201)
      assert.equal(created.filter((answer) => answer.headers['idempotency-replayed'] === undefined).length, 1)
      assert.equal(new Set(created.map((answer) => answer.text)).size, 1)
      for (const answer of answers) {
        if (answer.status !== 201) assert.equal((answer.json as ErrorBody).code, 'conflict')
      }
      assert.equal((await walk(tenant, '/pets')).length, 1)
      assert.equal((await tenant.post('/pets', add, withKey('e'))).text, created[0]?.text)
    })

    test('lives for 24 hours', async () => {
      const tenant = await shop().tenant()
      const first = await tenant.post('/pets', add, withKey('f'))
      shop().clock.advance(DAY_MS - 1)
      assert.equal((await tenant.post('/pets', add, withKey('f'))).text, first.text)
      shop().clock.advance(1)
      const later = await tenant.post('/pets', { ...add, name: 'Twice' }, withKey('f'))
      assert.equal(later.status, 201)
      assert.notEqual(later.text, first.text)
      assert.equal((await tenant.post('/pets', { ...add, name: 'Twice' }, withKey('f'))).text, later.text)
    })

    test('that is used anew while the ones that have ended are swept away is kept', async () => {
      const { storage } = shop().service.petstore
      const { id: projectId } = (await shop().tenant()).project
      const tenant: Owner = { projectId, environment: 'production' }
      const useAt = (now: number) => ({ tenant, use: idempotentUse('h', 'addPet', add, now), now })
      const now = shop().clock.now()
      const again = { ...useAt(now), answer: 'again' }
      await storage.write(useKey, { ...useAt(now - DAY_MS), answer: 'first' })
      await meanwhile(storage, useKey, again, () => storage.write(sweepKeys, { now }))
      assert.deepEqual(await storage.write(useKey, again), { kind: 'done', answer: 'again', replayed: true })
    })

    test('is not used up by a request that was refused', async () => {
      const tenant = await shop().tenant()
      assert.equal((await tenant.post('/pets', { name: '', categoryId: 1 }, withKey('g'))).status, 400)
      assert.equal((await tenant.post('/store/orders', { petId: 4_000_000 }, withKey('g'))).status, 404)
      assert.equal((await tenant.post('/pets', add, withKey('g'))).status, 201)
    })

    test('of 255 characters is taken, also quoted; an empty, longer or unprintable one is 400', async () => {
      const tenant = await shop().tenant()
      const longest = 'k'.repeat(255)
      const first = await tenant.post('/pets', add, withKey(longest))
      assert.equal((await tenant.post('/pets', add, withKey(`"${longest}"`))).text, first.text)
      const escaped = await tenant.post('/pets', add, withKey(String.raw`"a\"b\\c"`))
      assert.equal((await tenant.post('/pets', add, withKey(String.raw`a"b\c`))).text, escaped.text)
      for (const bad of ['', ' ', '""', `${longest}k`, `"${longest}k"`, 'k\u00e9y', 'a\tb', '"open']) {
        const { status, json } = await tenant.post('/pets', add, withKey(bad))
        assert.equal(status, 400, JSON.stringify(bad))
        assert.match((json as ErrorBody).message, /Idempotency-Key/)
      }
    })
  })
}
