import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/platform/clock.ts'
import type { ShareView } from '../../src/platform-api/views/share.ts'
import { until } from '../harness/until.ts'
import { expect, type House, openHouse, type Person } from './house.ts'

const AUDIT_DAYS = 30
let house: House
before(async () => {
  house = await openHouse({ environment: { PETSTORE_AUDIT_DAYS: String(AUDIT_DAYS) } })
})
after(() => house?.[Symbol.asyncDispose]())

test('changes have a share for each project: whoever uses it up is told so, and nobody else notices', async () => {
  const [eve, ada] = [await house.project(), await house.project()]
  const rename = ({ slug, owner }: typeof eve, name: string) => owner.browser.patch(`/projects/${slug}`, { name })
  const inTurns = Array.from({ length: 7 }, async (_, worker) => {
    const answers: Awaited<ReturnType<typeof rename>>[] = []
    for (let change = 0; change < 43; change++) answers.push(await rename(eve, `Shop ${worker} ${change}`))
    return answers
  })
  const answers = (await Promise.all(inTurns)).flat()
  assert.equal(answers.filter(({ status }) => status === 200).length, 300)
  const refused = answers.filter(({ status }) => status !== 200)
  for (const { json, headers } of refused) {
    assert.equal(json.code, 'rate_limited')
    assert.match(json.message, /^Changes: this project has used its share, 300 in one go and 120 a minute\./)
    assert.equal(headers['retry-after'], '1')
  }
  const shares: ShareView[] = expect(200, await eve.owner.browser.get(`/projects/${eve.slug}/shares`))
  assert.deepEqual(
    shares.find(({ share }) => share === 'changes'),
    {
      share: 'changes',
      used: 300,
      limit: 300,
      perMinute: 120,
    },
  )
  expect(200, await rename(ada, 'Kennel'))
  const deploy = await eve.owner.browser.post(`/projects/${eve.slug}/deploys`, { files: [] })
  assert.match(expect(429, deploy).message, /^Changes: /, 'a deploy is a change as well')
  await house.travel(MINUTE_MS, eve.owner)
  expect(200, await rename(eve, 'After a minute'))
})

test('what people change of their own has a share for each account, and leaves them what ends a session', async () => {
  const [eve, ada] = [await house.person(), await house.person()]
  const rename = ({ browser }: typeof eve) => browser.patch('/account', { name: 'Eve' })
  for (let change = 0; change < 300; change++) expect(200, await rename(eve))
  assert.match(expect(429, await rename(eve)).message, /^Changes: this account has used its share/)
  expect(200, await rename(ada))
  expect(200, await eve.browser.post('/sessions/end-others'))
  expect(204, await eve.browser.post('/sign-out'))
})

test('slow uploads fill the places of their own project, as its shares show, and of no other', async () => {
  const [eve, ada] = [await house.project(), await house.project()]
  const content = Buffer.from('<h1>Kennel</h1>')
  const blob = `blobs/${createHash('sha256').update(content).digest('hex')}`
  const dribbles = Array.from({ length: 12 }, (_, index) =>
    index % 2 === 0 ? begin(eve, 'PUT', blob) : begin(eve, 'POST', 'deploys'),
  )
  await until('all of them are under way', async () => (await uploads(eve))?.used === 12)
  assert.deepEqual(await uploads(eve), { share: 'uploads', used: 12, limit: 12, perMinute: null })
  const send = ({ slug, owner }: typeof eve) =>
    owner.browser.send(`/projects/${slug}/${blob}`, { method: 'PUT', body: content.toString() })
  assert.match(expect(429, await send(eve)).message, /^12 uploads of this project fill its share/)
  expect(204, await send(ada))
  for (const socket of dribbles) socket.destroy()
  await until('their places are free', async () => (await uploads(eve))?.used === 0)
  expect(204, await send(eve))
})

test('uploads of one account to several projects fill its share, and leave alone what others send', async () => {
  const [eve, ada] = [await house.person(), await house.project()]
  const slugs = ['eve-one', 'eve-two']
  for (const slug of slugs) expect(201, await eve.browser.post('/projects', { slug }))
  const [one, two] = slugs.map((slug) => ({ slug, owner: eve })) as [typeof ada, typeof ada]
  const file = `blobs/${'ab'.repeat(32)}`
  const parked = [one, one, two].map((project) => begin(project, 'PUT', file, 25_000_000))
  const answerTo = async ({ slug, owner }: typeof ada): Promise<string> =>
    (await owner.browser.send(`/projects/${slug}/${file}`, { method: 'PUT', body: 'x' })).json.message
  const underWay = async () => [(await uploads(one))?.used, (await uploads(two))?.used]
  // Nothing else is sent meanwhile: with it the last of them would be one too many.
  await until('all of them are under way', async () => String(await underWay()) === '2,1')
  assert.match(await answerTo(two), /^3 uploads of this account fill its share/)
  assert.match(await answerTo(ada), /its SHA-256 differs/, 'it was read')
  for (const socket of parked) socket.destroy()
})

async function uploads({ slug, owner }: { slug: string; owner: Person }): Promise<ShareView | undefined> {
  const shares: ShareView[] = expect(200, await owner.browser.get(`/projects/${slug}/shares`))
  return shares.find(({ share }) => share === 'uploads')
}

/** Announces some bytes and sends the first. */
function begin(
  { slug, owner: { browser } }: { slug: string; owner: Person },
  method: string,
  path: string,
  bytes = 1000,
): Socket {
  const { baseUrl } = house.shop.config
  const cookie = [...browser.cookies].map((pair) => pair.join('=')).join('; ')
  const socket = connect(Number(baseUrl.port), '127.0.0.1').on('error', () => {})
  socket.write(
    `${method} /platform/v1/projects/${slug}/${path} HTTP/1.1\r\nHost: ${baseUrl.host}\r\n` +
      `Origin: ${baseUrl.origin}\r\nCookie: ${cookie}\r\nContent-Length: ${bytes}\r\n\r\n{`,
  )
  return socket
}

test('the shares of a project say what is used of what', async () => {
  const { slug, owner } = await house.project()
  expect(201, await owner.browser.post(`/projects/${slug}/keys`, { environment: 'staging' }))
  const shares: ShareView[] = expect(200, await owner.browser.get(`/projects/${slug}/shares`))
  const said = Object.fromEntries(shares.map(({ share, used, limit }) => [share, [used, limit]]))
  const [stored, ...storage] = said.storage as number[]
  assert.ok(stored! >= 0 && stored! < 1_000_000, 'the starter site is small')
  assert.deepEqual(
    { ...said, storage },
    {
      storage: [1_000_000_000],
      animals: [0, 1_000_000],
      orders: [0, 1_000_000],
      uploads: [0, 12],
      keys: [1, 100],
      webhooks: [0, 10],
      domains: [0, 100],
      changes: [1, 300],
      verify: [0, 30],
      dnsQuestions: [0, 6000],
      liveChecks: [0, 30],
    },
  )
})

test('the audit log is kept for its time, and the service takes older entries away by itself', async () => {
  const { slug, owner } = await house.project()
  const { storage } = house.shop.petstore
  const oldest = async () =>
    (await storage.read.selectFrom('audit_entries').select('at').orderBy('id').executeTakeFirstOrThrow()).at
  expect(200, await owner.browser.patch(`/projects/${slug}`, { name: 'Old' }))
  const first = await oldest()
  await house.travel(AUDIT_DAYS * DAY_MS - HOUR_MS, owner)
  expect(200, await owner.browser.patch(`/projects/${slug}`, { name: 'New' }))
  const later = house.clock.now()
  assert.equal(await oldest(), first)
  await until('the sweep has come by', async () => {
    house.clock.advance(HOUR_MS)
    return (await oldest()) >= later
  })
  assert.equal(await oldest(), later, 'and nothing that is younger')
})
