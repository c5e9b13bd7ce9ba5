import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { verifyWebhook } from '../../client/src/webhooks/webhooks.ts'
import { EVENT_OF_VERB } from '../../src/features/audit/events.ts'
import { EVENT_TYPES } from '../../src/features/webhooks/event-types.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/platform/clock.ts'
import { defineWrite } from '../../src/platform/storage/storage.ts'
import { publishOwnSite } from '../harness/own-site.ts'
import { openPostgres, type PostgresDatabases } from '../harness/postgres.ts'
import { switchProtocols } from '../harness/switch-protocols.ts'
import { until } from '../harness/until.ts'
import { type Received, type Receiver, startReceiver } from '../harness/webhook-receiver.ts'
import { expect, type House, openHouse, type Person } from '../platform-api/house.ts'

test('what the audit log tells programs of is what they can choose', () => {
  const known = new Set<string>(EVENT_TYPES)
  assert.deepEqual(
    Object.values(EVENT_OF_VERB).filter((type) => !known.has(type)),
    [],
  )
})

const breakSecret = defineWrite('test.breakSecret', async (db, { id }: { id: string }) => {
  await db.updateTable('webhook_endpoints').set({ sealed_secret: 'v1.a.b.c' }).where('id', '=', id).execute()
})

for (const engine of ['sqlite', 'postgres'] as const) {
  describe(`webhooks on ${engine}`, () => {
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

    /** A project with one endpoint, and what people do there. */
    async function openShop(receiver: Receiver, input: object = {}) {
      const { slug, owner } = await house.project()
      const at = `/projects/${slug}`
      const webhook = expect(201, await owner.browser.post(`${at}/webhooks`, { url: receiver.url, ...input }))
      const pets = `${at}/environments/production/pets`
      return {
        ...shopOf(owner, at, `${at}/webhooks/${webhook.id}`),
        webhook,
        add: async (name: string) => expect(201, await owner.browser.post(pets, { name, categoryId: 1 })),
        change: async (id: number, body: object) =>
          expect(200, await owner.browser.send(`${pets}/${id}`, { method: 'PATCH', body })),
        remove: async (id: number) => expect(204, await owner.browser.send(`${pets}/${id}`, { method: 'DELETE' })),
      }
    }

    const shopOf = (owner: Person, at: string, endpoint: string) => ({
      owner,
      at,
      messages: async () => expect(200, await owner.browser.get(`${endpoint}/messages`)),
      message: async (id: string) => expect(200, await owner.browser.get(`${endpoint}/messages/${id}`)),
      post: (path: string, body: object = {}) => owner.browser.post(`${endpoint}${path}`, body),
      patch: async (body: object) => expect(200, await owner.browser.send(endpoint, { method: 'PATCH', body })),
    })

    /** Time goes on while it is waited for. */
    const passing = (what: string, holds: () => boolean | Promise<boolean>, stepMs = 250) =>
      until(what, () => {
        house.clock.advance(stepMs)
        return holds()
      })

    const typesOf = (received: readonly Received[]) => received.map(({ event }) => event.type)

    test('animals and orders are told as the interface shows them, to the last digit', async () => {
      await using receiver = await startReceiver()
      const shop = await openShop(receiver)
      const id = (await shop.add('Räx "the" \u{1F436}')).id
      const body = '{"name":"Big","categoryId":9223372036854775807}'
      const big = expect(
        201,
        await shop.owner.browser.send(`${shop.at}/environments/staging/pets`, { method: 'POST', body }),
      )
      const orders = `${shop.at}/environments/production/store/orders`
      const order = expect(201, await shop.owner.browser.post(orders, { petId: id }))
      await passing('everything is told', () => receiver.received.length === 4)
      const told = (type: string, of: string) =>
        receiver.received.find(({ event }) => event.type === type && event.environment === of) as Received
      const added = told('pet.created', 'production')
      assert.deepEqual(added.event.data, { id, name: 'Räx "the" \u{1F436}', categoryId: 1, status: 'available' })
      assert.match(told('pet.created', 'staging').body, /"categoryId":9223372036854775807,/)
      assert.equal(told('pet.created', 'staging').event.data.id, big.id)
      assert.equal(told('pet.updated', 'production').event.data.status, 'pending')
      assert.deepEqual(told('order.created', 'production').event.data, order)

      for (const { headers, body: text } of receiver.received) {
        const given = headers as Record<string, string>
        const now = () => house.clock.now()
        const event = await verifyWebhook(shop.webhook.secret, given, text, { now })
        assert.equal(event.type, JSON.parse(text).type)
        const altered = text.replace('"type"', '"tvpe"')
        await assert.rejects(verifyWebhook(shop.webhook.secret, given, altered, { now }), /signature does not fit/)
      }
    })

    test('deploys, domains and keys are told, without secrets, and of what was not chosen nothing is', async () => {
      await using receiver = await startReceiver()
      const events = ['key.created', 'key.revoked', 'deploy.created', 'domain.added']
      const shop = await openShop(receiver, { events })
      const slug = shop.at.split('/').at(-1) as string
      const plan = { method: 'PUT', body: { plan: 'pro' } }
      expect(200, await house.operator.browser.send(`/operator/projects/${slug}/plan`, plan))
      await shop.add('Rex')
      const given = { environment: 'staging', name: 'Till' }
      const key = expect(201, await shop.owner.browser.post(`${shop.at}/keys`, given))
      expect(200, await shop.owner.browser.send(`${shop.at}/keys/${key.id}`, { method: 'DELETE' }))
      await publishOwnSite(house.shop.petstore, slug)
      expect(201, await shop.owner.browser.post(`${shop.at}/domains`, { hostname: `${slug}.example.test` }))
      await passing('all are told', async () =>
        (await shop.messages()).every(({ state }: { state: string }) => state === 'delivered'),
      )
      assert.deepEqual(typesOf(receiver.received).toSorted(), events.toSorted())
      const dataOf = (type: string) => receiver.received.find(({ event }) => event.type === type)?.event.data
      assert.deepEqual(dataOf('key.created'), { id: key.id, ...given, scopes: 'read write' })
      assert.equal(dataOf('domain.added').hostname, `${slug}.example.test`)
      assert.ok(!receiver.received.some(({ body }) => body.includes(key.key)))
    })

    test('an endpoint of one environment hears of that one', async () => {
      await using receiver = await startReceiver()
      const shop = await openShop(receiver, { environment: 'staging' })
      await shop.add('Rex')
      expect(
        201,
        await shop.owner.browser.post(`${shop.at}/environments/staging/pets`, { name: 'Stage', categoryId: 1 }),
      )
      await passing('it is told', () => receiver.received.length > 0)
      assert.deepEqual((await shop.messages()).length, 1)
      assert.equal(receiver.received[0]?.event.data.name, 'Stage')
    })

    test('what fails holds back its own resource, and no other; the order of each is kept', async () => {
      await using receiver = await startReceiver()
      const shop = await openShop(receiver)
      receiver.answer = ({ event }, response) =>
        void response.writeHead(event.data.name === 'One' ? 500 : 200).end('sorry')
      const [one, two] = [await shop.add('One'), await shop.add('Two')]
      for (const status of ['pending', 'sold', 'available']) {
        await shop.change(one.id, { status })
        await shop.change(two.id, { status })
      }
      const of = (id: number, from: readonly Received[] = receiver.received) =>
        from.filter(({ event }) => event.data.id === id)
      await passing('all of the second are told', () => of(two.id).length === 4, 50)
      assert.deepEqual(new Set(typesOf(of(one.id))), new Set(['pet.created']))
      await passing(
        'its own wait, and no other',
        async () => {
          const waiting = (await shop.messages()).filter(({ state }: { state: string }) => state === 'waiting')
          return waiting.length === 4
        },
        50,
      )
      receiver.answer = (_, response) => void response.writeHead(200).end()
      const before = receiver.received.length
      await passing('the first are told after all', async () =>
        (await shop.messages()).every(({ state }: { state: string }) => state === 'delivered'),
      )
      const later = of(one.id, receiver.received.slice(before))
      assert.deepEqual(typesOf(later), ['pet.created', 'pet.updated', 'pet.updated', 'pet.updated'])
      assert.deepEqual(
        later.map(({ event }) => event.data.status),
        ['available', 'pending', 'sold', 'available'],
      )
    })

    test('a receiver that stalls, redirects or talks without end stops only itself', async () => {
      await using slow = await startReceiver()
      await using other = await startReceiver()
      const stalled = await openShop(slow)
      const good = await openShop(other)
      slow.answer = () => {}
      await stalled.add('Stalled')
      await passing('it stalls', () => slow.received.length === 1)
      await good.add('Good')
      await passing('the other is told', () => other.received.length === 1)
      slow.answer = (_, response) => void response.writeHead(302, { Location: other.url }).end()
      await stalled.add('Redirected')
      slow.answer = (_, response) => {
        response.writeHead(500)
        response.write('x'.repeat(3000))
      }
      await good.add('Still good')
      await passing('the other is told again', () => other.received.length === 2)
      assert.deepEqual(
        other.received.map(({ event }) => event.data.name),
        ['Good', 'Still good'],
      )
    })

    test('a receiver that switches protocols has failed, and gets the message again', async () => {
      await using receiver = await startReceiver()
      const shop = await openShop(receiver)
      receiver.answer = (_, response) => switchProtocols(response)
      const { id } = expect(201, await shop.post('/test'))
      await passing('the log has it', async () => (await shop.message(id)).log.length > 0, 50)
      const [attempt] = (await shop.message(id)).log
      assert.equal(attempt.status, null)
      assert.match(attempt.error, /answered 101 Switching Protocols/)
      receiver.answer = (_, response) => void response.writeHead(204).end()
      await passing('it is taken', async () => (await shop.message(id)).state === 'delivered')
    })

    test('a busy receiver is left alone as long as it asks, an hour at most, or until somebody clicks', async () => {
      await using receiver = await startReceiver()
      const shop = await openShop(receiver)
      receiver.answer = (_, response) => void response.writeHead(429, { 'Retry-After': '600' }).end()
      await shop.add('Rex')
      await passing('it is refused', async () => (await shop.messages())[0].attempts === 1)
      const refusedAt = house.clock.now()
      await shop.add('Bello')
      const rests = async (untilMs: number) => {
        await passing('it rests', async () => {
          const times = (await shop.messages()).map((one: { nextAttemptAt: string }) => Date.parse(one.nextAttemptAt))
          return times.every((at: number) => Math.abs(at - untilMs) < 30_000)
        })
      }
      await rests(refusedAt + 600_000)
      const before = receiver.received.length
      receiver.answer = (_, response) => void response.writeHead(503, { 'Retry-After': '86400' }).end()
      await passing('the pause is over', () => receiver.received.length > before, 5000)
      assert.ok(house.clock.now() >= refusedAt + 600_000, 'too early')
      await rests(house.clock.now() + HOUR_MS)

      receiver.answer = (_, response) => void response.writeHead(204).end()
      const clickedAt = house.clock.now()
      expect(201, await shop.post('/test'))
      await passing('the test comes', () => typesOf(receiver.received).includes('webhook.test'))
      assert.ok(house.clock.now() < clickedAt + HOUR_MS / 2, 'it waited')
    })

    type Shop = Awaited<ReturnType<typeof openShop>>
    const clicks: Record<string, (shop: Shop, told: string, newUrl: string) => Promise<unknown>> = {
      'a message that is sent again': async ({ post }, told) => expect(200, await post(`/messages/${told}/resend`)),
      'a test': async ({ post }) => expect(201, await post('/test')),
      'a new address': ({ patch }, _, url) => patch({ url }),
      'switching it on': ({ patch }) => patch({ on: true }),
    }
    for (const [click, make] of Object.entries(clicks)) {
      test(`${click} ends a pause for all that waits, also for what has met it`, async () => {
        await using receiver = await startReceiver()
        await using other = await startReceiver()
        const shop = await openShop(receiver)
        const told = expect(201, await shop.post('/test')).id
        await passing('something is told', async () => (await shop.message(told)).state === 'delivered')
        receiver.answer = (_, response) => void response.writeHead(503, { 'Retry-After': '600' }).end()
        const { id } = await shop.add('Rex')
        const isResting = async () => {
          const next = Date.parse((await shop.messages())[0].nextAttemptAt)
          return next > house.clock.now() + 500_000
        }
        await passing('it rests', isResting, 50)
        await shop.change(id, { name: 'Max' })
        await shop.add('Bello')
        // Beyond the pause that a first failure makes by itself, and far from the end of the one asked for.
        house.clock.advance(30_000)
        const clickedAt = house.clock.now()
        receiver.answer = (_, response) => void response.writeHead(204).end()
        await make(shop, told, other.url)
        await passing('all is told', async () => {
          assert.ok(house.clock.now() < clickedAt + 500_000, 'it waited')
          return (await shop.messages()).every(({ state }: { state: string }) => state === 'delivered')
        })
      })
    }

    test('whoever takes nothing for three days is switched off, and gets what waited when on again', async () => {
      await using receiver = await startReceiver()
      const shop = await openShop(receiver, { events: ['pet.created'] })
      receiver.answer = (_, response) => void response.writeHead(503).end('closed')
      for (const name of ['Rex', 'Bello']) await shop.add(name)
      const state = async () => expect(200, await shop.owner.browser.get(`${shop.at}/webhooks`))[0]
      await passing('the first attempts', () => receiver.received.length === 2)
      const start = house.clock.now()
      await until('it is off', async () => {
        const { due_at } = await messageRow(shop.webhook.id)
        // To the next attempt in one step, and then as time goes.
        house.clock.advance(Math.max(250, Math.min((due_at ?? 0) - house.clock.now(), DAY_MS)))
        return (await endpointRow(shop.webhook.id)).off_at !== null
      })
      const { off_at, off_reason } = await endpointRow(shop.webhook.id)
      assert.equal(off_reason, 'failing')
      assert.ok((off_at as number) - start > 2 * DAY_MS, 'too early')
      assert.ok((off_at as number) - start < 4 * DAY_MS, 'too late')
      assert.ok(receiver.received.length > 20 && receiver.received.length < 80, String(receiver.received.length))
      await house.travel(0, shop.owner)
      assert.equal((await state()).state, 'off')
      const entries = expect(200, await shop.owner.browser.get(`${shop.at}/audit?about=webhook`))
      assert.ok(entries.some(({ verb }: { verb: string }) => verb === 'webhook.off'))
      await shop.add('Unheard')
      const before = receiver.received.length
      receiver.answer = (_, response) => void response.writeHead(200).end()
      await shop.patch({ on: true })
      await shop.add('Heard')
      await passing('what comes now is told', () => receiver.received.length > before)
      await passing('all is told', async () =>
        (await shop.messages()).every(({ state: of }: { state: string }) => of !== 'waiting'),
      )
      const names = new Set(receiver.received.slice(before).map(({ event }) => event.data.name))
      assert.deepEqual(names, new Set(['Rex', 'Bello', 'Heard']))
    })

    const messageRow = (id: string) =>
      house.shop.petstore.storage.read
        .selectFrom('outbox_messages')
        .selectAll()
        .where('subscriber', '=', id)
        .executeTakeFirstOrThrow()

    const endpointRow = (id: string) =>
      house.shop.petstore.storage.read
        .selectFrom('webhook_endpoints')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirstOrThrow()

    test('an endpoint whose secret cannot be opened stops neither the service nor another endpoint', async () => {
      await using receiver = await startReceiver()
      await using other = await startReceiver()
      const broken = await openShop(receiver)
      const good = await openShop(other)
      await house.shop.petstore.storage.write(breakSecret, { id: broken.webhook.id })
      await broken.add('Unheard')
      await good.add('Rex')
      await passing('the other is told', () => other.received.length === 1)
      assert.deepEqual(receiver.received, [])
    })

    test('410 asks for nothing more, and nothing more is sent', async () => {
      await using receiver = await startReceiver()
      const shop = await openShop(receiver)
      receiver.answer = (_, response) => void response.writeHead(410).end()
      await shop.add('Rex')
      await passing('it is off', async () => (await endpointRow(shop.webhook.id)).off_reason === 'gone')
    })

    test('secrets that were rotated sign beside the new one until the time of each is over', async () => {
      await using receiver = await startReceiver()
      const shop = await openShop(receiver)
      const between = expect(201, await shop.post('/rotate', { overlapHours: 2 }))
      const rotated = expect(201, await shop.post('/rotate', { overlapHours: 1 }))
      const secrets: string[] = [shop.webhook.secret, between.secret, rotated.secret]
      assert.equal(new Set(secrets).size, 3)
      assert.equal(rotated.oldSecretUntil, between.oldSecretUntil)
      await shop.add('Rex')
      await passing('it is told', () => receiver.received.length === 1)
      const verify = ({ headers, body }: Received, secret: string) =>
        verifyWebhook(secret, headers as Record<string, string>, body, { now: () => house.clock.now() })
      const [first] = receiver.received as [Received]
      assert.equal(String(first.headers['webhook-signature']).split(' ').length, 3)
      for (const secret of secrets) await verify(first, secret)
      house.clock.advance(1.5 * HOUR_MS)
      await shop.add('Later')
      await passing('it is told again', () => receiver.received.length === 2)
      const [, second] = receiver.received as [Received, Received]
      for (const secret of [shop.webhook.secret, rotated.secret]) await verify(second, secret)
      await assert.rejects(verify(second, between.secret), /does not fit/)
      await assert.rejects(
        verifyWebhook(rotated.secret, second.headers as Record<string, string>, second.body, {
          now: () => house.clock.now() + HOUR_MS,
        }),
        /too old/,
      )
    })

    test('the log shows each attempt, with the request, the answer and its time; one click sends again', async () => {
      await using receiver = await startReceiver()
      const shop = await openShop(receiver)
      receiver.answer = (_, response) => void response.writeHead(418).end('short and stout'.padEnd(5000, '!'))
      const test_ = expect(201, await shop.post('/test'))
      assert.equal(test_.type, 'webhook.test')
      await passing('it is refused', () => receiver.received.length === 1)
      await passing('the log has it', async () => (await shop.message(test_.id)).log.length > 0)
      receiver.answer = (_, response) => void response.writeHead(200).end('thanks')
      await passing('it is taken', async () => (await shop.message(test_.id)).state === 'delivered')
      // It may come before we hear that it was sent, and is not taken before we have looked.
      const count = receiver.received.length
      const looked = Promise.withResolvers<void>()
      receiver.answer = (_, response) => void looked.promise.then(() => response.writeHead(200).end('thanks'))
      const again = expect(200, await shop.post(`/messages/${test_.id}/resend`))
      assert.equal(again.state, 'waiting')
      looked.resolve()
      await passing('it comes again', () => receiver.received.length > count)
      await passing('it is taken again', async () => (await shop.message(test_.id)).state === 'delivered')
      const { log, body } = await shop.message(test_.id)
      assert.equal(body, receiver.received[0]?.body)
      assert.deepEqual(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])), new Set([test_.id]))
      assert.equal(log[0].answer, 'thanks')
      assert.equal(log.at(-1).status, 418)
      assert.equal(log.at(-1).answer.length, 1024)
      assert.equal(log.at(-1).address, '127.0.0.1')
      assert.match(log.at(-1).signature, /^v1,/)
      assert.ok(log[0].durationMs >= 0)
    })

    test('a test is sent at once, also while an earlier one that failed waits', async () => {
      await using receiver = await startReceiver()
      const shop = await openShop(receiver)
      receiver.answer = (_, response) => void response.writeHead(500).end()
      const { id } = expect(201, await shop.post('/test'))
      await passing('it waits for half a minute', async () => (await shop.message(id)).attempts === 2)
      receiver.answer = (_, response) => void response.writeHead(200).end()
      const sentAt = house.clock.now()
      const again = expect(201, await shop.post('/test'))
      await passing('the second is taken', async () => {
        assert.ok(house.clock.now() < sentAt + 20_000, 'it waited')
        return (await shop.message(again.id)).state === 'delivered'
      })
      assert.equal((await shop.message(id)).state, 'waiting')
    })

    test('a change that is refused is not told, and where nobody listens nothing is written', async () => {
      const { slug, owner } = await house.project()
      const pets = `/projects/${slug}/environments/production/pets`
      const pet = expect(201, await owner.browser.post(pets, { name: 'Rex', categoryId: 1 }))
      const messages = () =>
        house.shop.petstore.storage.read
          .selectFrom('outbox_messages')
          .innerJoin('projects', 'projects.id', 'outbox_messages.project_id')
          .select('outbox_messages.id')
          .where('projects.slug', '=', slug)
          .execute()
      assert.deepEqual(await messages(), [])
      await using receiver = await startReceiver()
      expect(201, await owner.browser.post(`/projects/${slug}/webhooks`, { url: receiver.url }))
      expect(201, await owner.browser.post(`/projects/${slug}/environments/production/store/orders`, { petId: pet.id }))
      const before = (await messages()).length
      expect(409, await owner.browser.send(`${pets}/${pet.id}`, { method: 'PATCH', body: { status: 'sold' } }))
      assert.equal((await messages()).length, before)
    })

    test('a project that is deleted tells nothing of its animals, and leaves nothing behind', async () => {
      await using receiver = await startReceiver()
      const shop = await openShop(receiver, { events: ['pet.deleted', 'key.revoked'] })
      await shop.add('Rex')
      expect(201, await shop.owner.browser.post(`${shop.at}/keys`, { environment: 'staging', name: 'Till' }))
      const slug = shop.at.split('/').at(-1) as string
      expect(204, await shop.owner.browser.send(shop.at, { method: 'DELETE', body: { confirm: slug } }))
      await passing('it is gone', async () => {
        const rows = await house.shop.petstore.storage.read
          .selectFrom('webhook_endpoints')
          .select('id')
          .where('id', '=', shop.webhook.id)
          .execute()
        return rows.length === 0
      })
      assert.deepEqual(receiver.received, [])
    })

    test('a command line without an address fetches what is due, signed, and each message once', async () => {
      const { slug, owner } = await house.project()
      const at = `/projects/${slug}/listeners`
      const listener = expect(201, await owner.browser.post(at, { events: ['pet.created'] }))
      const fetched = async () => expect(200, await owner.browser.get(`${at}/${listener.id}/messages`))
      assert.deepEqual(await fetched(), [])
      expect(
        201,
        await owner.browser.post(`/projects/${slug}/environments/production/pets`, { name: 'Rex', categoryId: 1 }),
      )
      const [message] = await fetched()
      const event = await verifyWebhook(listener.secret, message.headers, message.body, {
        now: () => house.clock.now(),
      })
      assert.equal(event.type, 'pet.created')
      const result = { url: 'http://localhost:3000/', status: 500, durationMs: 3 }
      expect(204, await owner.browser.post(`${at}/${listener.id}/messages/${message.id}`, result))
      assert.deepEqual(await fetched(), [])
      assert.deepEqual(expect(200, await owner.browser.get(`/projects/${slug}/webhooks`)), [])
      const asEndpoint = `/projects/${slug}/webhooks/${listener.id}`
      expect(404, await owner.browser.patch(asEndpoint, { url: 'https://one-more.example/' }))
      expect(404, await owner.browser.post(`${asEndpoint}/rotate`, {}))
      assert.deepEqual(expect(200, await owner.browser.get(`/projects/${slug}/webhooks`)), [])
      // Nor is anything told while the project is suspended, when whoever listens can only leave.
      const { browser: operator } = house.operator
      const suspension = `/operator/projects/${slug}/suspension`
      expect(200, await operator.put(suspension, { reason: 'It sends spam.' }))
      const refused = expect(403, await owner.browser.get(`${at}/${listener.id}/messages`))
      assert.match(refused.message, /^This project is suspended: It sends spam\./)
      expect(204, await owner.browser.send(`${at}/${listener.id}`, { method: 'DELETE' }))
      expect(200, await operator.send(suspension, { method: 'DELETE' }))
      expect(404, await owner.browser.get(`${at}/${listener.id}/messages`))
    })

    test('a command line before a slow receiver fetches a few, and is there while it tells of them', async () => {
      const { slug, owner } = await house.project()
      const at = `/projects/${slug}/listeners`
      const { id } = expect(201, await owner.browser.post(at, { events: ['pet.created'] }))
      const pets = `/projects/${slug}/environments/production/pets`
      for (const name of ['Rex', 'Bello', 'Hasso']) expect(201, await owner.browser.post(pets, { name, categoryId: 1 }))
      const fetched = async () => expect(200, await owner.browser.get(`${at}/${id}/messages?limit=2`))
      const messages = await fetched()
      assert.equal(messages.length, 2)
      for (const message of messages) {
        house.clock.advance(1.5 * MINUTE_MS)
        const result = { url: 'http://localhost:3000/', status: 204, durationMs: 90_000 }
        expect(204, await owner.browser.post(`${at}/${id}/messages/${message.id}`, result))
      }
      // Whoever comes takes away what has not been heard of for two minutes.
      expect(201, await owner.browser.post(at, {}))
      assert.equal(JSON.parse((await fetched())[0].body).data.name, 'Hasso')
    })

    test('an endpoint that has an address is told of by nobody else', async () => {
      await using receiver = await startReceiver()
      const shop = await openShop(receiver)
      receiver.answer = () => {}
      const { id } = expect(201, await shop.post('/test'))
      const result = { url: 'http://localhost:3000/', status: 204, durationMs: 1 }
      const forwarded = `${shop.at}/listeners/${shop.webhook.id}/messages/${id}`
      expect(404, await shop.owner.browser.post(forwarded, result))
      assert.equal((await shop.message(id)).state, 'waiting')
    })

    describe('whoever waits for messages', () => {
      const PATH = '/platform/v1/projects/{project}/listeners/{listener}/messages'

      /** How many requests for messages were answered, or ended because nobody was there any more. */
      const ended = async () => {
        const metrics = await fetch(`http://127.0.0.1:${house.shop.config.adminPort}/metrics`)
        const lines = (await metrics.text()).split('\n').filter((line) => line.includes(PATH) && /_count\{/.test(line))
        return lines.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0)
      }

      /** Somebody asks, and is told nothing as long as time stands still. */
      async function wait({ browser }: Person, slug: string, signal?: AbortSignal) {
        const at = `/projects/${slug}/listeners`
        const { id } = expect(201, await browser.post(at, { events: ['pet.created'] }))
        const path = `${at}/${id}/messages`
        const rows = house.shop.petstore.storage.read.selectFrom('webhook_endpoints').where('id', '=', id)
        const listeningUntil = async () =>
          (await rows.select('listening_until').executeTakeFirstOrThrow()).listening_until as number
        const before = await listeningUntil()
        house.clock.advance(1)
        const answer = browser.send(`${path}?wait=20`, signal && { signal })
        await until('the request is there', async () => (await listeningUntil()) > before)
        return { answer, path }
      }

      test('is waited for no longer once they have left', async () => {
        const { slug, owner } = await house.project()
        const leaving = new AbortController()
        const { answer } = await wait(owner, slug, leaving.signal)
        const before = await ended()
        leaving.abort()
        await assert.rejects(answer, { name: 'AbortError' })
        await until('the wait has ended', async () => (await ended()) === before + 1)
      })

      test('gets an empty list when they ask again', async () => {
        const { slug, owner } = await house.project()
        const { answer, path } = await wait(owner, slug)
        assert.deepEqual(expect(200, await owner.browser.get(path)), [])
        assert.deepEqual(expect(200, await answer), [])
      })

      test('is told nothing once they are no member any more', async () => {
        const { slug, owner } = await house.project()
        const mallory = await house.member(owner, slug, 'editor')
        const { answer } = await wait(mallory, slug)
        const members = expect(200, await owner.browser.get(`/projects/${slug}/members`))
        const { id } = members.find(({ email }: { email: string }) => email === mallory.email)
        expect(204, await owner.browser.delete(`/projects/${slug}/members/${id}`))
        const pet = { name: 'Secret', categoryId: 1 }
        expect(201, await owner.browser.post(`/projects/${slug}/environments/production/pets`, pet))
        let status: number | undefined
        void answer.then((given) => (status = given.status))
        await passing('the request is answered', () => status !== undefined)
        assert.equal(status, 404)
      })
    })

    test('what is no address of a server is refused, and a project has ten endpoints at most', async () => {
      const { slug, owner } = await house.project()
      const create = (url: string) => owner.browser.post(`/projects/${slug}/webhooks`, { url })
      for (const url of [
        'ftp://example.com/',
        'https://user:secret@example.com/',
        'example.com',
        'https://example.com/#x',
      ]) {
        expect(400, await create(url))
      }
      for (let count = 0; count < 10; count++) expect(201, await create(`https://example.com/${count}`))
      assert.match(expect(409, await create('https://example.com/')).message, /10 webhook endpoints/)
    })
  })
}
