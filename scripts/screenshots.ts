import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { Page } from 'playwright-core'
import { MINUTE_MS } from '../src/platform/clock.ts'
import { defineWrite } from '../src/platform/storage/storage.ts'
import { haveAuthenticator } from '../test/browser/authenticator.ts'
import { openDashboard, PASSWORD, PHONE, WINDOW } from '../test/browser/dashboard.ts'
import { publishOwnSite } from '../test/harness/own-site.ts'
import { until } from '../test/harness/until.ts'
import { startReceiver } from '../test/harness/webhook-receiver.ts'
import { fillShop } from '../test/browser/filled-shop.ts'
import { picturesOfEveryState } from './every-state.ts'

/**
 * Makes the pictures of the guides: every main page, light and dark, and the domain's page as a phone shows it.
 * `node scripts/screenshots.ts [name …]` makes all of them, or those whose names begin so.
 * `node scripts/screenshots.ts --every-state FOLDER [part of a name …]`: see `every-state.ts`.
 */
const FOLDER = join(import.meta.dirname, '../docs/images')
const { values: options, positionals: wanted } = parseArgs({
  allowPositionals: true,
  options: { 'every-state': { type: 'string' } },
})
const everyState = options['every-state']

type Shot = readonly [name: string, path: string, prepare?: (page: Page) => Promise<unknown>, part?: 'screen']

const DOMAINS = '/projects/petstore/settings/domains'

const SHOTS: readonly Shot[] = [
  ['overview', '/projects/petstore'],
  ['animals', '/projects/petstore/production/animals'],
  ['animals-staging', '/projects/petstore/staging/animals'],
  ['orders', '/projects/petstore/production/orders'],
  ['keys', '/projects/petstore/production/keys'],
  ['deploys', '/projects/petstore/deploys'],
  ['domains', '/projects/petstore/settings/domains', (page) => checkDns(page)],
  ['domain-live', '/projects/petstore/settings/domains/www.example.test', (page) => checkServed(page)],
  ['domain-record', '/projects/petstore/settings/domains/example.test'],
  ['domain-problems', '/projects/petstore/settings/domains/shop.my-shop.test', (page) => showEvidence(page)],
  ['sandbox', '/sandbox/example.test'],
  ['members', '/projects/petstore/settings/members'],
  ['tokens', '/projects/petstore/settings/tokens'],
  ['webhooks', '/projects/petstore/webhooks'],
  ['webhook', '/projects/petstore/webhooks', (page) => openEndpoint(page)],
  ['plan', '/projects/petstore/settings/plan'],
  ['audit', '/projects/petstore/settings/audit'],
  ['general', '/projects/petstore/settings'],
  ['projects', '/projects'],
  ['sessions', '/account/sessions'],
  ['security', '/account/security', (page) => havePasskey(page)],
  ['operator', '/operator'],
  ['overview-new', '/projects/corner-shop'],
  ['domains-free', '/projects/corner-shop/settings/domains'],
  ['domain-proof', '/projects/petstore/settings/domains/my-shop.test', (page) => needProof(page)],
  ['docs', '/docs/quick-start', (page) => page.locator('.search-button').waitFor(), 'screen'],
  ['domain-connect', `${DOMAINS}/cats.example.test`, (page) => canConnect(page)],
  ['domain-consent', `${DOMAINS}/cats.example.test`, (page) => consent(page)],
  ['domain-prepare', `${DOMAINS}/lizards.example.test`, (page) => prepare(page)],
  ['domain-ready', `${DOMAINS}/birds.example.test`, (page) => compareWithToday(page)],
  ['domain-switching', `${DOMAINS}/hens.example.test`, (page) => lag(page)],
  ['domain-moving', `${DOMAINS}/dogs.example.test`, (page) => move(page, 'dogs', 3600)],
  ['domain-moved', `${DOMAINS}/fish.example.test`, (page) => move(page, 'fish', 1)],
  ['reference', '/docs/animals/#createPet', (page) => page.locator('#createPet').waitFor(), 'screen'],
]

const PHONE_SHOTS = new Set([
  'domain-connect',
  'domain-consent',
  'domain-prepare',
  'domain-ready',
  'domain-switching',
  'domain-moving',
  'domain-moved',
  'docs',
  'overview',
  'animals',
  'domains',
  'domain-live',
  'domain-problems',
  'domain-record',
  'domain-proof',
  'keys',
])

/** A page waits for two after the last cache has forgotten. */
const passThreeMinutes = defineWrite('pictures.passThreeMinutes', (db) =>
  db
    .updateTable('domain_moves')
    .set((eb) => ({ old_until: eb('old_until', '-', 3 * MINUTE_MS) }))
    .execute(),
)

await mkdir(FOLDER, { recursive: true })
// The ports that a reader's own service has.
await using dashboard = await openDashboard({
  PETSTORE_BASE_URL: 'http://localhost:4000/v1',
  PETSTORE_STAGING_URL: 'http://localhost:4001/v1',
  PETSTORE_HTTPS_PORT: '4443',
})
await fillShop(dashboard)
await using receiver = await startReceiver()
await tellOthers()
if (everyState !== undefined) await picturesOfEveryState(dashboard, resolve(everyState), wanted)
for (const colorScheme of everyState === undefined ? (['light', 'dark'] as const) : []) {
  await using visit = await dashboard.visit({ colorScheme })
  if (isWanted('sign-in')) {
    await using stranger = await dashboard.visit({ colorScheme, signedOut: true })
    await stranger.page.goto(`${dashboard.origin}/sign-in`)
    await settled(stranger.page)
    await picture(stranger.page, `sign-in-${colorScheme}`)
  }
  for (const [name, path, prepare, part] of SHOTS.filter(([each]) => isWanted(each))) {
    await visit.page.setViewportSize(WINDOW)
    await visit.page.goto(dashboard.origin + path)
    await settled(visit.page)
    await prepare?.(visit.page)
    await picture(visit.page, `${name}-${colorScheme}`, part)
    if (colorScheme === 'light' && PHONE_SHOTS.has(name)) {
      await visit.page.setViewportSize(PHONE)
      await settled(visit.page)
      await picture(visit.page, `${name}-phone`)
    }
  }
}

function isWanted(name: string): boolean {
  return wanted.length === 0 || wanted.some((start) => name.startsWith(start))
}

/** Everything loaded, nothing moving. */
async function settled(page: Page): Promise<void> {
  // The stream of changes stays open, so that the network is never idle.
  await page.waitForLoadState('load')
  await page.locator('h1').first().waitFor()
  await page.locator('.waiting-bar').first().waitFor({ state: 'hidden' })
}

/** The whole page, however long, unless a screen of it is enough. */
async function picture(page: Page, name: string, part?: 'screen'): Promise<void> {
  // What was done for the picture may have led to more that loads.
  await page.locator('.waiting-bar').first().waitFor({ state: 'hidden' })
  const height = part === 'screen' ? 0 : ((await page.evaluate('document.documentElement.scrollHeight')) as number)
  const { width } = page.viewportSize() ?? WINDOW
  await page.setViewportSize({ width, height: Math.max(height, width > 600 ? WINDOW.height : PHONE.height) })
  await page.screenshot({ path: join(FOLDER, `${name}.png`), animations: 'disabled' })
}

/** A pipeline and a server that hear of what happens. */
async function tellOthers(): Promise<void> {
  const token = { name: 'GitHub Actions', scopes: ['deploys:write'], expiresInDays: 90 }
  await dashboard.api('/projects/petstore/tokens', 'POST', token)
  const endpoint = { url: receiver.url, name: 'Stock list', events: ['pet.created', 'order.created'] }
  const { id } = await dashboard.api('/projects/petstore/webhooks', 'POST', endpoint)
  await dashboard.api(`/projects/petstore/webhooks/${id}/test`, 'POST')
  await dashboard.shop.call('/pets', { method: 'POST', body: { name: 'Clover', categoryId: 2 } })
  await until('both have come', () => receiver.received.length === 2)
}

async function openEndpoint(page: Page): Promise<void> {
  await page.getByRole('link', { name: 'Stock list' }).click()
  await page.getByRole('row', { name: /pet\.created/ }).waitFor()
}

async function checkServed(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Evidence' }).click()
  await page.getByRole('button', { name: 'Check what is served' }).click()
  await page.getByText('As it should be').waitFor()
}

async function checkDns(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Check DNS: old.example.test' }).click()
  await page.getByText('DNS still points here').waitFor()
}

/** An apex that led here before it was added. */
async function needProof(page: Page): Promise<void> {
  const domains = (await dashboard.api('/projects/petstore/domains')) as { domains: { hostname: string }[] }
  if (!domains.domains.some(({ hostname }) => hostname === 'my-shop.test')) {
    await dashboard.api('/sandbox/zones/my-shop.test/records', 'POST', { type: 'A', name: '@', value: '127.0.0.1' })
    await dashboard.api('/projects/petstore/domains', 'POST', { hostname: 'my-shop.test' })
  }
  await page.reload()
  await page.getByText('_petstore', { exact: true }).waitFor()
}

async function addOnce(hostname: string): Promise<{ value: string } | undefined> {
  if (await isAttached(hostname)) return undefined
  return (await dashboard.api('/projects/petstore/domains', 'POST', { hostname })).record.record
}

async function isAttached(hostname: string): Promise<boolean> {
  const { domains } = (await dashboard.api('/projects/petstore/domains')) as { domains: { hostname: string }[] }
  return domains.some((known) => known.hostname === hostname)
}

function prepareDomain(hostname: string) {
  return dashboard.api('/projects/petstore/prepared-domains', 'POST', { hostname })
}

async function prepare(page: Page): Promise<void> {
  if (!(await isAttached('lizards.example.test'))) {
    await createRecord('A', 'lizards', '203.0.113.10', 3600)
    await prepareDomain('lizards.example.test')
  }
  await page.reload()
  await page.getByText('_acme-challenge.lizards', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Prepare at Sandbox registrar' }).waitFor()
}

async function createRecord(
  type: string,
  name: string,
  value: string,
  ttl: number,
  onlyOn?: string,
): Promise<{ id: string }> {
  const record = { type, name, value, ttl, ...(onlyOn && { onlyOn }) }
  return dashboard.api('/sandbox/zones/example.test/records', 'POST', record)
}

async function canConnect(page: Page): Promise<void> {
  await addOnce('cats.example.test')
  await page.reload()
  await page.getByRole('button', { name: 'Connect at Sandbox registrar' }).waitFor()
}

async function consent(page: Page): Promise<void> {
  await canConnect(page)
  await page.getByRole('button', { name: 'Connect at Sandbox registrar' }).click()
  await page.getByRole('heading', { name: /^Petstore wants to connect/ }).waitFor()
}

/** The old host is another project of the same installation: nothing else can be reached from a sandbox. */
async function compareWithToday(page: Page): Promise<void> {
  const hostname = 'birds.example.test'
  const projects = (await dashboard.api('/projects')) as { slug: string }[]
  if (!projects.some(({ slug }) => slug === 'old-host')) {
    await dashboard.api('/projects', 'POST', { slug: 'old-host', name: 'Old host' })
    await dashboard.api('/operator/projects/old-host/plan', 'PUT', { plan: 'pro' })
    await publishOwnSite(dashboard.shop.petstore, 'old-host')
    const { record } = await dashboard.api('/projects/old-host/domains', 'POST', { hostname })
    await createRecord('CNAME', 'birds', record.record.value, 3600)
    await dashboard.api(`/projects/old-host/domains/${hostname}/verify`, 'POST')
    const state = async () => (await dashboard.api(`/projects/old-host/domains/${hostname}`)).state
    await until('it is live at the old host', async () => (await state()) === 'live')
  }
  if (!(await isAttached(hostname))) {
    await makeReady(hostname)
  }
  await page.reload()
  await page.getByRole('button', { name: 'Compare with today' }).click()
  await page.getByLabel('What to do first').waitFor()
}

async function makeReady(hostname: string): Promise<{ value: string }> {
  const { record } = await prepareDomain(hostname)
  for (const { type, name, value } of [record.proof, record.challenge]) await createRecord(type, name, value, 3600)
  await dashboard.api(`/projects/petstore/domains/${hostname}/verify`, 'POST')
  const state = async () => (await dashboard.api(`/projects/petstore/domains/${hostname}`)).state
  await until('it is ready to switch', async () => (await state()) === 'ready')
  return record.record
}

/** One of the two nameservers has the change. */
async function lag(page: Page): Promise<void> {
  const hostname = 'hens.example.test'
  if (!(await isAttached(hostname))) {
    const { id } = await createRecord('A', 'hens', '203.0.113.10', 3600)
    const { value } = await makeReady(hostname)
    await createRecord('CNAME', 'hens', value, 3600, 'ns1.registrar.test')
    await createRecord('A', 'hens', '203.0.113.10', 3600, 'ns2.registrar.test')
    await dashboard.api(`/sandbox/zones/example.test/records/${id}`, 'DELETE')
    await dashboard.api(`/projects/petstore/domains/${hostname}/verify`, 'POST')
  }
  await page.reload()
  await page.getByRole('heading', { name: /^Switching/ }).waitFor()
  await page.getByRole('button', { name: 'Ask nameservers and resolvers' }).click()
  await page.getByText('Sandbox resolver').waitFor()
}

async function move(page: Page, label: string, ttl: number): Promise<void> {
  const hostname = `${label}.example.test`
  const { id } = await createRecord('A', label, '203.0.113.10', ttl)
  const record = await addOnce(hostname)
  await dashboard.api(`/sandbox/zones/example.test/records/${id}`, 'DELETE')
  if (record) {
    await createRecord('CNAME', label, record.value, 3600)
    await dashboard.api(`/projects/petstore/domains/${hostname}/verify`, 'POST')
  }
  const at = `/projects/petstore/domains/${hostname}`
  await until('it is live', async () => (await dashboard.api(at)).state === 'live')
  if (ttl < 10) await dashboard.shop.petstore.storage.write(passThreeMinutes, undefined)
  await page.reload()
  await page.getByRole('button', { name: 'Ask nameservers and resolvers' }).click()
  await page.getByText('Sandbox resolver').waitFor()
}

async function havePasskey(page: Page): Promise<void> {
  if (await page.getByRole('row', { name: /Ada’s laptop/ }).isVisible()) return
  await haveAuthenticator(page)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Your password').fill(PASSWORD)
  await dialog.getByLabel('Name').fill('Ada’s laptop')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByRole('button', { name: 'I have stored them' }).click()
  await dialog.waitFor({ state: 'hidden' })
  await page.reload()
  await page.getByRole('row', { name: /Ada’s laptop/ }).waitFor()
}

async function showEvidence(page: Page): Promise<void> {
  await page.getByRole('tab', { name: 'Evidence' }).click()
  await page.getByRole('button', { name: 'Evidence' }).first().click()
  await page.getByLabel('Questions and answers').waitFor()
}
