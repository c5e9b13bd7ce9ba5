import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page, Route } from 'playwright-core'
import { zipBytes } from '../deploys/archive-bytes.ts'
import { publishOwnSite } from '../harness/own-site.ts'
import { until } from '../harness/until.ts'
import { codeNow } from './authenticator.ts'
import { type Dashboard, openOwnersDashboard, OWNER, PASSWORD } from './dashboard.ts'
import { closeMessages, open } from './every-page.ts'
import { choose, shows } from './steps.ts'

let dashboard: Dashboard
before(async () => {
  dashboard = await openOwnersDashboard()
  await dashboard.api('/projects', 'POST', { slug: 'corner-shop', name: 'Corner shop' })
  await publishOwnSite(dashboard.shop.petstore)
})
after(() => dashboard?.[Symbol.asyncDispose]())

/** Presses Undo on this message, and waits until the service has taken it back. */
async function undo(page: Page, message: string | RegExp): Promise<void> {
  const said = page.getByRole('alert').filter({ hasText: message })
  // It stays while the pointer is on it, however busy the machine is.
  await said.hover()
  await said.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('Taken back.').waitFor()
  await closeMessages(page)
}

async function isChosen(page: Page, label: string, choice: string): Promise<void> {
  await page.locator(`[aria-label="${label}"] option:checked`, { hasText: choice }).waitFor({ state: 'attached' })
}

test('an animal that was added or edited, and an order, are taken back', async () => {
  const added = await dashboard.shop.call('/pets', { method: 'POST', body: { name: 'Rex', categoryId: 1 } })
  const { id } = (await added.json()) as { id: number }
  const pets = '/projects/petstore/environments/production/pets'
  await using visit = await dashboard.visitAgain('/projects/petstore/production/animals')
  const { page } = visit
  const cell = (name: string) => page.getByRole('cell', { name, exact: true })
  await page.getByRole('button', { name: 'Edit Rex' }).click()
  await page.getByRole('row').getByLabel('Name').fill('Max')
  await page.keyboard.press('Enter')
  await cell('Max').waitFor()
  await undo(page, 'Max has been changed.')
  await cell('Rex').waitFor()
  assert.equal((await dashboard.api(`${pets}?id=${id}`))[0].name, 'Rex')

  await page.getByRole('button', { name: 'Add an animal' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Luna')
  await dialog.getByLabel('Category').fill('2')
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await cell('Luna').waitFor()
  await undo(page, 'Luna has been added')
  await cell('Luna').waitFor({ state: 'detached' })
  assert.equal((await dashboard.api(pets)).length, 1)

  await open(page, '/projects/petstore/production/orders')
  await page.getByRole('button', { name: 'Place an order' }).first().click()
  await dialog.getByRole('combobox', { name: 'Animal' }).fill('rex')
  await page.getByRole('option', { name: `Rex (#${id})` }).click()
  await dialog.getByRole('button', { name: 'Place order' }).click()
  await shows(page.getByRole('row', { name: /Rex/ }), /placed/)
  await undo(page, /Order \d+ holds animal/)
  await shows(page.getByRole('row', { name: /Rex/ }), /cancelled/)
  assert.equal((await dashboard.api(`${pets}?id=${id}`))[0].status, 'available')
  visit.assertQuiet()
})

test('what was done last is told at once, beside whatever stays to be read, and can be taken back', async () => {
  for (const name of ['Ann', 'Bob', 'Cleo']) {
    await dashboard.shop.call('/pets', { method: 'POST', body: { name, categoryId: 3 } })
  }
  await using visit = await dashboard.visitAgain('/projects/petstore/production/animals?category=3')
  const { page } = visit
  const said = (message: string | RegExp) => page.getByRole('alert').filter({ hasText: message })
  // None goes by itself, however long this takes.
  await page.evaluate(`{
    const start = window.setTimeout
    window.setTimeout = (end, ms, ...given) => (ms >= 6000 ? 0 : start(end, ms, ...given))
  }`)
  const stays = said(REFUSED)
  await addInVain(page, 4)
  await stays.nth(3).waitFor()

  const rename = async (name: string, next: string) => {
    // The pointer stays where it is.
    await page.getByRole('button', { name: `Edit ${name}` }).dispatchEvent('click')
    await page.getByRole('row').getByLabel('Name').fill(next)
    await page.keyboard.press('Enter')
    await said(`${next} has been changed.`).waitFor()
  }
  await rename('Ann', 'Anna')
  await rename('Bob', 'Bobby')
  await said('Anna has been changed.').waitFor({ state: 'detached' })
  // While somebody is about to press what one of them offers, it does not make room.
  await said('Bobby has been changed.').hover()
  await rename('Cleo', 'Cleopatra')
  assert.equal(await stays.count(), 4)
  await undo(page, 'Bobby has been changed.')
  await page.getByRole('cell', { name: 'Bob', exact: true }).waitFor()
})

test('on a small phone all that is told can be read, also from before the code of messages had come', async () => {
  await using visit = await dashboard.visit({ viewport: { width: 320, height: 568 } })
  const { page } = visit
  const code = Promise.withResolvers<void>()
  await page.route(/\/messages-[^/]+\.js$/, async (route) => {
    await code.promise
    await route.continue()
  })
  await page.goto(`${dashboard.origin}/projects/petstore/production/animals`)
  await addInVain(page, 10)
  const said = page.getByRole('alert').filter({ hasText: REFUSED })
  assert.equal(await said.count(), 0)
  code.resolve()
  await said.nth(9).waitFor()
  const top = async (at: number) => (await said.nth(at).boundingBox())!.y
  await until('the newest is in view', async () => (await top(9)) < 568)
  assert.ok((await top(0)) < 0)
  await page.mouse.move(160, 300)
  await page.mouse.wheel(0, -5000)
  await until('the oldest is in view', async () => (await top(0)) > 0)
  // Also beside an open dialog, which lets the page be scrolled no more.
  await page.getByRole('button', { name: 'Add an animal' }).first().dispatchEvent('click')
  await page.getByRole('dialog').getByLabel('Name').waitFor()
  await page.mouse.wheel(0, 5000)
  await until('the newest is in view again', async () => (await top(9)) < 568)
  await page.keyboard.press('Escape')

  // However long a name is, nothing of it is hidden, nor what takes it back.
  const name = 'PrincessButtercupOfTheLongCorridorBehindTheKitchen'.repeat(5)
  await dashboard.shop.call('/pets', { method: 'POST', body: { name: 'Dora', categoryId: 4 } })
  await open(page, '/projects/petstore/production/animals?category=4')
  await page.getByRole('button', { name: 'Edit Dora' }).click()
  await page.getByRole('row').getByLabel('Name').fill(name)
  await page.keyboard.press('Enter')
  const changed = page.getByRole('alert').filter({ hasText: 'has been changed.' })
  await changed.hover()
  const hidden = async () => Number(await page.evaluate(HIDDEN_PX))
  await until('it is as high as its text', async () => (await hidden()) <= 0)
  await undo(page, 'has been changed.')
  await page.getByRole('cell', { name: 'Dora', exact: true }).waitFor()
  visit.assertQuiet()
})

const REFUSED = /^Not done: Add an animal/
/** Of the last message. */
const HIDDEN_PX = `(() => {
  const { scrollHeight, clientHeight } = [...document.querySelectorAll('[role=alert]')].at(-1)
  return scrollHeight - clientHeight
})()`

/** Each is refused once its dialog is closed, which is told until somebody closes it. */
async function addInVain(page: Page, times: number): Promise<void> {
  let [asked, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  await page.route('**/pets', async (route) => {
    if (route.request().method() === 'GET') return route.continue()
    asked.resolve()
    await answer.promise
    await route.fulfill({ status: 409, json: { code: 'conflict', message: 'There is no room.', status: 409 } })
  })
  const dialog = page.getByRole('dialog')
  for (let count = 1; count <= times; count++) {
    await page.getByRole('button', { name: 'Add an animal' }).first().click()
    await dialog.getByLabel('Name').fill(`Nobody ${count}`)
    await dialog.getByLabel('Category').fill('3')
    await dialog.getByRole('button', { name: 'Add', exact: true }).click()
    await asked.promise
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await dialog.waitFor({ state: 'hidden' })
    const refused = page.waitForResponse((response) => response.status() === 409)
    answer.resolve()
    await refused
    ;[asked, answer] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  }
}

/** Without one nobody may ask one of others. */
async function haveSecondFactor(): Promise<void> {
  const at = '/account/second-factors/codes'
  const { ticket, secret } = await dashboard.api(at, 'POST', { currentPassword: PASSWORD })
  await dashboard.api(`${at}/confirm`, 'POST', { ticket, code: codeNow(secret), name: 'Phone' })
}

test('what is changed about a project is taken back: name, address, second factor, plan', async () => {
  await haveSecondFactor()
  await using visit = await dashboard.visitAgain('/projects/corner-shop/settings')
  const { page } = visit
  const project = () => dashboard.api('/projects/corner-shop')
  const name = page.getByLabel('Name of the project')
  await name.fill('Market stall')
  await page.getByRole('button', { name: 'Save' }).click()
  const switcher = page.getByRole('button', { name: 'Market stall' })
  await switcher.waitFor()
  // Somebody else changes another field meanwhile, which Undo leaves as it is.
  await dashboard.api('/projects/corner-shop', 'PATCH', { requireSecondFactor: true })
  await undo(page, 'The name has been changed.')
  await switcher.waitFor({ state: 'detached' })
  assert.equal(await name.inputValue(), 'Corner shop')
  const { name: nameBack, requireSecondFactor: isStillRequired } = await project()
  assert.deepEqual([nameBack, isStillRequired], ['Corner shop', true])

  // The page has the news of the change before its answer, and says what was done all the same.
  const told = page.getByRole('button', { name: 'Require it' })
  let isFirst = true
  const answerAfterNews = async (route: Route) => {
    if (route.request().method() !== 'PATCH' || !isFirst) return route.continue()
    isFirst = false
    const response = await route.fetch()
    await told.waitFor()
    await route.fulfill({ response })
  }
  await page.route('**/projects/corner-shop', answerAfterNews)
  await page.getByRole('button', { name: 'Ask no more' }).click()
  await undo(page, 'A password is enough again.')
  await page.getByRole('button', { name: 'Ask no more' }).waitFor()
  assert.equal((await project()).requireSecondFactor, true)

  const slug = page.getByLabel('Slug')
  await slug.fill('market-stall')
  await page.getByRole('button', { name: 'Change address' }).click()
  await page.waitForURL('**/projects/market-stall/settings')
  await undo(page, 'The address has been changed.')
  await page.waitForURL('**/projects/corner-shop/settings')
  assert.equal(await slug.inputValue(), 'corner-shop')
  assert.equal((await project()).slug, 'corner-shop')

  await open(page, '/projects/corner-shop/settings/plan')
  await page.getByRole('button', { name: 'Change to Pro' }).click()
  await page.getByText('This project is on Pro.').waitFor()
  await undo(page, 'This project is on Pro now.')
  await page.getByText('This project is on Free.').waitFor()
  assert.equal((await project()).plan, 'free')
  visit.assertQuiet()
})

test('an operator takes back a plan, and that a suspended project goes on', async () => {
  await dashboard.api('/projects', 'POST', { slug: 'kennel', name: 'Kennel' })
  await dashboard.api('/operator/projects/kennel/suspension', 'PUT', { reason: 'It sends spam.' })
  await using visit = await dashboard.visitAgain('/operator')
  const { page } = visit
  const row = page.getByRole('row', { name: /Kennel/ })
  await choose(page, row, 'Plan of Kennel', 'Pro')
  await undo(page, 'Kennel is on Pro now.')
  await isChosen(page, 'Plan of Kennel', 'Free')
  await page.getByRole('button', { name: 'Let Kennel go on' }).click()
  await page.getByRole('button', { name: 'Suspend Kennel…' }).waitFor()
  await undo(page, 'Kennel goes on as it was.')
  await shows(row, /suspended/, /It sends spam\./)
  visit.assertQuiet()
})

test('a role is taken back, and an own one, which cannot be, is asked about', async () => {
  const members = '/projects/petstore/members'
  const { link } = await dashboard.api('/projects/petstore/invitations', 'POST', { role: 'viewer' })
  const grace = { name: 'Grace Example', email: 'grace@example.com', password: PASSWORD }
  await dashboard.api('/sign-up', 'POST', { ...grace, token: link.split('#')[1] })
  await using visit = await dashboard.visitAgain('/projects/petstore/settings/members')
  const { page } = visit
  const roles = async () => (await dashboard.api(members)).map(({ role }: { role: string }) => role).sort()
  const row = page.getByRole('row', { name: /Grace Example/ })
  await choose(page, row, 'Role of Grace Example', 'Owner')
  await undo(page, 'Grace Example is owner now.')
  await isChosen(page, 'Role of Grace Example', 'Viewer')
  assert.deepEqual(await roles(), ['owner', 'viewer'])

  await choose(page, page, `Role of ${OWNER.name}`, 'Editor')
  const dialog = page.getByRole('dialog', { name: 'Make yourself an editor?' })
  await shows(dialog, /You cannot take this back/)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'hidden' })
  assert.deepEqual(await roles(), ['owner', 'viewer'])
  visit.assertQuiet()
})

test('a published deploy, an endpoint of webhooks and one’s own name are taken back', async () => {
  const url = 'http://127.0.0.1:9/hooks'
  const { id } = await dashboard.api('/projects/petstore/webhooks', 'POST', { url, events: ['key.revoked'] })
  await using visit = await dashboard.visitAgain('/projects/petstore/deploys')
  const { page } = visit
  const live = async () => {
    const deploys: { active: boolean; source: string }[] = await dashboard.api('/projects/petstore/deploys')
    return deploys.map(({ active, source }) => `${source}${active ? ' live' : ''}`)
  }
  const shown = page.getByRole('row').filter({ has: page.getByText('live', { exact: true }) })
  await page.getByRole('button', { name: /^Roll back to/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Roll back' }).click()
  await shows(shown, /Starter site/)
  await undo(page, 'This deploy is live now.')
  await shows(shown, /Archive/)
  assert.deepEqual(await live(), ['archive live', 'starter'])
  const buffer = zipBytes([{ name: 'index.html', content: '<h1>Too early</h1>' }])
  await page.locator('input[accept]').setInputFiles({ name: 'site.zip', mimeType: 'application/zip', buffer })
  await undo(page, 'Published: 1 file is live now.')
  await page.getByRole('button', { name: /^Publish / }).waitFor()
  assert.deepEqual(await live(), ['archive', 'archive live', 'starter'])

  await open(page, `/projects/petstore/webhooks/${id}`)
  const heading = (name: string) => page.getByRole('heading', { level: 1, name })
  await page.getByRole('button', { name: 'Change…' }).click()
  await page.getByRole('dialog').getByLabel('Name').fill('Stock list')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await heading('Stock list').waitFor()
  await undo(page, 'The endpoint has been changed.')
  await heading(url).waitFor()
  await page.getByRole('button', { name: 'Switch off' }).click()
  await page.getByText('This endpoint is switched off').waitFor()
  await undo(page, 'The endpoint is off now.')
  await page.getByRole('button', { name: 'Switch off' }).waitFor()
  const [endpoint] = await dashboard.api('/projects/petstore/webhooks')
  assert.deepEqual([endpoint.name, endpoint.state], ['', 'on'])

  await open(page, '/account')
  const name = page.getByLabel('Your name')
  await name.fill('Ada Lovelace')
  await page.getByRole('button', { name: 'Save' }).click()
  await undo(page, 'Your name has been changed.')
  assert.equal(await name.inputValue(), OWNER.name)
  assert.equal((await dashboard.api('/session')).account.name, OWNER.name)
  visit.assertQuiet()
})

test('records and faults of the sandbox are taken back, whether added, changed or deleted', async () => {
  await dashboard.api('/sandbox/zones', 'POST', { apex: 'undo.test' })
  await dashboard.api('/sandbox/zones/undo.test/records', 'POST', { type: 'A', name: 'www', value: '192.0.2.1' })
  await dashboard.api('/sandbox/zones/undo.test/faults', 'POST', { kind: 'delay' })
  const zone = async () => {
    const zones: { apex: string; records: { value: string }[]; faults: { kind: string }[] }[] =
      await dashboard.api('/sandbox/zones')
    const { records, faults } = zones.find(({ apex }) => apex === 'undo.test')!
    return [...records.map(({ value }) => value), ...faults.map(({ kind }) => kind)]
  }
  await using visit = await dashboard.visitAgain('/sandbox/undo.test')
  const { page } = visit
  const cell = (name: string) => page.getByRole('cell', { name, exact: true })
  const fault = page.getByRole('switch', { name: 'Every nameserver answers late' })

  await page.getByRole('button', { name: 'Cause: A conflicting A record' }).click()
  await cell('203.0.113.10').waitFor()
  await undo(page, 'A conflicting A record: in place.')
  await cell('203.0.113.10').waitFor({ state: 'detached' })

  await page.getByRole('textbox', { name: 'Name', exact: true }).fill('shop')
  await page.getByRole('textbox', { name: 'Value', exact: true }).fill('somewhere.else.test')
  await page.getByRole('button', { name: 'Add record' }).click()
  await cell('somewhere.else.test').waitFor()
  await undo(page, 'CNAME shop has been added.')
  await cell('somewhere.else.test').waitFor({ state: 'detached' })

  await page.getByRole('button', { name: 'Edit A www' }).click()
  await page.getByRole('dialog').getByLabel('Value').fill('192.0.2.2')
  await page.getByRole('dialog').getByRole('button', { name: 'Save record' }).click()
  await cell('192.0.2.2').waitFor()
  await undo(page, 'A www has been changed.')
  await cell('192.0.2.2').waitFor({ state: 'detached' })
  await cell('192.0.2.1').waitFor()

  await page.getByRole('button', { name: 'Delete A www' }).click()
  await cell('192.0.2.1').waitFor({ state: 'detached' })
  await undo(page, 'A www has been deleted.')
  await cell('192.0.2.1').waitFor()

  await fault.click()
  await fault.waitFor({ state: 'detached' })
  await undo(page, 'The fault is switched off.')
  await fault.waitFor()
  await page.getByRole('button', { name: 'Switch on' }).click()
  await page.getByRole('switch', { name: 'Every nameserver answers SERVFAIL' }).waitFor()
  await undo(page, 'The fault is switched on.')
  await page.getByRole('switch', { name: 'Every nameserver answers SERVFAIL' }).waitFor({ state: 'detached' })
  assert.deepEqual(await zone(), ['192.0.2.1', 'delay'])
  visit.assertQuiet()
})

test('what cannot be taken back is asked about first, and stays when the answer is no', async () => {
  await dashboard.api('/projects/petstore/invitations', 'POST', { role: 'viewer', email: 'grace@example.com' })
  await using visit = await dashboard.visitAgain('/projects')
  const { page } = visit
  const dialog = page.getByRole('dialog')
  for (const { path, button, text, kept } of [
    {
      path: '/projects/petstore/settings/members',
      button: 'Withdraw',
      text: /Its link is worthless from then on/,
      kept: '/projects/petstore/invitations',
    },
    {
      path: '/projects/petstore/deploys',
      button: /^Remove [0-9a-f]/,
      text: /Nobody can go back to it any more/,
      kept: '/projects/petstore/deploys',
    },
    { path: '/sandbox/example.test', button: 'Remove zone', text: /Its records and faults go/, kept: '/sandbox/zones' },
  ]) {
    const before = await dashboard.api(kept)
    await open(page, path)
    await page.getByRole('button', { name: button }).first().click()
    await shows(dialog, text)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    await dialog.waitFor({ state: 'hidden' })
    assert.deepEqual(await dashboard.api(kept), before)
  }
  visit.assertQuiet()
})
