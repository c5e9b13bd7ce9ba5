import { addUsage } from '../../src/features/keys/writes.ts'
import { publishOwnSite } from '../harness/own-site.ts'
import { until } from '../harness/until.ts'
import type { Dashboard } from './dashboard.ts'

const HOUR_MS = 3_600_000
const NAMES = [
  'Rex',
  'Mia',
  'Bella',
  'Charlie',
  'Luna',
  'Max',
  'Nala',
  'Oscar',
  'Coco',
  'Milo',
  'Daisy',
  'Rocky',
  'Lola',
  'Simba',
  'Ruby',
  'Toby',
  'Zoe',
  'Leo',
  'Maggie',
  'Bruno',
  'Kiwi',
  'Pepper',
  'Ginger',
  'Hazel',
  'Olive',
  'Biscuit',
  'Waffle',
  'Pumpkin',
]

/** A shop that has been in use for a while: animals, orders, requests, domains in every state. */
export async function fillShop(dashboard: Dashboard): Promise<void> {
  await dashboard.becomeOwner()
  await addAnimals(dashboard)
  await pretendRequests(dashboard)
  await dashboard.api('/projects', 'POST', { slug: 'corner-shop', name: 'Corner Pet Shop' })
  await dashboard.api('/projects/petstore/invitations', 'POST', { role: 'editor', email: 'grace@example.com' })
  await dashboard.api('/projects/petstore/keys', 'POST', { environment: 'production', name: 'Till at the front desk' })
  await dashboard.api('/projects/petstore/keys', 'POST', {
    environment: 'production',
    name: 'Price screen',
    scopes: ['read'],
    expiresAt: new Date(Date.now() + 90 * 24 * HOUR_MS).toISOString(),
  })
  await addDomains(dashboard)
}

async function addAnimals({ shop }: Dashboard): Promise<void> {
  for (const [at, name] of NAMES.entries()) {
    const status = at % 7 === 3 ? 'sold' : 'available'
    await shop.call('/pets', { method: 'POST', body: { name, categoryId: 1 + (at % 4), status } })
  }
  for (const name of ['Test dog', 'Test cat']) {
    await shop.call('/pets', { method: 'POST', environment: 'staging', body: { name, categoryId: 9 } })
  }
  for (const petId of [1, 2, 5, 6]) await shop.call('/store/orders', { method: 'POST', body: { petId } })
  await shop.call('/store/orders/2', { method: 'PATCH', body: { status: 'completed' } })
  await shop.call('/store/orders/3', { method: 'PATCH', body: { status: 'cancelled' } })
  await shop.call('/pets/1')
}

/** The hours before this one, as the counter would have left them. */
async function pretendRequests({ shop }: Dashboard): Promise<void> {
  const { storage } = shop.petstore
  const key = await storage.read
    .selectFrom('keys')
    .selectAll()
    .where('environment', '=', 'production')
    .executeTakeFirstOrThrow()
  const hour = Date.now() - (Date.now() % HOUR_MS)
  const of = { key_id: key.id, project_id: key.project_id, environment: key.environment }
  const rows = Array.from({ length: 30 * 24 }, (_, ago) => {
    const day = Math.sin(((24 - (ago % 24)) / 24) * Math.PI * 2 - 1.2)
    const calls = Math.round(420 + 300 * day + ((ago * 7919) % 97))
    const at = hour - (ago + 1) * HOUR_MS
    return [
      {
        ...of,
        operation: 'listPets',
        hour: at,
        calls,
        failures: ago % 11 === 4 ? Math.round(calls / 14) : ago % 3,
        last_at: at,
      },
      {
        ...of,
        operation: 'createPet',
        hour: at,
        calls: Math.round(calls / 9),
        failures: ago % 5 === 0 ? 2 : 0,
        last_at: at,
      },
    ]
  })
  await storage.write(addUsage, rows.flat())
}

async function addDomains(dashboard: Dashboard): Promise<void> {
  const at = '/projects/petstore/domains'
  await publishOwnSite(dashboard.shop.petstore)
  const live = await dashboard.api(at, 'POST', { hostname: 'www.example.test' })
  const { type, name, value } = live.record.record
  await dashboard.api('/sandbox/zones/example.test/records', 'POST', { type, name, value })
  await dashboard.api(`${at}/www.example.test/verify`, 'POST')
  await dashboard.api(at, 'POST', { hostname: 'example.test' })
  await dashboard.api(at, 'POST', { hostname: 'shop.my-shop.test' })
  await dashboard.api('/sandbox/zones/my-shop.test/records', 'POST', { type: 'A', name: 'shop', value: '203.0.113.10' })
  await dashboard.api('/sandbox/zones/my-shop.test/records', 'POST', {
    type: 'CAA',
    name: '@',
    value: '0 issue "other-ca.example"',
  })
  await dashboard.api(`${at}/shop.my-shop.test/verify`, 'POST')
  const former = await dashboard.api(at, 'POST', { hostname: 'old.example.test' })
  await dashboard.api('/sandbox/zones/example.test/records', 'POST', {
    type: 'CNAME',
    name: 'old',
    value: former.record.record.value,
  })
  await dashboard.api(`${at}/old.example.test`, 'DELETE')
  await until('the domain is live', async () => (await dashboard.api(`${at}/www.example.test`)).state === 'live')
  await until('the shop is checked', async () => (await dashboard.api(`${at}/shop.my-shop.test`)).lastCheck !== null)
}
