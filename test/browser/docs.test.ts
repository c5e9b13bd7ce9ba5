import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Key } from '../../client/src/platform/platform.ts'
import { mintKey } from '../../src/features/keys/format.ts'
import { COLOUR_RULES, LAY_OUT_ALL, violations } from '../harness/accessibility.ts'
import { shareBrowser, type SharedBrowser } from '../harness/browser.ts'
import { startTestPetstore, type TestPetstore } from '../harness/petstore.ts'
import { HUNG_AFTER_MS, until } from '../harness/until.ts'
import { Dashboard, PHONE, WINDOW } from './dashboard.ts'
import { linesOf } from './page-text.ts'
import { watch } from './watched-page.ts'

let shared: SharedBrowser
let shop: TestPetstore
let docs: string
before(async () => {
  shop = await startTestPetstore()
  docs = `${shop.config.baseUrl.origin}/docs`
  shared = await shareBrowser()
})
after(async () => {
  await shared?.[Symbol.asyncDispose]()
  await shop?.[Symbol.asyncDispose]()
})

const IS_AT_DELETE_PET = `Math.abs(document.getElementById('deletePet').getBoundingClientRect().top) < innerHeight / 2`

async function open(options: { javaScriptEnabled?: boolean; viewport?: typeof WINDOW } = {}) {
  const context = await shared.browser.newContext({ viewport: WINDOW, reducedMotion: 'reduce', ...options })
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
  await visit.page.evaluate(LAY_OUT_ALL)
  const ticks = (await linesOf(visit.page)).filter((line) => line.includes('`'))
  assert.deepEqual(ticks, [], 'what is code is drawn as code')
  await visit.page.locator('#createPet .response', { hasText: '400' }).locator('summary').click()
  const help = visit.page.locator('#createPet .response-body a[href$="/docs/errors/invalid_request"]')
  await help.waitFor()
  assert.equal(await help.count(), 1, 'an error of an operation leads to its page')
  assert.equal(await visit.page.getByRole('link', { name: 'Dashboard', exact: true }).getAttribute('href'), '/')
  await visit.page.getByRole('link', { name: 'Docs', exact: true }).click()
  await visit.page.getByRole('heading', { level: 1, name: 'Petstore documentation' }).waitFor()
  visit.assertQuiet()
})

test('the reference takes no wrong key, makes one for who is signed in, and has four languages', async () => {
  const dashboard = new Dashboard(shop, shared)
  await dashboard.becomeOwner()
  await using visit = await dashboard.visit()
  const { page } = visit
  await page.goto(`${docs}/animals/#listPets`)
  const operation = page.locator('#listPets')
  await operation.getByRole('tab', { name: 'Go' }).click()
  await operation.getByText('json.NewDecoder(response.Body)').waitFor()
  await operation.getByRole('tab', { name: 'Python' }).click()
  await operation.getByText('from urllib.request import').waitFor()

  await page.getByRole('button', { name: 'Add an API key' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('API key').fill('junk')
  await dialog.getByRole('button', { name: 'Use this key' }).click()
  await dialog.getByText('This is no key of Petstore').waitFor()
  await dialog.getByLabel('API key').fill(mintKey('production'))
  await dialog.getByRole('button', { name: 'Use this key' }).click()
  await dialog.getByText('Production does not take this key').waitFor()
  await dialog.getByText('Signed in as Ada Example').waitFor()
  assert.deepEqual(await violations(page, 'the dialog of the key', { within: 'dialog' }), [])
  await dialog.getByRole('button', { name: 'Make a test key' }).click()
  await dialog.waitFor({ state: 'hidden' })
  assert.equal(await page.getByRole('radio', { name: 'Staging' }).isChecked(), true)
  await operation.getByRole('button', { name: 'Send' }).click()
  await operation.locator('.answer').getByText('200', { exact: true }).waitFor()
  const keys: Key[] = await dashboard.api('/projects/petstore/keys?environment=staging')
  const key = keys.find(({ name }) => name === 'API reference')
  assert.ok(key?.expiresAt, 'it was made in the name of the reference')
  const lifeMs = Date.parse(key.expiresAt) - Date.parse(key.createdAt)
  assert.ok(lifeMs > 3_500_000 && lifeMs < 3_700_000, key.expiresAt)

  const panel = page.locator('#createPet .try-panel')
  await panel.getByLabel('Idempotency-Key').fill('zamówienie-Ω')
  await panel.getByRole('button', { name: 'Send' }).click()
  await page.getByText('has a character that headers cannot carry').waitFor()
  assert.equal(await panel.getByRole('button', { name: 'Send' }).isEnabled(), true)
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await page.goto(`${docs}/platform/#deletePet`)
  const environment = page.locator('#try-deletePet-path-environment')
  await environment.waitFor()
  assert.equal(await environment.inputValue(), 'production', 'what is shown is what is sent')
  assert.deepEqual(await environment.locator('option').allTextContents(), ['production', 'staging'])
  await until('the section of the address is shown', () => page.evaluate<boolean>(IS_AT_DELETE_PET))
  await page.setViewportSize(PHONE)
  const { x, width } = (await page.locator('#listPets .response').first().boundingBox())!
  assert.ok(x + width <= PHONE.width, 'answers are no wider than a phone')
  const answer = page.locator('#listPets .response > summary').first()
  await answer.scrollIntoViewIfNeeded()
  const beside = async () => {
    const { y, height } = (await answer.boundingBox())!
    return page.screenshot({ clip: { x: x - 4, y, width: 4, height } })
  }
  const without = await beside()
  await answer.focus()
  assert.ok(!without.equals(await beside()), 'what has the focus has its whole ring')
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
