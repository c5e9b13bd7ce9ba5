import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { expect, type House, openHouse, PASSWORD, tokenOf } from './house.ts'

const EVIL = { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' }
const FORM_TYPES = ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']

let house: House
before(async () => {
  house = await openHouse()
})
after(() => house?.[Symbol.asyncDispose]())

describe('a write that does not come from the dashboard', () => {
  const headers: Record<string, Record<string, string | undefined>> = {
    'a form of another site': { ...EVIL, 'Content-Type': 'application/x-www-form-urlencoded' },
    'a script of another site': EVIL,
    'the site of a project': { Origin: 'http://kennel.localhost', 'Sec-Fetch-Site': 'same-site' },
    'a sandboxed frame': { Origin: 'null', 'Sec-Fetch-Site': 'cross-site' },
    'somebody who does not say where from': { Origin: undefined, 'Sec-Fetch-Site': undefined },
    'the staging address': { Origin: 'http://localhost:1', 'Sec-Fetch-Site': 'same-site' },
  }
  for (const [who, sent] of Object.entries(headers)) {
    test(`from ${who} is refused, signed in or not`, async () => {
      const { browser } = await house.person()
      const visit = { method: 'POST', body: { slug: 'planted' }, headers: sent }
      expect(403, await browser.send('/projects', visit))
      expect(403, await house.browser().send('/sign-in', { ...visit, body: { email: 'a@example.com', password: 'x' } }))
      assert.deepEqual(expect(200, await browser.get('/projects')), [])
    })
  }

  for (const type of [...FORM_TYPES, 'application/jsonp', '', undefined]) {
    test(`as ${type ?? 'no type at all'} is refused even from the right origin`, async () => {
      const { browser } = await house.person()
      const visit = { method: 'POST', body: JSON.stringify({ slug: 'planted' }), headers: { 'Content-Type': type } }
      expect(415, await browser.send('/projects', visit))
      assert.deepEqual(expect(200, await browser.get('/projects')), [])
    })
  }

  test('nothing here is for other origins to read', async () => {
    const { browser } = await house.person()
    const answer = await browser.send('/projects', { headers: { Origin: 'https://evil.example' } })
    assert.equal(answer.headers['access-control-allow-origin'], undefined)
    assert.equal(answer.headers['cross-origin-resource-policy'], 'same-origin')
    assert.equal(answer.headers['cache-control'], 'no-store')
    expect(405, await browser.send('/projects', { method: 'OPTIONS', headers: EVIL }))
  })
})

describe('credentials', () => {
  test('an API key opens nothing on the dashboard, and a session nothing on /v1', async () => {
    const { shop, operator } = house
    const withKey = { headers: { Authorization: `Bearer ${shop.keys.production}` } }
    expect(401, await house.browser().send('/projects/petstore', withKey))
    const cookie = [...operator.browser.cookies].map((pair) => pair.join('=')).join('; ')
    const answer = await fetch(`http://127.0.0.1:${shop.config.baseUrl.port}/v1/pets`, { headers: { Cookie: cookie } })
    assert.equal(answer.status, 401)
  })

  test('cookies are HttpOnly, SameSite=Lax, for the whole host and no other', async () => {
    const { email } = await house.person()
    const { headers } = await house.browser().post('/sign-in', { email, password: PASSWORD })
    const lines = headers['set-cookie'] as string[]
    assert.equal(lines.length, 2)
    const attributes = /^petstore_(?:session|device)=[\w.-]+; Path=\/; HttpOnly; SameSite=Lax; Max-Age=\d+$/
    for (const line of lines) assert.match(line, attributes)
  })

  test('the dashboard API does not exist at the staging address', async () => {
    const { config } = house.shop
    const answer = await fetch(`http://127.0.0.1:${config.stagingUrl.port}/platform/v1/session`)
    assert.equal(answer.status, 404)
  })
})

describe('fields that nobody asked for are ignored', () => {
  const extra = '"operator":true,"role":"owner","plan":"enterprise","project_id":1,"projectId":1,"id":1,"verified":true'
  const junk = `${extra},"__proto__":{"operator":true},"constructor":{"prototype":{"operator":true}}`

  test('at sign-up', async () => {
    const { link } = expect(201, await house.operator.browser.post('/operator/invitations'))
    const browser = house.browser()
    const body = `{${junk},"token":"${tokenOf(link)}","email":"eve@example.com","name":"Eve","password":"${PASSWORD}"}`
    const { account } = expect(201, await browser.send('/sign-up', { method: 'POST', body }))
    assert.equal(account.operator, false)
    assert.notEqual(account.id, 1)
    expect(403, await browser.get('/operator/accounts'))
    assert.deepEqual(expect(200, await browser.get('/projects')), [])
  })

  test('in the own account, a project, an invitation and a key', async () => {
    const { slug, owner } = await house.project()
    const send = (path: string, method: string, fields: string) =>
      owner.browser.send(path, { method, body: `{${junk},${fields}}` })
    expect(200, await send('/account', 'PATCH', '"name":"Eve"'))
    expect(403, await owner.browser.get('/operator/accounts'))
    assert.equal(expect(201, await send('/projects', 'POST', `"slug":"${slug}-more"`)).plan, 'free')
    assert.equal(expect(200, await send(`/projects/${slug}`, 'PATCH', '"name":"Renamed"')).plan, 'free')
    const { link } = expect(
      201,
      await owner.browser.send(`/projects/${slug}/invitations`, {
        method: 'POST',
        body: `{${junk.replace('"role":"owner"', '"kind":"password"')},"role":"viewer"}`,
      }),
    )
    const promise = expect(200, await house.browser().post('/links/inspect', { token: tokenOf(link) }))
    const { kind, role, operator } = promise
    assert.deepEqual([kind, role, operator, promise.project.slug], ['invitation', 'viewer', false, slug])
    const key = expect(201, await send(`/projects/${slug}/keys`, 'POST', '"environment":"staging","scopes":["read"]'))
    assert.deepEqual([key.environment, key.scopes], ['staging', ['read']])
    expect(404, await owner.browser.get(`/projects/petstore/keys`))
  })
})

test('no answer holds a hash, a token or a password', async () => {
  const { slug, owner } = await house.project()
  expect(201, await owner.browser.post(`/projects/${slug}/keys`, { environment: 'production' }))
  expect(201, await owner.browser.post(`/projects/${slug}/invitations`, { role: 'viewer' }))
  let texts = ''
  for (const { method, path } of house.shop.petstore.dashboardRoutes) {
    if (method !== 'GET') continue
    const filled = path.replace('{project}', slug).replace('{environment}', 'production').replace('{petId}', '1')
    const { browser } = path.startsWith('/operator') ? house.operator : owner
    texts += (await browser.get(filled)).text
  }
  const { read } = house.shop.petstore.storage
  const secrets = [
    ...(await read.selectFrom('accounts').select('password_hash as secret').execute()),
    ...(await read.selectFrom('sessions').select('token_hash as secret').execute()),
    ...(await read.selectFrom('one_time_links').select('token_hash as secret').execute()),
    ...(await read.selectFrom('keys').select('hash as secret').execute()),
    ...(await read.selectFrom('settings').select('value as secret').execute()),
  ]
  assert.ok(texts.length > 1000 && secrets.length > 5)
  for (const { secret } of secrets) assert.ok(!texts.includes(secret as string), secret as string)
  for (const cookie of owner.browser.cookies.values()) assert.ok(!texts.includes(cookie))
})

test('requests that are no use to anybody get the same three fields as everywhere', async () => {
  const { browser } = await house.person()
  const answers = {
    404: await browser.get('/nothing/here'),
    405: await browser.send('/projects', { method: 'DELETE' }),
    400: await browser.send('/projects', { method: 'POST', body: '{"slug":' }),
    413: await browser.post('/projects', { slug: 'x'.repeat(70_000) }),
  }
  for (const [status, answer] of Object.entries(answers)) {
    assert.deepEqual(Object.keys(expect(Number(status), answer)), ['code', 'message', 'status'])
    assert.equal(answer.headers['content-type'], 'application/json')
    assert.ok(answer.headers['x-request-id'])
  }
  assert.equal(answers[405].headers.allow, 'GET, POST, HEAD')
})

test('a name turns nothing around that stands beside it; the marks of a language may be in it', async () => {
  const { slug, owner } = await house.project()
  const renamed = (name: string) => owner.browser.patch(`/projects/${slug}`, { name })
  for (const turning of ['\u202a', '\u202e', '\u2066', '\u2069']) {
    const { message } = expect(400, await renamed(`Bank${turning}moc`))
    assert.match(message, /name must be 1 to 100 characters long, without control characters/)
    const named = { email: 'eve@example.com', name: `Eve${turning}`, password: PASSWORD, token: 'x' }
    assert.match(expect(400, await house.browser().post('/sign-up', named)).message, /name must be 1 to 100/)
  }
  for (const name of ['\u200fחנות\u200e 24', '👩‍👩‍👧 Zoë']) assert.equal(expect(200, await renamed(name)).name, name)
})
