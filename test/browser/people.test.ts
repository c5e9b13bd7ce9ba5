import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Route } from 'playwright-core'
import { makePasswordLink } from '../../src/features/accounts/accounts.ts'
import { COMMAND } from '../../src/features/audit/record.ts'
import { storageOf } from '../../src/features/audit/audited.ts'
import { systemClock } from '../../src/platform/clock.ts'
import { type Dashboard, openOwnersDashboard, OWNER, PASSWORD } from './dashboard.ts'
import { open } from './every-page.ts'
import { choose, goTo, shows } from './steps.ts'

let dashboard: Dashboard
before(async () => {
  dashboard = await openOwnersDashboard()
})
after(() => dashboard?.[Symbol.asyncDispose]())

test('somebody is invited, joins, changes roles with what they may do, and is removed', async () => {
  await using visit = await dashboard.visitAgain('/projects/petstore/settings/members')
  const { page } = visit
  await page.getByRole('button', { name: 'Invite' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('E-mail address').fill('grace@example.com')
  await dialog.getByLabel('viewer').click()
  await dialog.getByRole('button', { name: 'Make a link' }).click()
  const link = await dialog.locator('.minted code').innerText()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await shows(page.getByRole('region', { name: 'Open invitations' }), /grace@example\.com.*viewer/)

  await using guest = await dashboard.visit({ signedOut: true })
  await guest.page.goto(link)
  await guest.page.getByRole('heading', { name: 'Join My pet shop' }).waitFor()
  assert.equal(await guest.page.getByLabel('E-mail address').inputValue(), 'grace@example.com')
  await guest.page.getByLabel('Your name').fill('Grace Example')
  await guest.page.getByLabel('Password', { exact: true }).fill('a much longer one')
  await guest.page.getByRole('button', { name: 'Create account' }).click()
  await guest.page.waitForURL('**/projects/petstore')
  await goTo(guest.page, 'Animals')
  await guest.page.getByText('No animals in production yet').waitFor()
  assert.equal(await guest.page.getByRole('button', { name: 'Add an animal' }).count(), 0)

  await page.reload()
  const row = page.getByRole('row', { name: /Grace Example/ })
  await choose(page, row, 'Role of Grace Example', 'Editor')
  await page.getByText('Grace Example is editor now.').waitFor()
  await guest.page.reload()
  await guest.page.getByRole('button', { name: 'Add an animal' }).first().waitFor()

  await goTo(guest.page, 'API keys')
  await guest.page.getByRole('button', { name: 'Create key' }).first().click()
  await guest.page.getByRole('dialog').getByLabel('Name').fill('Till')
  const create = guest.page.getByRole('dialog').getByRole('button', { name: 'Create key' })
  // As if the owner had signed in by another tab: what this page shows is Grace's, and done in no other name.
  const [hers, owners] = [await guest.page.context().cookies(), await page.context().cookies()]
  await guest.page.context().addCookies(owners)
  await create.click()
  const ended = guest.page.getByRole('dialog', { name: 'Your session has ended' })
  await ended.waitFor()
  await guest.page.context().addCookies(hers)
  await ended.getByLabel('Password', { exact: true }).fill('a much longer one')
  await guest.page.keyboard.press('Enter')
  await ended.waitFor({ state: 'hidden' })
  await create.click()
  await guest.page.locator('.minted').waitFor()

  await page.reload()
  await choose(page, row, 'Role of Grace Example', 'Viewer')
  await shows(dialog, /What becomes of the keys and tokens of Grace Example\?.*“Till”/)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await row.getByRole('button', { name: 'Remove' }).click()
  await shows(dialog, /What becomes of the keys and tokens of Grace Example\?.*“Till”/)
  await choose(page, dialog, 'What becomes of the keys and tokens of Grace Example?', 'I take them over')
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await page.getByText('Grace Example has been removed.').waitFor()
  await guest.page.reload()
  await guest.page.getByRole('heading', { name: 'No such project' }).waitFor()
  await open(page, '/projects/petstore/production/keys')
  await shows(page.getByRole('row', { name: /Till/ }), new RegExp(`created .* by ${OWNER.name}`))
  await open(page, '/projects/petstore/settings/audit')
  await shows(
    page.getByRole('table'),
    /grace@example\.com removed.*keys taken over by /,
    /changed from viewer to editor.*grace@example\.com joined as viewer/,
  )
  visit.assertQuiet()
  guest.assertQuiet()
})

test('a question that is asked anew can be answered, and the answer to the first is told all the same', async () => {
  await dashboard.api('/projects/petstore/invitations', 'POST', { role: 'viewer', email: 'late@example.com' })
  await using visit = await dashboard.visitAgain('/projects/petstore/settings/members')
  const { page } = visit
  const refused = Promise.withResolvers<void>()
  const json = { code: 'conflict', message: 'There is no way.', status: 409 }
  const hang = async (route: Route) => {
    await refused.promise
    await route.fulfill({ status: 409, json })
  }
  await page.route('**/invitations/*', hang, { times: 1 })
  const ask = page.getByRole('button', { name: 'Withdraw the invitation of late@example.com' })
  const dialog = page.getByRole('dialog')
  const withdraw = dialog.getByRole('button', { name: 'Withdraw', exact: true })
  await ask.click()
  await withdraw.click()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await dialog.waitFor({ state: 'detached' })
  await ask.click()
  // Only where it can be pressed.
  await withdraw.click({ trial: true })
  refused.resolve()
  await shows(page.getByRole('alert'), /^Not done: Withdraw this invitation\?.*There is no way\./)
  await withdraw.click()
  await ask.waitFor({ state: 'detached' })
})

test('signing in leads back, a wrong password is told, an import ends at sign-out, sessions elsewhere', async () => {
  await using first = await dashboard.visit({ signedOut: true })
  const { page } = first
  await page.goto(`${dashboard.origin}/projects/petstore/deploys`)
  await page.waitForURL('**/sign-in?to=*')
  await page.getByLabel('E-mail address').fill(OWNER.email)
  await page.getByLabel('Password', { exact: true }).fill('not the right one')
  // What says nothing about the password leaves it there, to be sent once more.
  const busy = { status: 429, json: { code: 'rate_limited', message: 'Wait a moment.', status: 429 } }
  await page.route('**/platform/v1/sign-in', (route) => route.fulfill(busy), { times: 1 })
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByText('Wait a moment.').waitFor()
  assert.equal(await page.getByLabel('Password', { exact: true }).inputValue(), 'not the right one')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.getByText('The e-mail address or the password is not right.').waitFor()
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/projects/petstore/deploys')

  await page.route('**/imports/*', (route) => (route.request().method() === 'GET' ? route.continue() : undefined))
  const animals = { name: 'litter.csv', mimeType: 'text/csv', buffer: Buffer.from('name,categoryId\nRex,1\n') }
  const importing = page.getByRole('complementary', { name: 'Import' })
  const begin = async () => {
    await open(page, '/projects/petstore/production/animals?do=import')
    await page.getByLabel('File of animals', { exact: true }).setInputFiles(animals)
    await page.getByRole('button', { name: 'Import 1 animal' }).click()
    await importing.waitFor()
  }
  await begin()
  await page.getByRole('button', { name: OWNER.name }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await importing.waitFor({ state: 'detached' })
  await page.getByLabel('E-mail address').fill(OWNER.email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.waitForURL('**/projects/petstore')
  await begin()
  await importing.getByRole('button', { name: 'Stop' }).click()
  const told = page.getByText('The import of litter.csv was stopped')
  await told.waitFor()

  await using second = await dashboard.visitAgain('/account/sessions')
  await shows(second.page.getByRole('table'), /Chrome on Linux.*Chrome on Linux/)
  await second.page.getByRole('button', { name: 'End all others…' }).click()
  await second.page.getByRole('dialog').getByRole('button', { name: 'End them' }).click()
  await second.page.getByText('1 session has ended.').waitFor()
  await goTo(page, 'API keys')
  // Grace, who was invited above, signs in instead: the page is hers then.
  const ended = page.getByRole('dialog', { name: 'Your session has ended' })
  await ended.getByLabel('E-mail address').fill('grace@example.com')
  await ended.getByLabel('Password', { exact: true }).fill('a much longer one')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Grace Example' }).waitFor()
  await told.waitFor({ state: 'detached' })
  first.assertQuiet()
  second.assertQuiet()
})

test('a link from the operator sets a new password once, and signs in', async () => {
  const storage = storageOf(dashboard.shop.petstore.storage, COMMAND, systemClock)
  const { link } = await makePasswordLink({ storage, clock: systemClock, dashboardUrl: dashboard.origin }, OWNER.email)
  await using visit = await dashboard.visit({ signedOut: true })
  const { page } = visit
  await page.goto(link)
  await page.getByText(`For ${OWNER.email}`).waitFor()
  await page.getByLabel('Password', { exact: true }).fill('short')
  await page.getByText('7 more characters to go').waitFor()
  await page.getByLabel('Password', { exact: true }).fill('quite another password')
  await page.getByRole('button', { name: 'Set password and sign in' }).click()
  await page.waitForURL('**/projects/petstore')
  await using again = await dashboard.visit({ signedOut: true })
  await again.page.goto(link)
  await again.page.getByRole('heading', { name: 'This link does not work' }).waitFor()
  visit.assertQuiet()
})

test('a project is created, renamed, suspended, let go on, and deleted by typing its slug', async () => {
  await using visit = await dashboard.visit({ signedOut: true })
  const { page } = visit
  await page.goto(`${dashboard.origin}/sign-in?to=/projects`)
  await page.getByLabel('E-mail address').fill(OWNER.email)
  await page.getByLabel('Password', { exact: true }).fill('quite another password')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'New project' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill(`${'x'.repeat(62)} y`)
  assert.equal(await dialog.getByLabel('Address').inputValue(), 'x'.repeat(62))
  await dialog.getByLabel('Name').fill('Zoë’s Birds & Co')
  assert.equal(await dialog.getByLabel('Address').inputValue(), 'zoe-s-birds-co')
  await dialog.getByRole('button', { name: 'Create project' }).click()
  await page.waitForURL('**/projects/zoe-s-birds-co')
  await page.getByRole('button', { name: 'Zoë’s Birds & Co' }).click()
  await page.getByRole('menuitem', { name: 'My pet shop' }).click()
  await page.waitForURL('**/projects/petstore')
  await page.getByRole('button', { name: 'My pet shop' }).click()
  await page.getByRole('menuitem', { name: 'Zoë’s Birds & Co' }).click()
  await page.waitForURL('**/projects/zoe-s-birds-co')
  await goTo(page, 'Settings')
  await page.getByLabel('Name of the project').fill('Birds')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('The name has been changed.').waitFor()
  await goTo(page, 'Operator')
  const row = page.getByRole('row', { name: /Birds/ })
  await page.getByRole('button', { name: 'Suspend Birds…' }).click()
  const suspend = dialog.getByRole('button', { name: 'Suspend', exact: true })
  assert.equal(await suspend.isDisabled(), true)
  await dialog.getByLabel('Reason').fill('It sends spam.')
  await suspend.click()
  await shows(row, /suspended/, /It sends spam\./)
  await page.goBack()
  await page.getByRole('status').filter({ hasText: 'It sends spam.' }).waitFor()
  assert.equal(await page.getByLabel('Name of the project').isDisabled(), true)
  await goTo(page, 'Operator')
  await page.getByRole('button', { name: 'Let Birds go on' }).click()
  await page.getByText('Birds goes on as it was.').waitFor()
  await page.getByRole('button', { name: 'Suspend Birds…' }).waitFor()
  await page.goBack()
  await page.getByRole('tab', { name: 'Delete' }).click()
  await page.getByRole('button', { name: 'Delete Birds…' }).click()
  const remove = dialog.getByRole('button', { name: 'Delete for ever' })
  assert.equal(await remove.isDisabled(), true)
  await dialog.getByLabel(/^Type zoe-s-birds-co/).fill('zoe-s-birds-co')
  await remove.click()
  await page.getByText('Birds has been deleted.').waitFor()
  assert.equal(await page.getByRole('link', { name: /Birds/ }).count(), 0)
  visit.assertQuiet()
})
