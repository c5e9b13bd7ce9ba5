import assert from 'node:assert/strict'
import { type IncomingMessage, request as httpRequest } from 'node:http'
import { after, before, describe, test } from 'node:test'
import { openPostgres, type PostgresDatabases } from '../harness/postgres.ts'
import { until } from '../harness/until.ts'
import { expect, type House, openHouse, type Person } from './house.ts'

for (const engine of ['sqlite', 'postgres'] as const) {
  describe(`what pages are told, on ${engine}`, () => {
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

    const passing = (what: string, holds: () => boolean | Promise<boolean>) =>
      until(what, () => {
        house.clock.advance(500)
        return holds()
      })

    test('what somebody changes is told to the others by its noun, and to nobody else', async () => {
      const { slug, owner } = await house.project()
      const viewer = await house.member(owner, slug, 'viewer')
      const other = await house.project()
      await using theirs = await watch(house, viewer, slug)
      await using elsewhere = await watch(house, other.owner, other.slug)
      expect(201, await owner.browser.post(`/projects/${slug}/keys`, { environment: 'staging', name: 'Till' }))
      await passing('it is told', () => theirs.nouns().includes('key'))
      expect(
        201,
        await owner.browser.post(`/projects/${slug}/environments/staging/pets`, { name: 'Rex', categoryId: 1 }),
      )
      await passing('the animal is told', () => theirs.nouns().includes('pet'))
      assert.ok(!elsewhere.nouns().includes('key') && !elsewhere.nouns().includes('pet'))
    })

    test('what programs change is told within a second, as a page needs it', async () => {
      const { slug, owner } = await house.project()
      const other = await house.project()
      const { key } = expect(201, await owner.browser.post(`/projects/${slug}/keys`, { environment: 'staging' }))
      await using stream = await watch(house, owner, slug)
      await using elsewhere = await watch(house, other.owner, other.slug)
      const headers = { Authorization: `Bearer ${key}` }
      const call = (path: string, method: string, body: unknown) =>
        house.shop.call(path, { method, body, headers, environment: 'staging' })
      const added = await call('/pets', 'POST', { name: 'Rex', categoryId: 1 })
      const pet = (await added.json()) as { id: number }
      await until('the new animal is told', () => stream.nouns().includes('pet'))
      const told = stream.nouns().length
      assert.equal((await call(`/pets/${pet.id}`, 'PATCH', { name: 'Max' })).status, 200)
      await until('its new name is told', () => stream.nouns().slice(told).includes('pet'))
      assert.equal((await call('/store/orders', 'POST', { petId: pet.id })).status, 201)
      await until('the order is told', () => stream.nouns().includes('order'))
      assert.deepEqual(elsewhere.nouns(), [])
    })

    test('whoever signs out, or is no member any more, hears nothing more', async () => {
      const { slug, owner } = await house.project()
      const [leaver, removed] = [await house.member(owner, slug, 'viewer'), await house.member(owner, slug, 'viewer')]
      await using first = await watch(house, leaver, slug)
      await using second = await watch(house, removed, slug)
      expect(204, await leaver.browser.post('/sign-out'))
      await passing('the first is closed', () => first.isClosed())
      const members = expect(200, await owner.browser.get(`/projects/${slug}/members`))
      const { id } = members.find(({ email }: { email: string }) => email === removed.email)
      expect(204, await owner.browser.send(`/projects/${slug}/members/${id}`, { method: 'DELETE' }))
      await passing('the second is closed', () => second.isClosed())
      expect(404, await removed.browser.get(`/projects/${slug}/events`))
    })

    test('one person has twenty at most, and HEAD opens none', async () => {
      const { slug, owner } = await house.project()
      const head = await owner.browser.send(`/projects/${slug}/events`, { method: 'HEAD' })
      assert.equal(head.status, 200)
      await using opened = new AsyncDisposableStack()
      for (let count = 0; count < 20; count++) opened.use(await watch(house, owner, slug))
      expect(409, await owner.browser.get(`/projects/${slug}/events`))
    })
  })
}

test('a stop ends every stream at once', async () => {
  const house = await openHouse()
  const stream = await watch(house, house.operator, 'petstore')
  await house[Symbol.asyncDispose]()
  await until('it is closed', () => stream.isClosed())
})

interface Stream extends AsyncDisposable {
  nouns(): string[]
  isClosed(): boolean
}

/** As a browser does it. */
async function watch({ shop }: House, { browser }: Person, slug: string): Promise<Stream> {
  const Cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ')
  const { baseUrl } = shop.config
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const path = `/platform/v1/projects/${slug}/events`
    const request = httpRequest(
      { host: '127.0.0.1', port: baseUrl.port, path, headers: { Host: baseUrl.host, Cookie } },
      resolve,
    )
    request.on('error', reject)
    request.end()
  })
  assert.equal(response.statusCode, 200)
  assert.equal(response.headers['content-type'], 'text/event-stream')
  assert.equal(response.headers['cache-control'], 'no-store')
  let text = ''
  let isClosed = false
  response.setEncoding('utf8').on('data', (part: string) => (text += part))
  response.on('close', () => (isClosed = true))
  response.on('error', () => {})
  await until('it has begun', () => text !== '')
  return {
    nouns: () => [...text.matchAll(/^data: (.*)$/gm)].flatMap(([, nouns = '']) => nouns.split(' ')),
    isClosed: () => isClosed,
    async [Symbol.asyncDispose]() {
      response.destroy()
    },
  }
}
