import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { fingerprintOf } from '../../dashboard/src/features/pets/import/fingerprint.ts'
import { partAfter } from '../../dashboard/src/features/pets/import/parts-of-file.ts'
import { columnsByName, readFile } from '../../dashboard/src/features/pets/import/read-file.ts'
import { until } from '../harness/until.ts'
import { type Dashboard, openOwnersDashboard } from './dashboard.ts'
import { open } from './every-page.ts'
import { choose, shows } from './steps.ts'

/** Two people at one project, two tabs of one browser, two accounts of one person. */
let dashboard: Dashboard

/** Who has the turn to import, and who waits for it. */
const IMPORT_TURNS = `navigator.locks.query().then((locks) =>
  ['held', 'pending'].filter((state) => locks[state].some(({ name }) => name === 'petstore import')))`

/** In the field that has the focus, before anything is drawn. */
const ENTER_TWICE = `for (let times = 0; times < 2; times++) {
  document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))
}`

/** As of a Japanese keyboard, whose words are chosen with Enter and thrown away with Escape; secondly, of Safari. */
const WHILE_COMPOSING = `for (const key of ['Enter', 'Escape']) {
  for (const how of [{ isComposing: true }, { keyCode: 229 }]) {
    document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, ...how }))
  }
}`

before(async () => {
  dashboard = await openOwnersDashboard()
})
after(() => dashboard?.[Symbol.asyncDispose]())

test('a row that is edited sends what was typed alone, and takes no more than that back', async () => {
  const added = await dashboard.shop.call('/pets', { method: 'POST', body: { name: 'Rex', categoryId: 1 } })
  const { id } = (await added.json()) as { id: number }
  const pets = '/projects/petstore/environments/production/pets'
  const somebodyElse = (categoryId: number) => dashboard.api(`${pets}/${id}`, 'PATCH', { categoryId })
  const stored = async () => {
    const [{ name, categoryId }] = await dashboard.api(`${pets}?id=${id}`)
    return [name, categoryId]
  }
  await using visit = await dashboard.visitAgain('/projects/petstore/production/animals')
  const { page } = visit
  await page.getByRole('button', { name: 'Edit Rex' }).click()
  await page.getByRole('row').getByLabel('Name').fill('Rexy')
  await page.evaluate(WHILE_COMPOSING)
  assert.equal(await page.getByRole('row').getByLabel('Name').inputValue(), 'Rexy')
  await somebodyElse(7)
  await page.keyboard.press('Enter')
  await page.getByText('Rexy has been changed.').waitFor()
  assert.deepEqual(await stored(), ['Rexy', 7])
  await somebodyElse(9)
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Taken back.').waitFor()
  assert.deepEqual(await stored(), ['Rex', 9])

  // The answer to one row leaves alone what is being typed into the next, and Enter twice saves once.
  await dashboard.api(pets, 'POST', { name: 'Luna', categoryId: 1 })
  await page.getByRole('button', { name: 'Edit Luna' }).waitFor()
  const late = Promise.withResolvers<void>()
  let saved = 0
  await page.route('**/pets/*', async (route) => {
    saved++
    await late.promise
    await route.continue()
  })
  await page.getByRole('button', { name: 'Edit Rex' }).click()
  await page.getByRole('row').getByLabel('Name').fill('Rexo')
  await page.evaluate(ENTER_TWICE)
  await page.getByRole('button', { name: 'Edit Luna' }).click()
  await page.getByRole('row').getByLabel('Name').fill('Luna the second')
  late.resolve()
  await page.getByText('Rexo has been changed.').waitFor()
  assert.equal(await page.evaluate('document.activeElement.value'), 'Luna the second')
  assert.equal(saved, 1)
  visit.assertQuiet()
})

test('an endpoint that is changed keeps what others have changed of it since, also when it is taken back', async () => {
  const webhooks = '/projects/petstore/webhooks'
  const moved = 'http://127.0.0.1:9/moved'
  const other = 'http://127.0.0.1:9/other'
  const { id } = await dashboard.api(webhooks, 'POST', { url: 'http://127.0.0.1:9/old', events: ['key.created'] })
  const somebodyElse = (url: string) => dashboard.api(`${webhooks}/${id}`, 'PATCH', { url })
  const stored = async () => {
    const [{ name, url }] = await dashboard.api(webhooks)
    return [name, url]
  }
  await using visit = await dashboard.visitAgain(`${webhooks}/${id}`)
  const { page } = visit
  const dialog = page.getByRole('dialog', { name: 'Change the endpoint' })
  const change = page.getByRole('button', { name: 'Change…' })
  await change.click()
  await dialog.getByLabel('Name').fill('Stock list')
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await somebodyElse(moved)
  await page.getByRole('heading', { name: moved, level: 1 }).waitFor()
  await change.click()
  assert.equal(await dialog.getByLabel('URL').inputValue(), moved)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The endpoint has been changed.').waitFor()
  assert.deepEqual(await stored(), ['Stock list', moved])
  await somebodyElse(other)
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Taken back.').waitFor()
  assert.deepEqual(await stored(), ['', other])

  // Fields of a page that nobody has typed into follow, and those that are typed into stay.
  await open(page, '/projects/petstore/settings')
  const name = page.getByLabel('Name of the project')
  await page.getByLabel('Slug').fill('not-saved')
  await dashboard.api('/projects/petstore', 'PATCH', { name: 'Renamed elsewhere' })
  await page.getByRole('button', { name: 'Renamed elsewhere' }).waitFor()
  assert.equal(await name.inputValue(), 'Renamed elsewhere')
  assert.equal(await page.getByLabel('Slug').inputValue(), 'not-saved')
  // Nor does the answer take away what was typed after it was sent.
  const late = Promise.withResolvers<void>()
  await page.route('**/v1/projects/petstore', async (route) => {
    await late.promise
    await route.continue()
  })
  await name.fill('Saved')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await name.fill('Saved, and more')
  late.resolve()
  await page.getByText('The name has been changed.').waitFor()
  assert.equal(await name.inputValue(), 'Saved, and more')
  await dashboard.api('/projects/petstore', 'PATCH', { name: 'My pet shop' })
  visit.assertQuiet()
})

test('a session that ended is asked about also where the page says itself what was not changed', async () => {
  await dashboard.shop.call('/pets', { method: 'POST', body: { name: 'Nala', categoryId: 1 } })
  await using visit = await dashboard.visit()
  const { page } = visit
  await page.goto(`${dashboard.origin}/projects/petstore/production/animals`)
  await page.getByRole('button', { name: 'Edit Nala' }).click()
  await page.getByRole('row').getByLabel('Name').fill('Nalani')
  await page.context().clearCookies()
  await page.keyboard.press('Enter')
  await page.getByText('The animal was not changed').waitFor()
  await page.getByRole('dialog', { name: 'Your session has ended' }).waitFor()
})

test('an import runs in one tab, which stops it for all, and is taken up where that tab is closed', async () => {
  await using visit = await dashboard.visit()
  const first = visit.page
  const rows = Array.from({ length: 2400 }, (_, at) => `Import ${at},4242`)
  const csv = { name: 'litter.csv', mimeType: 'text/csv', buffer: Buffer.from(`name,categoryId\n${rows.join('\n')}\n`) }
  const parts = { first: 0, others: 0 }
  let isHeld = true
  await first.context().route('**/imports/*', async (route) => {
    if (route.request().method() !== 'POST') return route.continue()
    parts[route.request().frame().page() === first ? 'first' : 'others']++
    await until('parts are let through', () => !isHeld || route.request().frame().page().isClosed())
    await route.continue().catch(() => {})
  })
  const begin = async () => {
    await first.goto(`${dashboard.origin}/projects/petstore/staging/animals?do=import`)
    const dialog = first.getByRole('dialog')
    await dialog.getByLabel('File of animals', { exact: true }).setInputFiles(csv)
    await dialog.getByRole('button', { name: 'Import 2,400 animals' }).click()
    await first.getByRole('complementary', { name: 'Import' }).waitFor()
  }
  const openOther = async () => {
    const other = await first.context().newPage()
    await other.goto(`${dashboard.origin}/projects/petstore/settings`)
    await other.locator('#main h1').waitFor()
    await until('the other tab waits', async () => (await turns(other)).includes('pending'))
    return other
  }
  const turns = (page: Page) => page.evaluate<('held' | 'pending')[]>(IMPORT_TURNS)
  await begin()
  const other = await openOther()
  await first.getByRole('button', { name: 'Stop' }).click()
  await first.getByText('The import of litter.csv was stopped').waitFor()
  isHeld = false
  await until('the other tab has had its turn', async () => (await turns(other)).length === 0)
  assert.equal(parts.others, 0)

  // Of a file that somebody has begun already, only what is added now is told.
  const read = readFile('csv', String(csv.buffer))
  const sha256 = await fingerprintOf(new Blob([csv.buffer]), 'csv', columnsByName(read))
  const begun = partAfter(read, columnsByName(read), 0)
  await dashboard.api(`/projects/petstore/environments/staging/imports/${sha256}`, 'POST', begun)
  isHeld = true
  await begin()
  const heir = await openOther()
  await first.close({ runBeforeUnload: false })
  isHeld = false
  await heir.getByText('1,400 animals of litter.csv added to staging.').waitFor()
})

test('who becomes a viewer keeps their keys until it is known whether they have any', async () => {
  const { link } = await dashboard.api('/projects/petstore/invitations', 'POST', { role: 'editor' })
  await using guest = await dashboard.visit({ signedOut: true })
  await guest.page.goto(link)
  await guest.page.getByLabel('Your name').fill('Eve Example')
  await guest.page.getByLabel('E-mail address').fill('eve@example.com')
  await guest.page.getByLabel('Password', { exact: true }).fill('a much longer one')
  await guest.page.getByRole('button', { name: 'Create account' }).click()
  await guest.page.waitForURL('**/projects/petstore')
  await open(guest.page, '/projects/petstore/production/keys?do=create')
  await guest.page.getByRole('dialog').getByLabel('Name').fill('Till')
  await guest.page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click()
  await guest.page.locator('.minted').waitFor()

  await using visit = await dashboard.visit()
  const { page } = visit
  const late = Promise.withResolvers<void>()
  await page.route('**/projects/petstore/keys', async (route) => {
    await late.promise
    await route.continue()
  })
  await page.goto(`${dashboard.origin}/projects/petstore/settings/members`)
  await choose(page, page, 'Role of Eve Example', 'Viewer')
  const dialog = page.getByRole('dialog', { name: 'Make Eve Example a viewer?' })
  const make = dialog.getByRole('button', { name: 'Make viewer' })
  await make.waitFor()
  assert.equal(await make.isDisabled(), true)
  late.resolve()
  await shows(dialog, /What becomes of the keys and tokens of Eve Example\?.*“Till”/)
  assert.equal(await make.isDisabled(), false)
  await dialog.getByRole('button', { name: 'Cancel' }).click()

  await page
    .getByRole('row', { name: /Eve Example/ })
    .getByRole('button', { name: 'Remove' })
    .click()
  await shows(page.getByRole('dialog'), /What becomes of the keys and tokens of Eve Example\?.*“Till”/)
  visit.assertQuiet()
})

test('an invitation is taken by another account, and the whole link works after a part of it', async () => {
  const { link } = await dashboard.api('/projects/petstore/invitations', 'POST', { role: 'viewer' })
  const message = 'It is not a good moment.'
  await using visit = await dashboard.visit()
  const { page } = visit
  await page.goto((link as string).slice(0, -6))
  await page.getByRole('heading', { name: 'This link does not work' }).waitFor()
  const inspect = '**/links/inspect'
  await page.route(inspect, (route) =>
    route.fulfill({ status: 503, json: { code: 'unavailable', message, status: 503 } }),
  )
  await page.goto(link as string)
  await page.getByRole('heading', { name: 'Your link could not be looked at' }).waitFor()
  await page.unroute(inspect)
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('button', { name: 'Join My pet shop' }).waitFor()
  await page.getByRole('button', { name: 'Use another account' }).click()
  await page.getByRole('button', { name: 'Create account' }).waitFor()
})
