import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestPetstore } from '../harness/petstore.ts'
import { Browser } from './browser.ts'
import { expect, openHouse, PASSWORD, tokenOf } from './house.ts'

test('from the owner link to a project with members, of whom a viewer is refused', async () => {
  await using shop = await startTestPetstore()
  const link = shop.petstore.ownerLink as string
  assert.match(link, new RegExp(`^${shop.config.baseUrl.origin}/join#[\\w-]{43}$`))

  const owner = new Browser(shop)
  assert.deepEqual(expect(200, await owner.get('/session')), { account: null, signup: 'invite', mail: false })
  const promise = expect(200, await owner.post('/links/inspect', { token: tokenOf(link) }))
  assert.deepEqual(
    { ...promise, expiresAt: '' },
    {
      kind: 'invitation',
      project: { slug: 'petstore', name: 'My pet shop' },
      role: 'owner',
      operator: true,
      email: null,
      expiresAt: '',
    },
  )
  const body = { token: tokenOf(link), email: ' Owner@Example.com ', name: 'Olga', password: PASSWORD }
  const { account } = expect(201, await owner.post('/sign-up', body))
  assert.deepEqual([account.email, account.name, account.operator], ['owner@example.com', 'Olga', true])
  assert.deepEqual(expect(200, await owner.get('/session')).account, account)
  const stored = shop.petstore.storage.read.selectFrom('accounts').select('password_hash')
  assert.match((await stored.executeTakeFirstOrThrow()).password_hash as string, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
  assert.equal((await new Browser(shop).post('/sign-up', { ...body, email: 'second@example.com' })).status, 410)

  const [first, ...others] = expect(200, await owner.get('/projects'))
  assert.deepEqual([first.slug, first.role, first.plan, others], ['petstore', 'owner', 'pro', []])
  const created = expect(201, await owner.post('/projects', { slug: 'Kennel', name: 'The Kennel' }))
  assert.deepEqual(
    { ...created, createdAt: '' },
    {
      slug: 'kennel',
      name: 'The Kennel',
      plan: 'free',
      requireSecondFactor: false,
      suspension: null,
      createdAt: '',
      role: 'owner',
      url: `http://kennel.localhost:${shop.config.baseUrl.port}/`,
    },
  )

  const invitation = { role: 'viewer', email: 'vera@example.com' }
  const invited = expect(201, await owner.post('/projects/kennel/invitations', invitation))
  const viewer = new Browser(shop)
  expect(201, await viewer.post('/sign-up', { ...body, token: tokenOf(invited.link), email: 'vera@example.com' }))

  const pets = '/projects/kennel/environments/production/pets'
  expect(201, await owner.post(pets, { name: 'Rex', categoryId: 1 }))
  assert.equal(expect(200, await viewer.get(pets)).length, 1)
  const refused = expect(403, await viewer.post(pets, { name: 'Max', categoryId: 1 }))
  assert.deepEqual(Object.keys(refused), ['code', 'message', 'status'])
  assert.match(refused.message, /role editor.*viewer/)
  expect(404, await viewer.get('/projects/petstore'))
})

test('the owner link is printed on the first start only', async () => {
  await using house = await openHouse()
  const { dataDirectory } = house.shop.config
  await using again = await startTestPetstore({ dataDirectory, keys: house.shop.keys })
  assert.equal(again.petstore.ownerLink, undefined)
  assert.equal(again.petstore.firstKeys, undefined)
})

test('the owner link has one winner among many who open it at once', async () => {
  await using shop = await startTestPetstore()
  const token = tokenOf(shop.petstore.ownerLink as string)
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, index) => {
      const body = { token, email: `racer-${index}@example.com`, name: 'Racer', password: PASSWORD }
      return new Browser(shop).post('/sign-up', body)
    }),
  )
  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 410, 410, 410, 410, 410])
  const { accounts } = await shop.petstore.storage.read
    .selectFrom('accounts')
    .select((eb) => eb.fn.countAll<number>().as('accounts'))
    .executeTakeFirstOrThrow()
  assert.equal(accounts, 1)
})
