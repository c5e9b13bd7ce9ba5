import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { zipBytes } from '../deploys/archive-bytes.ts'
import { askHttp } from '../deploys/visitor.ts'
import { violations } from '../harness/accessibility.ts'
import { type Dashboard, openOwnersDashboard } from './dashboard.ts'
import { shows } from './steps.ts'

let dashboard: Dashboard
before(async () => {
  dashboard = await openOwnersDashboard()
})
after(() => dashboard?.[Symbol.asyncDispose]())
const folder = mkdtempSync(join(tmpdir(), 'petstore-site-'))
after(() => rmSync(folder, { recursive: true, force: true }))

test('an archive and a folder are published from the page, previewed, and rolled back', async () => {
  await using visit = await dashboard.visitAgain('/projects/petstore/deploys')
  const { page } = visit
  await shows(page.getByRole('table'), /Starter site.*live/)

  await page.getByLabel('Name', { exact: true }).fill('Opening day')
  await page.getByLabel('Message').fill('The first one of our own')
  const archive = zipBytes([{ name: 'site/index.html', content: '<h1>From an archive</h1>' }])
  await page.locator('input[accept]').setInputFiles({ name: 'site.zip', mimeType: 'application/zip', buffer: archive })
  await page.getByText('Published: 1 file').waitFor()
  assert.match(await site(), /From an archive/)

  mkdirSync(join(folder, 'dist/css'), { recursive: true })
  writeFileSync(join(folder, 'dist/index.html'), '<h1>From a folder</h1>')
  writeFileSync(join(folder, 'dist/css/site.css'), 'h1 { color: teal }')
  await page.getByLabel('Folder to deploy').setInputFiles(join(folder, 'dist'))
  await page.getByText('Published: 2 files').waitFor()
  assert.match(await site(), /From a folder/)

  const rows = page.getByRole('row')
  await shows(rows.nth(1), /Folder.*live.*ada@example\.com.*from the dashboard/)
  await shows(rows.nth(2), /Opening day.*The first one of our own.*Archive/)
  await rows
    .nth(2)
    .getByRole('button', { name: /^Files/ })
    .click()
  const dialog = page.getByRole('dialog')
  await shows(dialog, /0 new, 1 changed, 1 not in it.*css\/site\.css.*not in it.*index\.html.*24 B.*changed/)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  const [preview] = await Promise.all([
    page.waitForEvent('popup'),
    rows
      .nth(2)
      .getByRole('link', { name: /^Preview/ })
      .click(),
  ])
  await preview.getByRole('heading', { name: 'From an archive' }).waitFor()
  assert.match(preview.url(), /^http:\/\/preview-[0-9a-f]{24}\.localhost:/)
  await preview.close()
  assert.match(await site(), /From a folder/)

  await rows
    .nth(2)
    .getByRole('button', { name: /^Roll back/ })
    .click()
  await page.getByRole('dialog').getByRole('button', { name: 'Roll back' }).click()
  await page.getByText('This deploy is live now.').waitFor()
  await shows(rows.nth(2), /Opening day.*live/)
  assert.match(await site(), /From an archive/)
  await rows
    .nth(1)
    .getByRole('button', { name: /^Publish/ })
    .waitFor()
  visit.assertQuiet()
})

test('every share of the project is a bar that says how much of it is used', async () => {
  await using visit = await dashboard.visitAgain('/projects/petstore/settings/plan')
  const { page } = visit
  const bars = page.getByRole('progressbar')
  // An empty bar has no width, and so is not to be seen.
  await bars.nth(7).waitFor({ state: 'attached' })
  const names = await bars.evaluateAll((each) => each.map((bar) => bar.getAttribute('aria-label')))
  assert.match(
    names.join('; '),
    new RegExp(
      '^Storage: \\d+ k?B of 10 GB; Animals: 0 of 10,000,000; Orders: 0 of 10,000,000; ' +
        'Uploads: 0 of 12; Keys: 2 of 100; Webhooks: 0 of 10; Domains: 0 of 100; ' +
        'Changes: \\d+ of 300; Adding and verifying: 0 of 30; DNS questions: 0 of 6,000; Live checks: 0 of 30$',
    ),
  )
  visit.assertQuiet()
})

test('an archive that is dropped on the page shows how far it has come, can be stopped, and goes live', async () => {
  await using visit = await dashboard.visitAgain('/projects/petstore/deploys')
  const { page } = visit
  const live = await site()
  const held = Promise.withResolvers<void>()
  await page.route('**/deploys/archive*', async (route) => {
    await held.promise
    await route.continue().catch(() => {})
  })
  const archive = zipBytes([{ name: 'index.html', content: '<h1>Dropped</h1>' }])
  const [name, preview] = [page.getByLabel('Name', { exact: true }), page.getByLabel('Preview first, then publish')]
  await name.fill('Second try')
  await preview.click()
  await drop(page, 'dropped.zip', archive)
  const progress = page.getByRole('status').filter({ hasText: 'dropped.zip' })
  await shows(progress, /Sending dropped\.zip.*\d+ %/)
  await lookAtAnotherPage(page)
  await page.locator('#main').getByRole('button', { name: 'Cancel' }).click()
  await page.getByText('Drop a folder or an archive here').waitFor()
  assert.equal(await site(), live)
  assert.deepEqual([await name.inputValue(), await preview.isChecked()], ['Second try', true], 'still as it was said')

  await preview.click()
  await drop(page, 'dropped.zip', archive)
  await progress.waitFor()
  held.resolve()
  await page.getByText('Published: 1 file').waitFor()
  await progress.waitFor({ state: 'hidden' })
  assert.match(await site(), /Dropped/)
  await shows(page.getByRole('row').nth(1), /Second try.*live/)
  assert.equal(await name.inputValue(), '', 'that was of the one that is there')
  visit.assertQuiet()
})

test('what is dropped while the page still loads is taken', async () => {
  await using visit = await dashboard.visit()
  const { page } = visit
  const loading = Promise.withResolvers<void>()
  await page.route('**/drop-zone-*.js', async (route) => {
    await loading.promise
    await route.continue()
  })
  await page.goto(`${dashboard.origin}/projects/petstore/deploys`)
  await drop(page, 'early.zip', zipBytes([{ name: 'index.html', content: '<h1>Early</h1>' }]), '.drop.is-waiting')
  await page.getByText('Published: 1 file').waitFor()
  loading.resolve()
  assert.match(await site(), /Early/)
  visit.assertQuiet()
})

test('a deploy is looked at before it is published, and one without an index.html asks first', async () => {
  await using visit = await dashboard.visitAgain('/projects/petstore/deploys')
  const { page } = visit
  const live = await site()
  await page.getByLabel('Preview first, then publish').click()
  await choose(page, 'next.zip', zipBytes([{ name: 'index.html', content: '<h1>Next</h1>' }]))
  const dialog = page.getByRole('dialog')
  await shows(dialog, /Ready for a look.*nobody sees it yet/)
  const [preview] = await Promise.all([
    page.waitForEvent('popup'),
    dialog.getByRole('link', { name: 'Look at it' }).click(),
  ])
  await preview.getByRole('heading', { name: 'Next' }).waitFor()
  await preview.close()
  assert.equal(await site(), live)
  await dialog.getByRole('button', { name: 'Publish' }).click()
  await page.getByText('This deploy is live now.').waitFor()
  assert.match(await site(), /Next/)

  await choose(page, 'bare.zip', zipBytes([{ name: 'home.html', content: '<h1>Home</h1>' }]))
  await shows(dialog, /Not published: there is no index\.html.*leads to “not found”/)
  assert.deepEqual(await violations(page, 'a deploy without an index.html'), [])
  assert.match(await site(), /Next/)
  await page.keyboard.press('Escape')
  await shows(page.getByRole('row').nth(1), /no index\.html/)
  visit.assertQuiet()
})

test('an upload goes on while another page is open, and leaving asks first', async () => {
  await using visit = await dashboard.visitAgain('/projects/petstore/deploys')
  const { page } = visit
  const held = Promise.withResolvers<void>()
  await page.route('**/deploys/archive*', async (route) => {
    await held.promise
    await route.continue()
  })
  await choose(page, 'slow.zip', zipBytes([{ name: 'index.html', content: '<h1>Slow</h1>' }]))
  await page.getByRole('status').filter({ hasText: 'slow.zip' }).waitFor()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'API keys' }).click()
  await shows(page.getByRole('complementary', { name: 'Upload' }), /Sending slow\.zip/)
  const asked = page.waitForEvent('dialog').then(async (question) => {
    await question.dismiss()
    return question.type()
  })
  await page.close({ runBeforeUnload: true })
  assert.equal(await asked, 'beforeunload')
  held.resolve()
  await page.getByText('Published: 1 file').waitFor()
  assert.equal(await page.getByRole('complementary', { name: 'Upload' }).count(), 0)
  assert.match(await site(), /Slow/)
  visit.assertQuiet()
})

test('what cannot be published is refused with what to do, and what is live stays', async () => {
  await using visit = await dashboard.visitAgain('/projects/petstore/deploys')
  const { page } = visit
  const live = await site()
  const preview = page.getByLabel('Preview first, then publish')
  await preview.click()
  await choose(page, 'broken.zip', Buffer.from('this is no archive'))
  const refusal = page.getByRole('alert').filter({ hasText: /archive/i })
  await refusal.waitFor()
  assert.ok(await preview.isChecked(), 'whoever tries again publishes nothing by it')
  await lookAtAnotherPage(page)
  await refusal.waitFor()
  assert.ok(await preview.isChecked(), 'also after a look at another page')
  await choose(page, 'evil.zip', zipBytes([{ name: '../outside.html', content: 'x' }]))
  await page.getByRole('alert').filter({ hasText: 'outside.html' }).waitFor()
  mkdirSync(join(folder, 'empty'), { recursive: true })
  writeFileSync(join(folder, 'empty/readme.md'), 'no index')
  await page.getByLabel('Folder to deploy').setInputFiles(join(folder, 'empty'))
  await page.getByText('There is no index.html at the top of this folder').waitFor()
  assert.equal(await site(), live)
})

test('a deploy whose outcome no answer tells is told as one that may be published', async () => {
  await using visit = await dashboard.visitAgain('/projects/petstore/deploys')
  const { page } = visit
  const held = Promise.withResolvers<void>()
  await page.route('**/deploys/archive*', async (route) => {
    await route.fetch()
    await held.promise
    const error = { code: 'unavailable', message: 'Nobody knows whether it was done: look first.', status: 503 }
    await route.fulfill({ status: 503, headers: { 'Petstore-Outcome': 'unknown' }, json: error })
  })
  await page.getByLabel('Preview first, then publish').setChecked(false)
  await choose(page, 'lost.zip', zipBytes([{ name: 'index.html', content: '<h1>Lost</h1>' }]))
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'API keys' }).click()
  held.resolve()
  await shows(page.getByRole('alert').filter({ hasText: 'It may be published' }), /Nobody knows whether it was done/)
  await page.unroute('**/deploys/archive*')
  assert.match(await site(), /Lost/)
})

/** As the browser does when somebody lets go of a file. */
async function lookAtAnotherPage(page: Page): Promise<void> {
  const main = page.getByRole('navigation', { name: 'Main' })
  await main.getByRole('link', { name: 'API keys' }).click()
  await page.getByRole('heading', { name: 'API keys' }).waitFor()
  await main.getByRole('link', { name: 'Deploys' }).click()
}

async function drop(page: Page, name: string, bytes: Buffer, place = '.drop:not(.is-waiting)'): Promise<void> {
  const dataTransfer = await page.evaluateHandle(`(() => {
    const transfer = new DataTransfer()
    const bytes = Uint8Array.from(atob('${bytes.toString('base64')}'), (letter) => letter.charCodeAt(0))
    transfer.items.add(new File([bytes], '${name}', { type: 'application/zip' }))
    return transfer
  })()`)
  const zone = page.locator(place)
  for (const event of ['dragenter', 'dragover', 'drop']) await zone.dispatchEvent(event, { dataTransfer })
}

async function choose(page: Page, name: string, buffer: Buffer): Promise<void> {
  await page.locator('input[accept]').setInputFiles({ name, mimeType: 'application/zip', buffer })
}

async function site(): Promise<string> {
  const port = Number(dashboard.shop.config.baseUrl.port)
  return (await askHttp(port, { host: `petstore.localhost:${port}` })).text
}
