import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { codeNow, haveAuthenticator } from './authenticator.ts'
import { type Dashboard, openOwnersDashboard, OWNER, PASSWORD } from './dashboard.ts'
import { open } from './every-page.ts'
import { shows } from './steps.ts'

let dashboard: Dashboard
before(async () => {
  dashboard = await openOwnersDashboard()
})
after(() => dashboard?.[Symbol.asyncDispose]())

test('a passkey signs in by itself and after the password, and a code stands in for a lost one', async () => {
  await using visit = await dashboard.visit()
  const { page } = visit
  await haveAuthenticator(page)
  await page.goto(`${dashboard.origin}/account/security`)
  await shows(page.locator('main'), /None yet: your password is all/)
  await page.getByRole('button', { name: 'Add a passkey' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Your password').fill(PASSWORD)
  await dialog.getByLabel('Name').fill('Ada’s laptop')
  await dialog.getByRole('button', { name: 'Continue' }).click()
  const codes = dialog.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem')
  await codes.nth(9).waitFor()
  const recoveryCode = await codes.first().innerText()
  await page.keyboard.press('Escape')
  await page.mouse.click(5, 5)
  await shows(dialog, new RegExp(recoveryCode))
  await dialog.getByRole('button', { name: 'I have stored them' }).click()
  await shows(page.getByRole('row', { name: /Ada’s laptop/ }), /Passkey.*never/)

  await signOut(page)
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
  await page.waitForURL('**/projects/petstore')

  await signOut(page)
  await enterPassword(page)
  await page.getByRole('button', { name: 'Use your passkey' }).click()
  await page.waitForURL('**/projects/petstore')

  await signOut(page)
  await enterPassword(page)
  await page.getByLabel('Recovery code').fill(recoveryCode)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL('**/projects/petstore')
  await open(page, '/account/security')
  await page.getByText('9 codes are left.').waitFor()

  await page.getByRole('button', { name: 'Add one-time codes' }).click()
  await dialog.getByLabel('Your password').fill(PASSWORD)
  await dialog.getByRole('button', { name: 'Continue' }).click()
  await dialog.getByRole('img', { name: 'A picture for the authenticator app' }).waitFor()
  const secret = await dialog.locator('code').innerText()
  assert.match(secret, /^[A-Z2-7]{32}$/)
  await dialog.getByLabel('One-time code').fill(codeNow(secret))
  await dialog.getByRole('button', { name: 'Switch on' }).click()
  await page.getByRole('row', { name: /Authenticator app/ }).waitFor()

  await page
    .getByRole('row', { name: /Ada’s laptop/ })
    .getByRole('button', { name: 'Remove' })
    .click()
  await dialog.getByLabel('Your password').fill(PASSWORD)
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await page.getByText('“Ada’s laptop” has been removed.').waitFor()
  visit.assertQuiet()
})

async function signOut(page: Page): Promise<void> {
  await page.getByRole('button', { name: OWNER.email }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByLabel('Password', { exact: true }).waitFor()
}

async function enterPassword(page: Page): Promise<void> {
  await page.getByLabel('E-mail address').fill(OWNER.email)
  await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}
