import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createKey, listKeys, revokeKey, rotateKey } from '../../src/features/keys/keys.ts'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../src/platform/clock.ts'
import { mintKey } from '../../src/features/keys/format.ts'
import { iso } from '../../src/platform/iso-date.ts'
import { until } from '../harness/until.ts'
import type { Answer, ErrorBody } from './contract.ts'
import type { Pet } from './paging.ts'
import type { Shop, Tenant } from './shop.ts'

const PRODUCTION = { environment: 'production' }
const ELSEWHERE = fileURLToPath(new URL('./revoke-in-another-process.ts', import.meta.url))

/** Section 5 of the contract, and what was decided on keys and environments. */
export function keyGuarantees(shop: () => Shop): void {
  const capabilities = () => ({ storage: shop().service.petstore.storage, clock: shop().clock })
  const revoke = async ({ project }: Tenant, id: string) => {
    await revokeKey(capabilities(), project.id, id)
    await shop().service.petstore.changes.catchUp()
  }

  describe('a key', () => {
    test('is one of at most a hundred that work in a project, however many are minted at once', async () => {
      const tenant = await shop().tenant()
      const minting = Array.from({ length: 110 }, () => createKey(capabilities(), tenant.project.id, PRODUCTION))
      const outcomes = await Promise.allSettled(minting)
      const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
      for (const { code, message } of refused) {
        assert.deepEqual([code, message.startsWith('This project has 100 keys that work')], ['conflict', true])
      }
      const live = (await listKeys(capabilities(), tenant.project.id)).filter(({ state }) => state === 'active')
      assert.equal(live.length, 100)
      await rotateKey(capabilities(), tenant.project.id, live[0]!.id)
      for (const { id } of live.slice(0, 2)) await revoke(tenant, id)
      await createKey(capabilities(), tenant.project.id, PRODUCTION)
      await assert.rejects(createKey(capabilities(), tenant.project.id, PRODUCTION), { code: 'conflict' })
    })

    test('missing, malformed, unknown, revoked, expired or of the other environment: the same 401', async () => {
      const tenant = await shop().tenant()
      const [revoked, expired] = [await tenant.newKey(), await tenant.newKey({ expiresAt: shop().clock.now() + 1 })]
      await revoke(tenant, revoked.id)
      shop().clock.advance(1)
      const { key } = tenant.keys.production
      const headers: Record<string, string | undefined> = {
        missing: undefined,
        empty: '',
        'no scheme': key,
        'another scheme': `Basic ${key}`,
        'no key': 'Bearer',
        'two keys': `Bearer ${key} ${key}`,
        'a comma': `Bearer ${key}, Bearer ${key}`,
        'too long': `Bearer ${key}x`,
        'wrong checksum': `Bearer ${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}`,
        'upper case': `Bearer ${key.toUpperCase()}`,
        unknown: `Bearer ${mintKey('production')}`,
        revoked: `Bearer ${revoked.key}`,
        expired: `Bearer ${expired.key}`,
        'of the staging address': `Bearer ${tenant.keys.staging.key}`,
      }
      for (const [kind, header] of Object.entries(headers)) {
        const answer = await tenant.get('/pets', {
          key: '',
          ...(header !== undefined && { headers: { Authorization: header } }),
        })
        refused(answer, kind)
      }
    })

    test('is asked for before path parameters, media type, size or body are looked at', async () => {
      const tenant = await shop().tenant()
      for (const path of [
        '/pets/none',
        '/pets/1',
        '/pets/%zz',
        `/pets/${'9'.repeat(400)}`,
        '/pets?limit=0&limit=1',
        '/store/orders?status=x',
      ]) {
        refused(await tenant.get(path, { key: '' }), path)
      }
      for (const path of ['/pets', '/store/orders']) {
        for (const body of ['{', 'x'.repeat(100_000), '{"name":1}'])
          refused(await tenant.post(path, body, { key: '' }), body.slice(0, 9))
        refused(await tenant.post(path, 'a', { key: '', headers: { 'Content-Type': 'text/plain' } }), 'media type')
      }
      refused(await tenant.patch('/pets/none', '{', { key: '' }), 'PATCH')
      refused(await tenant.patch('/store/orders/none', '{', { key: '' }), 'PATCH')
    })

    test('is taken in any spelling of the scheme, and from the Authorization header only', async () => {
      const tenant = await shop().tenant()
      const { key } = tenant.keys.production
      for (const Authorization of [`Bearer ${key}`, `bearer ${key}`, `BEARER   ${key}`, `Bearer ${key}  `]) {
        assert.equal((await tenant.get('/pets', { key: '', headers: { Authorization } })).status, 200)
      }
      refused(await tenant.get(`/pets?key=${key}&api_key=${key}&access_token=${key}`, { key: '' }), 'in the query')
      refused(await tenant.get('/pets', { key: '', headers: { 'X-API-Key': key, Cookie: `key=${key}` } }), 'elsewhere')
    })

    test('revoked is refused on the next request, in every spelling of the header', async () => {
      const tenant = await shop().tenant()
      const { id, key } = await tenant.newKey()
      const spellings = [`Bearer ${key}`, `bearer ${key}`, `BEARER  ${key}`]
      for (const Authorization of [...spellings, ...spellings]) {
        assert.equal((await tenant.get('/pets', { key: '', headers: { Authorization } })).status, 200)
      }
      await revoke(tenant, id)
      for (const Authorization of spellings)
        refused(await tenant.get('/pets', { key: '', headers: { Authorization } }), Authorization)
      assert.equal((await tenant.get('/pets')).status, 200, 'the project’s other key goes on')
    })

    test('revoked by another process is refused once this one has looked, which it does twice a second', async () => {
      const tenant = await shop().tenant()
      const { id, key } = await tenant.newKey()
      assert.equal((await tenant.get('/pets', { key })).status, 200)
      const { dataDirectory, databaseUrl } = shop().service.config
      const environment = { PETSTORE_DATA: dataDirectory, ...(databaseUrl && { DATABASE_URL: databaseUrl }) }
      await promisify(execFile)(process.execPath, [ELSEWHERE, String(tenant.project.id), id], { env: environment })
      shop().clock.advance(500)
      await until('it is refused', async () => (await tenant.get('/pets', { key })).status !== 200)
      refused(await tenant.get('/pets', { key }), 'revoked elsewhere')
    })

    test('is refused from the instant of its expiry on', async () => {
      const tenant = await shop().tenant()
      const { key } = await tenant.newKey({ expiresAt: shop().clock.now() + MINUTE_MS })
      assert.equal((await tenant.get('/pets', { key })).status, 200)
      shop().clock.advance(MINUTE_MS - 1)
      assert.equal((await tenant.get('/pets', { key })).status, 200)
      shop().clock.advance(1)
      refused(await tenant.get('/pets', { key }), 'expired')
    })

    test('rotated goes on for the overlap, while its successor works at once with the same rights', async () => {
      const tenant = await shop().tenant()
      const old = await tenant.newKey({ scopes: ['read'] })
      const successor = await rotateKey(capabilities(), tenant.project.id, old.id, { overlapMs: HOUR_MS })
      await shop().service.petstore.changes.catchUp()
      assert.deepEqual(successor.scopes, ['read'])
      assert.equal((await tenant.get('/pets', { key: successor.key })).status, 200)
      assert.equal((await tenant.post('/pets', { name: 'x', categoryId: 1 }, { key: successor.key })).status, 403)
      assert.equal((await tenant.get('/pets', { key: old.key })).status, 200)
      shop().clock.advance(HOUR_MS)
      refused(await tenant.get('/pets', { key: old.key }), 'after the overlap')
      assert.equal((await tenant.get('/pets', { key: successor.key })).status, 200)
      await assert.rejects(rotateKey(capabilities(), tenant.project.id, old.id), { code: 'conflict' })
    })

    test('rotated never lives longer than it would have', async () => {
      const tenant = await shop().tenant()
      const old = await tenant.newKey({ expiresAt: shop().clock.now() + MINUTE_MS })
      await rotateKey(capabilities(), tenant.project.id, old.id, { overlapMs: HOUR_MS })
      await shop().service.petstore.changes.catchUp()
      shop().clock.advance(MINUTE_MS)
      refused(await tenant.get('/pets', { key: old.key }), 'its own expiry')
    })

    test('rotated again has another successor, which lives as long as it was given itself', async () => {
      const tenant = await shop().tenant()
      const endless = await tenant.newKey()
      const short = await tenant.newKey({ expiresAt: shop().clock.now() + HOUR_MS })
      for (const overlapMs of [30 * MINUTE_MS, 20 * MINUTE_MS]) {
        const rotated = ({ id }: { id: string }) => rotateKey(capabilities(), tenant.project.id, id, { overlapMs })
        assert.equal((await rotated(endless)).expiresAt, null)
        assert.equal((await rotated(short)).expiresAt, iso(shop().clock.now() + HOUR_MS))
        shop().clock.advance(MINUTE_MS)
      }
    })

    test('expires within the calendar, however late it may and however often it is rotated', async () => {
      const tenant = await shop().tenant()
      const latest = Date.UTC(10_000, 0, 1) - 1
      await assert.rejects(tenant.newKey({ expiresAt: latest + 1 }), { code: 'invalid_request' })
      const old = await tenant.newKey({ expiresAt: latest })
      shop().clock.advance(MINUTE_MS)
      const { expiresAt } = await rotateKey(capabilities(), tenant.project.id, old.id)
      assert.equal(expiresAt, '9999-12-31T23:59:59.999Z')
    })

    test('may do what its scopes say and nothing else', async () => {
      const tenant = await shop().tenant()
      const [read, write] = [await tenant.newKey({ scopes: ['read'] }), await tenant.newKey({ scopes: ['write'] })]
      const pet = (await tenant.post('/pets', { name: 'Rex', categoryId: 1 })).json as Pet
      const reads = (key: string) => [
        tenant.get('/pets', { key }),
        tenant.get(`/pets/${pet.id}`, { key }),
        tenant.ask('/pets', { method: 'HEAD', key }),
        tenant.get('/store/orders', { key }),
      ]
      const writes = (key: string) => [
        tenant.post('/pets', { name: 'Max', categoryId: 1 }, { key }),
        tenant.patch(`/pets/${pet.id}`, { name: 'Tom' }, { key }),
        tenant.post('/store/orders', { petId: pet.id }, { key }),
        tenant.patch('/store/orders/1', { status: 'completed' }, { key }),
      ]
      for (const answer of await Promise.all(reads(read.key))) assert.equal(answer.status, 200)
      for (const answer of await Promise.all([...writes(read.key), ...reads(write.key)]))
        assert.equal(answer.status, 403)
      for (const answer of await Promise.all(writes(write.key))) assert.notEqual(answer.status, 403)
      const forbidden = (await tenant.post('/pets', '{', { key: read.key })).json as ErrorBody
      assert.equal(forbidden.code, 'forbidden')
      assert.match(forbidden.message, /write/)
    })

    test('shows when it was last used', async () => {
      const tenant = await shop().tenant()
      const { id, key } = await tenant.newKey()
      const lastUsed = async () => {
        const keys = await listKeys(capabilities(), tenant.project.id)
        return keys.find((listed) => listed.id === id)?.lastUsedAt
      }
      assert.equal(await lastUsed(), null)
      await tenant.get('/pets', { key })
      const usedAt = new Date(shop().clock.now()).toISOString()
      await until('it is shown', async () => {
        // The counts are written every five seconds of the service's clock.
        shop().clock.advance(5 * SECOND_MS)
        return Boolean(await lastUsed())
      })
      assert.equal(await lastUsed(), usedAt)
    })

    test('is stored as a hash only', async () => {
      const tenant = await shop().tenant()
      const { key } = await tenant.newKey()
      const rows = await shop().service.petstore.storage.read.selectFrom('keys').selectAll().execute()
      const secret = key.slice(8, -6)
      assert.equal(JSON.stringify(rows).includes(secret), false)
    })
  })

  describe('environments and projects', () => {
    test('never mix: an animal is to be seen where it was added and nowhere else', async () => {
      const [one, other] = [await shop().tenant(), await shop().tenant()]
      const staging = { environment: 'staging' } as const
      const pet = (await one.post('/pets', { name: 'Here', categoryId: 1 })).json as Pet
      const there = (await one.post('/pets', { name: 'There', categoryId: 1 }, staging)).json as Pet
      assert.deepEqual(
        ((await one.get('/pets')).json as Pet[]).map((seen) => seen.id),
        [pet.id],
      )
      assert.deepEqual(
        ((await one.get('/pets', staging)).json as Pet[]).map((seen) => seen.id),
        [there.id],
      )
      assert.equal((await other.get('/pets')).text, '[]')
      assert.equal((await one.get(`/pets/${there.id}`)).status, 404)
      assert.equal((await one.get(`/pets/${pet.id}`, staging)).status, 404)
      assert.equal((await other.get(`/pets/${pet.id}`)).status, 404)
      assert.equal((await other.patch(`/pets/${pet.id}`, { name: 'Mine' })).status, 404)
      assert.equal((await one.patch(`/pets/${pet.id}`, { name: 'Mine' }, staging)).status, 404)
      assert.equal(((await one.get(`/pets/${pet.id}`)).json as Pet).name, 'Here')
    })

    test('a key of one address is a 401 at the other, known or not', async () => {
      const tenant = await shop().tenant()
      for (let round = 0; round < 2; round++) {
        assert.equal((await tenant.get('/pets')).status, 200)
        assert.equal((await tenant.get('/pets', { environment: 'staging' })).status, 200)
        refused(
          await tenant.get('/pets', { environment: 'staging', key: tenant.keys.production.key }),
          'live at staging',
        )
        refused(await tenant.get('/pets', { key: tenant.keys.staging.key }), 'test at production')
      }
    })
  })
}

function refused(answer: Answer, kind: string): void {
  const { code, status } = answer.json as ErrorBody
  assert.deepEqual([answer.status, code, status], [401, 'unauthorized', 401], kind)
  assert.equal(answer.headers['www-authenticate'], 'Bearer', kind)
  assert.equal(answer.headers['cache-control'], 'no-store', kind)
  assert.equal(answer.headers.ratelimit, undefined, kind)
}
