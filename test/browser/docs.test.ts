import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { violations, COLOUR_RULES } from '../harness/accessibility.ts'
import { launchBrowser } from '../harness/browser.ts'
import { startTestPetstore, type TestPetstore } from '../harness/petstore.ts'
import { HUNG_AFTER_MS } from '../harness/until.ts'
import { PHONE, WINDOW } from './dashboard.ts'
import { watch } from './watched-page.ts'

let browser: Browser
let shop: TestPetstore
let docs: string
before(async () => {
  shop = await startTestPetstore()
  docs = `${shop.config.baseUrl.origin}/docs`
  browser = await launchBrowser()
})
after(async () => {
  await browser?.close()
  await shop?.[Symbol.asyncDispose]()
})

async function open(options: { javaScriptEnabled?: boolean; viewport?: typeof WINDOW } = {}) {
  const context = await browser.newContext({ viewport: WINDOW, reducedMotion: 'reduce', ...options })
  context.setDefaultTimeout(HUNG_AFTER_MS)
  const page = await context.newPage()
  const watched = watch(page, shop.config.baseUrl.origin)
  return { page, ...watched, [Symbol.asyncDispose]: () => context.close() }
}

test('pages are found by keyboard alone, and have nothing that axe objects to, in light and dark', async () => {
  await using visit = await open()
  const { page } = visit
  await page.goto(`${docs}/`)
  assert.deepEqual(await violations(page, 'the first page'), [])
  await page.keyboard.press('/')
  const dialog = page.getByRole('dialog', { name: 'Search' })
  await dialog.getByRole('combobox').fill('precondition')
  await dialog.getByRole('option').first().waitFor()
  assert.deepEqual(await violations(page, 'the search', { within: 'dialog' }), [])
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await page.waitForURL('**/docs/errors/precondition_failed*')
  await page.getByRole('heading', { level: 1, name: 'precondition_failed' }).waitFor()
  assert.deepEqual(await violations(page, 'the page of an error'), [])
  await page.emulateMedia({ colorScheme: 'dark' })
  const paper = await page.evaluate('getComputedStyle(document.body).backgroundColor')
  assert.equal(paper, 'rgb(14, 18, 17)', 'dark by preference')
  assert.deepEqual(await violations(page, 'the page of an error in dark', { rules: COLOUR_RULES }), [])
  visit.assertQuiet()
})

test('a section of the reference is found at its address from before, and its errors lead to their pages', async () => {
  await using visit = await open()
  await visit.page.goto(`${docs}/#createPet`)
  await visit.page.waitForURL('**/docs/animals/#createPet')
  await visit.page.locator('#createPet').waitFor()
  const help = visit.page.locator('#createPet .response-body a[href$="/docs/errors/invalid_request"]')
  assert.equal(await help.count(), 1, 'an error of an operation leads to its page')
  await visit.page.getByRole('link', { name: 'Docs', exact: true }).click()
  await visit.page.getByRole('heading', { level: 1, name: 'Petstore documentation' }).waitFor()
  visit.assertQuiet()
})

test('on a phone nothing is wider than the screen, with a script or without one', async () => {
  for (const javaScriptEnabled of [true, false]) {
    await using visit = await open({ javaScriptEnabled, viewport: PHONE })
    const { page } = visit
    await page.goto(`${docs}/custom-domains`)
    const contents = page.getByRole('navigation', { name: 'Documentation' })
    if (javaScriptEnabled) {
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), PHONE.width)
      await page.getByRole('button', { name: 'Contents' }).click()
    }
    await contents.getByRole('link', { name: 'Quick start' }).click()
    await page.getByRole('heading', { level: 1, name: 'Quick start' }).waitFor()
    visit.assertQuiet()
  }
})
