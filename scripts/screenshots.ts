import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { launchBrowser } from '../test/harness/browser.ts'
import { haveAuthenticator } from '../test/browser/authenticator.ts'
import { openDashboard, PASSWORD, PHONE, WINDOW } from '../test/browser/dashboard.ts'
import { fillShop } from '../test/browser/filled-shop.ts'

/**
 * Makes the pictures of the guides: every main page, light and dark, and the domain's page as a phone shows it.
 * `node scripts/screenshots.ts [name …]` makes all of them, or those whose names begin so.
 */
const FOLDER = join(import.meta.dirname, '../docs/images')
const wanted = process.argv.slice(2)

type Shot = readonly [name: string, path: string, prepare?: (page: Page) => Promise<unknown>, part?: 'screen']

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
  ['reference', '/docs/animals/#createPet', (page) => page.locator('#createPet').waitFor(), 'screen'],
]

const PHONE_SHOTS = new Set([
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

await mkdir(FOLDER, { recursive: true })
// The ports that a reader's own service has.
await using dashboard = await openDashboard({
  PETSTORE_BASE_URL: 'http://localhost:4000/v1',
  PETSTORE_STAGING_URL: 'http://localhost:4001/v1',
  PETSTORE_HTTPS_PORT: '4443',
})
const browser = await launchBrowser()
try {
  await fillShop(browser, dashboard)
  for (const colorScheme of ['light', 'dark'] as const) {
    await using visit = await dashboard.visit(browser, { colorScheme })
    if (isWanted('sign-in')) {
      await using stranger = await dashboard.visit(browser, { colorScheme, signedOut: true })
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
} finally {
  await browser.close()
}

function isWanted(name: string): boolean {
  return wanted.length === 0 || wanted.some((start) => name.startsWith(start))
}

/** Everything loaded, nothing moving. */
async function settled(page: Page): Promise<void> {
  // The stream of changes stays open, so that the network is never idle.
  await page.waitForLoadState('load')
  await page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'hidden' })
}

/** The whole page, however long, unless a screen of it is enough. */
async function picture(page: Page, name: string, part?: 'screen'): Promise<void> {
  const height = part === 'screen' ? 0 : ((await page.evaluate('document.documentElement.scrollHeight')) as number)
  const { width } = page.viewportSize() ?? WINDOW
  await page.setViewportSize({ width, height: Math.max(height, width > 600 ? WINDOW.height : PHONE.height) })
  await page.screenshot({ path: join(FOLDER, `${name}.png`), animations: 'disabled' })
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
