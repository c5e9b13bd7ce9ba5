import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { startTestPetstore } from '../harness/petstore.ts'
import { Browser } from './browser.ts'
import { join, PASSWORD, signUpOwner, tokenOf } from './people.ts'

test('from the owner link to a project with members', async () => {
  await using shop = await startTestPetstore()
  const link = shop.petstore.ownerLink as string
  assert.match(link, new RegExp(`^${shop.config.baseUrl.origin}/dashboard/join#[\\w-]{43}$`))

  const visitor = new Browser(shop)
  assert.deepEqual((await visitor.get('/session')).json, { account: null, signup: 'invite' })
  const promise = await visitor.post('/links/inspect', { token: tokenOf(link) })
  assert.deepEqual({ ...promise.json, expiresAt: '' }, {
    kind: 'invitation', project: { slug: 'petstore', name: 'Petstore' }, role: 'owner', operator: true, email: null, expiresAt: '',
  })

  const owner = await signUpOwner(shop)
  const { account } = (await owner.get('/session')).json
  assert.equal(account.email, 'owner@example.com')
  assert.equal(account.operator, true)
  assert.deepEqual((await owner.get('/projects')).json.map((project: { slug: string; role: string }) => [project.slug, project.role]), [
    ['petstore', 'owner'],
  ])

  const created = await owner.post('/projects', { slug: 'Kennel', name: 'The Kennel' })
  assert.equal(created.status, 201)
  assert.deepEqual({ ...created.json, createdAt: '' }, {
    slug: 'kennel', name: 'The Kennel', plan: 'free', createdAt: '', role: 'owner',
    url: `http://kennel.localhost:${shop.config.baseUrl.port}/`,
  })

  const editor = await join(shop, owner, 'editor', 'kennel')
  const viewer = await join(shop, owner, 'viewer', 'kennel')
  const pets = '/projects/kennel/environments/production/pets'
  const added = await editor.post(pets, { name: 'Rex', categoryId: 1 })
  assert.equal(added.status, 201)
  assert.equal((await viewer.get(pets)).json.length, 1)
  const refused = await viewer.post(pets, { name: 'Max', categoryId: 1 })
  assert.deepEqual([refused.status, refused.json.code], [403, 'forbidden'])
  assert.match(refused.json.message, /editor.*viewer/)
  assert.equal((await viewer.get('/projects/petstore')).status, 404)
})
