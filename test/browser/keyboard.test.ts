import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { violationsInBothSchemes } from '../harness/accessibility.ts'
import { publishOwnSite } from '../harness/own-site.ts'
import { type Dashboard, openOwnersDashboard } from './dashboard.ts'
import { open } from './every-page.ts'
import { arrowTo, shows, tabTo } from './steps.ts'

let dashboard: Dashboard
before(async () => {
  dashboard = await openOwnersDashboard()
})
after(() => dashboard?.[Symbol.asyncDispose]())

test('a domain is added, verified, kept to HTTPS and removed by the keyboard alone', async () => {
  await using visit = await dashboard.visitAgain()
  const { page } = visit
  await publishOwnSite(dashboard.shop.petstore)
  await page.goto(`${dashboard.origin}/projects/petstore`)
  await press(page, 'Domains')
  await page.locator('h1:focus', { hasText: 'Domains' }).waitFor()
  await press(page, 'Add domain')
  await page.getByRole('dialog').locator('input:focus').waitFor()
  await page.keyboard.type('www.example.test')
  await page.keyboard.press('Enter')
  await page.locator('h1:focus', { hasText: /www\.example\.test.*awaiting DNS/ }).waitFor()

  await press(page, 'Open at the sandbox registrar')
  await page.getByRole('heading', { level: 1, name: 'Sandbox registrar' }).waitFor()
  await press(page, 'Add record')
  await page.getByRole('cell', { name: /^[0-9a-f]{20,}\.localhost$/ }).waitFor()
  await page.goBack()
  await press(page, 'Verify')
  await page.getByRole('heading', { level: 1, name: /live/ }).waitFor()

  await press(page, 'Switch on…')
  const dialog = page.getByRole('dialog')
  await dialog.locator('input[type=radio]:focus').waitFor()
  await page.keyboard.press('ArrowDown')
  await tabTo(page, 'www.example.test works over HTTPS')
  await page.keyboard.press('Space')
  await press(page, 'Save')
  await dialog.waitFor({ state: 'hidden' })
  await page.locator(':focus', { hasText: 'Change…' }).waitFor()
  await shows(page.getByRole('region', { name: 'HTTPS only (HSTS)' }), /on.*1 day/)

  await page.keyboard.press('Shift+Tab')
  await tabTo(page, 'Certificate')
  for (const name of ['Instances', 'Evidence']) {
    await page.keyboard.press('ArrowRight')
    await page.getByRole('tab', { name, selected: true }).waitFor()
  }
  await press(page, 'Check what is served')
  await page.getByText('As it should be').waitFor()
  await page.reload()
  await page.getByRole('heading', { level: 1, name: /live/ }).waitFor()
  await press(page, 'Menu of www.example.test')
  await page.getByRole('menuitem', { name: 'Re-verify' }).waitFor()
  await arrowTo(page, 'Remove')
  await page.keyboard.press('Enter')
  await dialog.locator(':focus').waitFor()
  await press(page, 'Remove')
  await page.locator('.is-removed:focus', { hasText: 'www.example.test' }).waitFor()
  await shows(page.locator('.is-removed'), /DNS still points here/)
  visit.assertQuiet()
})

test('a key is created and revoked, and somebody invited, by the keyboard alone', async () => {
  await using visit = await dashboard.visitAgain('/projects/petstore/production/keys')
  const { page } = visit
  const dialog = page.getByRole('dialog')
  await press(page, 'Create key')
  await dialog.locator('input:focus').waitFor()
  await page.keyboard.type('Scanner')
  await page.keyboard.press('Enter')
  await dialog.getByText('This key is shown this once').waitFor()
  await press(page, 'I have stored it')
  await page.locator('button:focus', { hasText: 'Create key' }).waitFor()
  await press(page, 'Actions for Scanner')
  await page.getByRole('menuitem', { name: 'Revoke…' }).waitFor()
  await arrowTo(page, 'Revoke…')
  await page.keyboard.press('Enter')
  await dialog.locator(':focus').waitFor()
  await press(page, 'Revoke key')
  await page.getByText('“Scanner” is revoked').waitFor()
  // Its row is gone, and its menu with it.
  await page.locator('h1:focus').waitFor()

  await open(page, '/projects/petstore/settings/members')
  await press(page, 'Invite')
  await dialog.locator('input:focus').waitFor()
  await page.keyboard.type('grace@example.com')
  await page.keyboard.press('Enter')
  await dialog.locator('.minted code').waitFor()
  await press(page, 'Done')
  await shows(page.getByRole('region', { name: 'Open invitations' }), /grace@example\.com.*editor/)
  assert.equal(await dialog.count(), 0)
  visit.assertQuiet()
})

test('animals are found, chosen, changed, edited and opened by the keyboard alone', async () => {
  const ids: number[] = []
  for (const name of ['Keys 1', 'Keys 2', 'Keys 3']) {
    const added = await dashboard.shop.call('/pets', { method: 'POST', body: { name, categoryId: 1 } })
    ids.push(((await added.json()) as { id: number }).id)
  }
  await using visit = await dashboard.visitAgain('/projects/petstore/production/animals')
  const { page } = visit
  await page.getByRole('cell', { name: 'Keys 1', exact: true }).waitFor()
  await page.keyboard.press('/')
  await page.keyboard.type('keys')
  await shows(page.locator('.list-count'), /3 animals found in production/)
  await tabTo(page, 'Select Keys 1')
  await page.keyboard.press('Space')
  await shows(page.locator('.bulk-bar'), /1 animal selected/)
  await tabTo(page, 'Delete…')
  for (let back = 0; back < 2; back++) await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: /Mark as sold/ }).waitFor()
  await arrowTo(page, 'Mark as sold (1)')
  await page.keyboard.press('Enter')
  // It stays while the pointer is on it, however long a busy machine takes from tab stop to tab stop.
  await page.getByText('Keys 1 is sold now.').hover()
  await press(page, 'Undo')
  await page.getByText('Taken back.').waitFor()
  await shows(page.getByRole('row', { name: /Keys 1/ }), /available/)

  await page.locator('h1').focus()
  await press(page, 'Edit Keys 2')
  await page.locator('input:focus').waitFor()
  await page.keyboard.press('Control+A')
  await page.keyboard.type('Keys two')
  await page.keyboard.press('Enter')
  await page.locator('[aria-label="Edit Keys two"]:focus').waitFor()
  await page.locator('h1').focus()
  await press(page, 'Keys 3')
  const drawer = page.getByRole('dialog', { name: 'Keys 3' })
  await drawer.waitFor()
  await page.keyboard.press('Escape')
  await drawer.waitFor({ state: 'hidden' })
  visit.assertQuiet()
})

test('the palette leads to pages, animals and actions, and letters do what the help sheet says', async () => {
  await using visit = await dashboard.visitAgain('/projects/petstore')
  const { page } = visit
  const added = await dashboard.shop.call('/pets', { method: 'POST', body: { name: 'Ordered', categoryId: 1 } })
  const { id: petId } = (await added.json()) as { id: number }
  await dashboard.shop.call('/store/orders', { method: 'POST', body: { petId } })
  const palette = page.getByRole('dialog', { name: 'Search and commands' })
  const find = async (text: string, entry: RegExp) => {
    await page.keyboard.press('Control+k')
    await page.keyboard.type(text)
    await palette.locator('[data-combobox-selected]', { hasText: entry }).waitFor()
  }
  await find('order', /^Orders/)
  assert.deepEqual(await violationsInBothSchemes(page, 'the palette', { within: '[role=dialog]' }), [])
  const field = Promise.withResolvers<void>()
  await page.route('**/animal-select-*.js', (route) => field.promise.then(() => route.continue()))
  await page.keyboard.press('Enter')
  await page.waitForURL('**/production/orders')
  await palette.waitFor({ state: 'detached' })
  await page.getByRole('cell', { name: 'Ordered' }).waitFor()
  // What is typed before the field has come is for the field, and switches nothing.
  await page.keyboard.press('/')
  await page.keyboard.type('e n')
  field.resolve()
  const animal = page.getByRole('combobox', { name: 'Animal' })
  await animal.and(page.locator(':focus')).waitFor()
  await page.keyboard.type('e')
  assert.equal(await animal.inputValue(), 'e ne')
  assert.match(page.url(), /production\/orders$/)
  // What was typed before it had the focus is for the palette, also where a field had it.
  await pressAtOnce(page, { key: 'k', ctrlKey: true }, { key: 'k' })
  await page.keyboard.type('eys 3')
  await palette.locator('[data-combobox-selected]', { hasText: /Keys 3.*available in production/ }).waitFor()
  await page.keyboard.press('Enter')
  const drawer = page.getByRole('dialog', { name: 'Keys 3' })
  await drawer.waitFor()
  await page.keyboard.press('Escape')
  await drawer.waitFor({ state: 'hidden' })
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await find('create key', /Create a key for production/)
  // It moves while it closes, and what was typed is still there.
  await pressAtOnce(page, { key: 'Escape' }, { key: 'k', ctrlKey: true })
  await page.keyboard.type('create key')
  await palette.locator('[data-combobox-selected]', { hasText: /Create a key for production/ }).waitFor()
  await page.keyboard.press('Escape')
  await palette.waitFor({ state: 'detached' })
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await find('create key', /Create a key for production/)
  await page.keyboard.press('Enter')
  await page.getByRole('dialog', { name: /key/i }).locator('input:focus').waitFor()
  await page.keyboard.press('Escape')
  await page.waitForURL('**/production/keys')
  await page.getByRole('dialog').waitFor({ state: 'detached' })

  await page.keyboard.press('?')
  const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' })
  await shows(help, /Anywhere.*Ctrl.*In lists.*Go to.*Animals/)
  assert.deepEqual(await violationsInBothSchemes(page, 'the help sheet', { within: '[role=dialog]' }), [])
  await help.getByRole('button', { name: 'Close' }).focus()
  await page.keyboard.press('Space')
  await help.waitFor({ state: 'detached' })
  await page.keyboard.press('g')
  await page.keyboard.press('a')
  await page.waitForURL('**/production/animals')
  await page.getByRole('cell', { name: 'Keys 3', exact: true }).waitFor()
  const asked = Promise.withResolvers<void>()
  const loading = Promise.withResolvers<void>()
  await page.route('**/pet-form-*.js', async (route) => {
    asked.resolve()
    await loading.promise
    await route.continue()
  })
  await page.keyboard.press('n')
  await asked.promise
  // They were meant for the dialog: nothing is done by them in its place.
  await page.keyboard.type('ego')
  loading.resolve()
  await page.getByRole('dialog').locator('input:focus').waitFor()
  assert.match(page.url(), /production\/animals/)
  // In a field letters are letters.
  await page.keyboard.type('ge?')
  assert.equal(await page.getByRole('dialog').getByLabel('Name').inputValue(), 'ge?')
  visit.assertQuiet()
})

/** As somebody in a hurry does, or with a page that is busy: what a key leads to is not done when the next is seen. */
const pressAtOnce = (page: Page, ...keys: { key: string; ctrlKey?: true }[]) =>
  page.evaluate(`(async () => {
    for (const key of ${JSON.stringify(keys)}) {
      document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { bubbles: true, ...key }))
      await undefined
    }
  })()`)

async function press(page: Page, name: string): Promise<void> {
  await tabTo(page, name)
  await page.keyboard.press('Enter')
}
