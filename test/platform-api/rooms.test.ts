import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { DAY_MS, HOUR_MS } from '../../src/platform/clock.ts'
import { expect, type House, openHouse } from './house.ts'

let house: House
before(async () => {
  house = await openHouse()
})
after(() => house?.[Symbol.asyncDispose]())

const withKey = (key: string) => ({ headers: { Authorization: `Bearer ${key}` } })

describe('keys', () => {
  test('are shown once, work at once, and stop with the request that revokes them', async () => {
    const { slug, owner } = await house.project()
    const { shop } = house
    const keys = `/projects/${slug}/keys`
    const created = expect(201, await owner.browser.post(keys, { environment: 'production', name: 'Till' }))
    assert.match(created.key, /^ps_live_/)
    assert.equal((await shop.call('/pets', withKey(created.key))).status, 200)
    const listed = await owner.browser.get(`/projects/${slug}/keys?environment=production`)
    const [only, ...others] = expect(200, listed)
    assert.deepEqual([only.id, only.name, others], [created.id, 'Till', []])
    assert.ok(!listed.text.includes(created.key))
    assert.deepEqual(expect(200, await owner.browser.get(`/projects/${slug}/keys?environment=staging`)), [])

    const successor = expect(201, await owner.browser.post(`${keys}/${created.id}/rotate`, { overlapHours: 0 }))
    assert.equal((await shop.call('/pets', withKey(created.key))).status, 401)
    assert.equal((await shop.call('/pets', withKey(successor.key))).status, 200)
    assert.equal(expect(200, await owner.browser.delete(`/projects/${slug}/keys/${successor.id}`)).state, 'revoked')
    assert.equal((await shop.call('/pets', withKey(successor.key))).status, 401)
    expect(409, await owner.browser.post(`/projects/${slug}/keys/${successor.id}/rotate`, {}))
  })

  test('have scopes and an expiry', async () => {
    const { slug, owner } = await house.project()
    const expiresAt = new Date(house.clock.now() + HOUR_MS).toISOString()
    const body = { environment: 'staging', scopes: ['read'], expiresAt }
    const key = expect(201, await owner.browser.post(`/projects/${slug}/keys`, body))
    assert.deepEqual([key.environment, key.scopes, key.expiresAt], ['staging', ['read'], expiresAt])
    // Days are counted here, whatever the clock of whoever asks says.
    const inAWeek = { environment: 'staging', expiresInDays: 7, expiresAt: '2001-01-01T00:00:00Z' }
    const counted = expect(201, await owner.browser.post(`/projects/${slug}/keys`, inAWeek))
    assert.equal(counted.expiresAt, new Date(house.clock.now() + 7 * 24 * HOUR_MS).toISOString())
    for (const bad of [
      { environment: 'x' },
      { scopes: ['admin'] },
      { expiresAt: 'soon' },
      { expiresInDays: 0 },
      { expiresAt: '2001-01-01T00:00:00Z' },
      { expiresAt: '2099-02-31T12:00:00Z' },
    ]) {
      expect(400, await owner.browser.post(`/projects/${slug}/keys`, { ...body, ...bad }))
    }
  })
})

describe('animals and orders', () => {
  test('follow the rules of /v1 in either environment, and the two never mix', async () => {
    const { slug, owner } = await house.project()
    const { browser } = owner
    const at = (environment: string) => `/projects/${slug}/environments/${environment}`
    const exact = '9007199254740993'
    const body = `{"name":"Rex","categoryId":${exact}}`
    const added = await browser.send(`${at('production')}/pets`, { method: 'POST', body })
    const { id } = expect(201, added)
    assert.match(added.text, new RegExp(`"categoryId":${exact}`))
    const { origin } = house.shop.config.baseUrl
    assert.equal(added.headers.location, `${origin}/platform/v1${at('production')}/pets?id=${id}`)
    assert.deepEqual(expect(200, await browser.get(`${at('staging')}/pets`)), [])
    expect(404, await browser.get(`${at('staging')}/pets/${id}`))
    expect(404, await browser.get(`${at('nowhere')}/pets`))
    expect(404, await browser.post(`${at('staging')}/store/orders`, { petId: id }))

    const order = expect(201, await browser.post(`${at('production')}/store/orders`, { petId: id }))
    assert.equal(expect(200, await browser.get(`${at('production')}/pets?status=pending`)).length, 1)
    expect(409, await browser.patch(`${at('production')}/pets/${id}`, { status: 'available' }))
    expect(200, await browser.patch(`${at('production')}/store/orders/${order.id}`, { status: 'cancelled' }))
    assert.equal(expect(200, await browser.get(`${at('production')}/pets/${id}`)).status, 'available')
    const wrong = { name: ' ', categoryId: '1', status: 'gone' }
    const refused = expect(400, await browser.post(`${at('production')}/pets`, wrong))
    for (const field of ['name', 'categoryId', 'status']) assert.match(refused.message, new RegExp(field))
  })

  test('are listed page by page with a filter, and the key of the project sees the same animals', async () => {
    const { slug, owner } = await house.project()
    const pets = `/projects/${slug}/environments/production/pets`
    for (let index = 0; index < 5; index++) {
      const status = index % 2 ? 'sold' : 'available'
      expect(201, await owner.browser.post(pets, { name: `Pet ${index}`, categoryId: index, status }))
    }
    const names: string[] = []
    let next: string | undefined = `${pets}?limit=2&status=available`
    while (next) {
      const page = await owner.browser.get(next)
      names.push(...expect(200, page).map((pet: { name: string }) => pet.name))
      next = /<([^>]+)>; rel="next"/.exec(String(page.headers.link ?? ''))?.[1]
    }
    assert.deepEqual(names, ['Pet 0', 'Pet 2', 'Pet 4'])
    expect(400, await owner.browser.get(`${pets}?limit=0`))
    const { key } = expect(201, await owner.browser.post(`/projects/${slug}/keys`, { environment: 'production' }))
    const seen = (await (await house.shop.call('/pets', withKey(key))).json()) as unknown[]
    assert.equal(seen.length, 5)
  })
})

describe('usage', () => {
  test('shows requests over time as soon as they are answered, and who still calls what will be removed', async () => {
    const { slug, owner } = await house.project()
    const { shop, clock } = house
    const newKey = { environment: 'production', name: 'Old app' }
    const { key, id, hint } = expect(201, await owner.browser.post(`/projects/${slug}/keys`, newKey))
    const pets = `/projects/${slug}/environments/production/pets`
    const pet = expect(201, await owner.browser.post(pets, { name: 'Rex', categoryId: 1 }))
    await shop.call('/pets', withKey(key))
    clock.advance(2 * HOUR_MS)
    await shop.call('/pets', withKey(key))
    await shop.call('/pets?limit=0', withKey(key))
    await shop.call(`/pets/${pet.id}`, withKey(key))

    const usage = expect(200, await owner.browser.get(`/projects/${slug}/usage`))
    assert.deepEqual([usage.stepMs, usage.points.length], [HOUR_MS, 24])
    const counts = usage.points.map((point: { calls: number; failures: number }) => [point.calls, point.failures])
    assert.deepEqual(counts.slice(-3), [
      [1, 0],
      [0, 0],
      [3, 1],
    ])
    assert.deepEqual(usage.operations, [
      { operation: 'getPet', calls: 1, failures: 0 },
      { operation: 'listPets', calls: 3, failures: 1 },
    ])
    const lastAt = new Date(clock.now()).toISOString()
    assert.deepEqual(usage.deprecated, [
      { operation: 'getPet', keyId: id, name: 'Old app', hint, environment: 'production', calls: 1, lastAt },
    ])

    const month = expect(200, await owner.browser.get(`/projects/${slug}/usage?days=30&environment=production`))
    assert.deepEqual([month.stepMs, month.points.length, month.points.at(-1).calls], [DAY_MS, 30, 4])
    const staging = expect(200, await owner.browser.get(`/projects/${slug}/usage?environment=staging`))
    assert.deepEqual(staging.operations, [])
    for (const bad of ['days=0', 'days=91', 'days=x', 'environment=test', 'days=1&days=2']) {
      expect(400, await owner.browser.get(`/projects/${slug}/usage?${bad}`))
    }

    const overview = expect(200, await owner.browser.get(`/projects/${slug}/overview`))
    assert.deepEqual(overview.animals.production, {
      available: { count: 1, more: false },
      pending: { count: 0, more: false },
      sold: { count: 0, more: false },
    })
    assert.deepEqual([overview.activeKeys, overview.members, overview.domains], [1, 1, 0])
    assert.deepEqual(overview.lastDay, { production: { calls: 4, failures: 1 }, staging: { calls: 0, failures: 0 } })
    assert.deepEqual(overview.deprecatedCallers, { production: 1, staging: 0 })
  })
})
