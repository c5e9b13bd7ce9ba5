import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { HOUR_MS } from '../../src/platform/clock.ts'
import { publishOwnSite } from '../harness/own-site.ts'
import { openPostgres, type PostgresDatabases } from '../harness/postgres.ts'
import { expect, type House, openHouse, type Person } from '../platform-api/house.ts'

for (const engine of ['sqlite', 'postgres'] as const) {
  describe(`what is told of changes, on ${engine}`, () => {
    let server: PostgresDatabases | undefined
    let house: House

    before(async () => {
      if (engine === 'postgres') server = await openPostgres()
      house = await openHouse({ databaseUrl: await server?.createSchema() })
    })
    after(async () => {
      await house?.[Symbol.asyncDispose]()
      await server?.[Symbol.asyncDispose]()
    })

    /** A project, and what an endpoint of each environment is to be told; nobody listens at their address. */
    async function openShop() {
      const { slug, owner } = await house.project()
      const at = `/projects/${slug}`
      const endpoints = new Map<string, string>()
      for (const environment of ['production', 'staging']) {
        const body = { url: 'http://127.0.0.1:9/', environment }
        endpoints.set(environment, expect(201, await owner.browser.post(`${at}/webhooks`, body)).id)
      }
      return {
        slug,
        owner,
        at,
        /** Type and subject of each, oldest first. */
        told: async (environment: string) =>
          (await messagesFor(endpoints.get(environment) as string)).map(
            ({ type, data }) => `${type} ${JSON.parse(data).id}`,
          ),
        data: async (environment: string, type: string) => {
          const all = await messagesFor(endpoints.get(environment) as string)
          return JSON.parse(all.findLast((message) => message.type === type)?.data ?? '{}')
        },
        logged: async (search: string) =>
          expect(200, await owner.browser.get(`${at}/audit?${search}`))
            .map(({ verb, subject }: { verb: string; subject: string }) => `${verb} ${subject}`)
            .toReversed(),
      }
    }

    const messagesFor = (endpoint: string) =>
      house.shop.petstore.storage.read
        .selectFrom('outbox_messages')
        .select(['type', 'data'])
        .where('subscriber', '=', endpoint)
        .orderBy('seq')
        .execute()

    const makeKey = async ({ browser }: Person, at: string, environment: string, input: object = {}) =>
      expect(201, await browser.post(`${at}/keys`, { environment, name: 'Till', ...input })).id as string

    test('a key that ends with its maker, who is removed or becomes a viewer, is told in its environment', async () => {
      const { slug, owner, at, told, logged } = await openShop()
      const [one, two] = [await house.member(owner, slug, 'editor'), await house.member(owner, slug, 'editor')]
      const inAnHour = new Date(house.clock.now() + HOUR_MS).toISOString()
      const expired = await makeKey(one, at, 'production', { expiresAt: inAnHour })
      await house.travel(2 * HOUR_MS, owner, one, two)
      const [first, second] = [await makeKey(one, at, 'production'), await makeKey(one, at, 'staging')]
      const third = await makeKey(two, at, 'production')
      const kept = await makeKey(owner, at, 'production')
      const members: { id: string; email: string }[] = expect(200, await owner.browser.get(`${at}/members`))
      const idOf = ({ email }: Person) => members.find((each) => each.email === email)?.id
      expect(204, await owner.browser.delete(`${at}/members/${idOf(one)}`))
      expect(204, await owner.browser.patch(`${at}/members/${idOf(two)}`, { role: 'viewer' }))
      const created = [expired, first, third, kept].map((id) => `key.created ${id}`)
      assert.deepEqual(await told('production'), [...created, `key.revoked ${first}`, `key.revoked ${third}`])
      assert.deepEqual(await told('staging'), [`key.created ${second}`, `key.revoked ${second}`])
      assert.deepEqual(
        (await logged('about=key&environment=staging')).filter((entry: string) => entry.includes('revoke')),
        [`key.revoke ${second}`],
      )
    })

    test('keys that are rotated and revoked are told and logged in their environment, with their name', async () => {
      const { owner, at, told, data, logged } = await openShop()
      const oldExpiresAt = house.clock.now() + HOUR_MS
      const id = await makeKey(owner, at, 'production', { expiresAt: new Date(oldExpiresAt).toISOString() })
      const successor = expect(201, await owner.browser.post(`${at}/keys/${id}/rotate`, {})).id
      expect(200, await owner.browser.delete(`${at}/keys/${id}`))
      assert.deepEqual(await told('production'), [`key.created ${id}`, `key.rotated ${id}`, `key.revoked ${id}`])
      assert.deepEqual(await told('staging'), [])
      const rotated = { id, environment: 'production', name: 'Till', successor, oldExpiresAt }
      assert.deepEqual(await data('production', 'key.rotated'), rotated)
      assert.deepEqual(await data('production', 'key.revoked'), { id, environment: 'production', name: 'Till' })
      assert.deepEqual(await logged('about=key&environment=production'), [
        `key.create ${id}`,
        `key.rotate ${id}`,
        `key.revoke ${id}`,
      ])
    })

    test('a rotated key that ends before the overlap would is told with its own end', async () => {
      const { owner, at, data } = await openShop()
      const oldExpiresAt = house.clock.now() + HOUR_MS
      const expiresAt = new Date(oldExpiresAt).toISOString()
      const id = await makeKey(owner, at, 'production', { expiresAt })
      expect(201, await owner.browser.post(`${at}/keys/${id}/rotate`, {}))
      assert.equal((await data('production', 'key.rotated')).oldExpiresAt, oldExpiresAt)
    })

    test('what is set to what it is already is not told, and leaves no entry', async () => {
      const { slug, owner, at, told, logged } = await openShop()
      const { operator } = house
      const set = async ({ browser }: Person, path: string, body: object = {}) =>
        expect(200, await browser.put(path, body))
      await set(operator, `/operator/projects/${slug}/plan`, { plan: 'pro' })
      await publishOwnSite(house.shop.petstore, slug)
      const [first, second] = [`a.${slug}.example.test`, `b.${slug}.example.test`]
      for (const hostname of [first, second]) expect(201, await owner.browser.post(`${at}/domains`, { hostname }))
      const suspension = `/operator/projects/${slug}/suspension`
      const [webhook] = expect(200, await owner.browser.get(`${at}/webhooks`))
      const toldBefore = await told('production')
      const loggedBefore = await logged('limit=100')

      await set(owner, `${at}/domains/${first}/primary`)
      await set(owner, `${at}/domains/${second}/redirect`, { to: first, status: 301 })
      await set(owner, `${at}/domains/${first}/hsts`)
      expect(200, await owner.browser.patch(`${at}/webhooks/${webhook.id}`, { url: webhook.url, on: true }))
      expect(200, await operator.browser.send(suspension, { method: 'DELETE' }))
      assert.deepEqual(await told('production'), toldBefore)
      assert.deepEqual(await logged('limit=100'), loggedBefore)

      for (let times = 0; times < 2; times++) {
        await set(owner, `${at}/domains/${second}/primary`)
        await set(owner, `${at}/domains/${first}/redirect`, { to: second, status: 308 })
        await set(owner, `${at}/domains/${first}/hsts`, { seconds: 60 })
        expect(200, await owner.browser.patch(`${at}/webhooks/${webhook.id}`, { name: 'Till', url: webhook.url }))
      }
      for (let times = 0; times < 2; times++) await set(operator, suspension, { reason: 'It sends spam.' })
      for (let times = 0; times < 2; times++) {
        expect(200, await operator.browser.send(suspension, { method: 'DELETE' }))
      }
      assert.deepEqual((await logged('limit=100')).slice(loggedBefore.length), [
        `domain.primary ${second}`,
        `domain.redirect ${first}`,
        `domain.hsts ${first}`,
        `webhook.change ${webhook.id}`,
        `project.suspend ${slug}`,
        `project.resume ${slug}`,
      ])
      const [change] = expect(200, await owner.browser.get(`${at}/audit?about=webhook`))
      assert.deepEqual(change.details, { changed: 'name' })
      expect(200, await owner.browser.send(`${at}/domains/${second}?revoke=true`, { method: 'DELETE' }))
      const [removal] = expect(200, await owner.browser.get(`${at}/audit?about=domain`))
      assert.deepEqual([removal.verb, removal.details], ['domain.remove', { revoke: false }])
    })

    test('a key that is revoked again, also at the same time, is told once', async () => {
      const { owner, at, told, logged } = await openShop()
      const id = await makeKey(owner, at, 'production')
      const revoke = async () => expect(200, await owner.browser.delete(`${at}/keys/${id}`))
      const answers = await Promise.all([revoke(), revoke(), revoke()])
      answers.push(await revoke())
      assert.deepEqual(new Set(answers.map(({ state }) => state)), new Set(['revoked']))
      assert.deepEqual(await told('production'), [`key.created ${id}`, `key.revoked ${id}`])
      assert.deepEqual(await logged('about=key'), [`key.create ${id}`, `key.revoke ${id}`])
    })

    test('an animal that is given what it has already stays as it is, and is not told', async () => {
      const { owner, at, told, logged } = await openShop()
      const pets = `${at}/environments/production/pets`
      const big = { name: 'Rex', categoryId: 9_007_199_254_740_991 }
      const { id } = expect(201, await owner.browser.post(pets, big))
      const row = () =>
        house.shop.petstore.storage.read
          .selectFrom('pets')
          .innerJoin('projects', 'projects.id', 'pets.project_id')
          .selectAll('pets')
          .where('projects.slug', '=', at.split('/').at(-1) as string)
          .executeTakeFirstOrThrow()
      house.clock.advance(1000)
      const change = (body: object) => owner.browser.patch(`${pets}/${id}`, body)
      const changed = expect(200, await change({ status: 'pending' }))
      const before = await row()
      house.clock.advance(1000)
      for (const body of [{ status: 'pending' }, big, { name: 'Rex' }]) {
        assert.deepEqual(expect(200, await change(body)), changed)
      }
      assert.deepEqual(await row(), before)
      assert.deepEqual(await told('production'), [`pet.created ${id}`, `pet.updated ${id}`])
      assert.deepEqual(await logged('about=pet'), [`pet.add ${id}`, `pet.change ${id}`])
    })
  })
}
