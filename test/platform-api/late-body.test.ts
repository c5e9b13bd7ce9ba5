import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { tarBytes } from '../deploys/archive-bytes.ts'
import { expect, type House, openHouse, PASSWORD, type Person } from './house.ts'

/** A body may come a minute after its head, and an upload takes hours: whoever sent it is judged behind it, too. */
let house: House
before(async () => {
  house = await openHouse()
})
after(() => house?.[Symbol.asyncDispose]())

interface Held {
  method?: string
  headers?: Record<string, string>
  type?: string
}

/** Sends the head of a request and a byte of its body, and returns what sends the rest. */
async function hold(path: string, body: Buffer, { method = 'POST', headers = {}, type = 'application/json' }: Held) {
  const { baseUrl } = house.shop.config
  const sent = request({
    host: '127.0.0.1',
    port: baseUrl.port,
    path,
    method,
    headers: {
      Host: baseUrl.host,
      Origin: baseUrl.origin,
      'Content-Type': type,
      'Content-Length': String(body.length),
      ...headers,
    },
  })
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>
  sent.write(body.subarray(0, 1))
  // It has been let in when those that came behind it have their answers.
  for (let others = 0; others < 3; others++) expect(200, await house.operator.browser.get('/session'))
  return async () => {
    house.clock.advance(2000)
    sent.end(body.subarray(1))
    const [response] = await answered
    return { status: response.statusCode as number, text: await text(response) }
  }
}

const cookieOf = ({ browser }: Person) => ({ Cookie: [...browser.cookies].map((pair) => pair.join('=')).join('; ') })
const json = (value: unknown) => Buffer.from(JSON.stringify(value))

test('who is removed, suspended or signed out meanwhile changes nothing', async () => {
  const { slug, owner } = await house.project()
  const other = await house.member(owner, slug, 'editor')
  const members: { id: string; email: string }[] = expect(200, await owner.browser.get(`/projects/${slug}/members`))
  const { id } = members.find(({ email }) => email === other.email)!
  const at = `/platform/v1/projects/${slug}`
  const headers = cookieOf(other)
  const webhook = await hold(`${at}/webhooks`, json({ url: 'http://127.0.0.1:9/' }), { headers })
  const site = { type: 'application/x-tar', headers }
  const archive = await hold(`${at}/deploys/archive`, tarBytes([{ name: 'index.html', content: 'Late' }]), site)
  expect(204, await owner.browser.delete(`/projects/${slug}/members/${id}`))
  assert.deepEqual([(await webhook()).status, (await archive()).status], [404, 404])
  assert.deepEqual(expect(200, await owner.browser.get(`/projects/${slug}/webhooks`)), [])
  const deploys: { source: string }[] = expect(200, await owner.browser.get(`/projects/${slug}/deploys`))
  assert.deepEqual(new Set(deploys.map(({ source }) => source)), new Set(['starter']))

  const rename = await hold(at, json({ name: 'Late' }), { method: 'PATCH', headers: cookieOf(owner) })
  expect(200, await house.operator.browser.put(`/operator/projects/${slug}/suspension`, { reason: 'abuse' }))
  assert.equal((await rename()).status, 403)
})

test('a password that was changed meanwhile ends a change of address with the session', async () => {
  const { owner } = await house.project()
  const thief = house.browser()
  expect(200, await thief.post('/sign-in', { email: owner.email, password: PASSWORD }))
  const wish = json({ email: 'thief@example.com', currentPassword: PASSWORD })
  const headers = cookieOf({ email: '', browser: thief })
  const change = await hold('/platform/v1/account/email', wish, { headers })
  expect(200, await owner.browser.post('/password', { currentPassword: PASSWORD, newPassword: 'quite another one 7' }))
  assert.equal((await change()).status, 401)
})

test('a key that was revoked meanwhile adds nothing, and one that was not does', async () => {
  const { slug, owner } = await house.project()
  const made = async () =>
    expect(201, await owner.browser.post(`/projects/${slug}/keys`, { environment: 'production' }))
  const [gone, kept] = [await made(), await made()]
  const add = (key: string) => {
    const headers = { Authorization: `Bearer ${key}` }
    return hold('/v1/pets', json({ name: 'Late', categoryId: 1 }), { headers })
  }
  const [first, second] = [await add(gone.key), await add(kept.key)]
  expect(200, await owner.browser.delete(`/projects/${slug}/keys/${gone.id}`))
  assert.equal((await first()).status, 401)
  const added = await second()
  assert.equal(added.status, 201, added.text)
  const pets = expect(200, await owner.browser.get(`/projects/${slug}/environments/production/pets`))
  assert.equal(pets.length, 1)
})
