import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { publishOwnSite } from '../harness/own-site.ts'
import { openOwnersDashboard } from './dashboard.ts'
import { arrowTo, shows, tabTo } from './steps.ts'

const { browser, dashboard } = await openOwnersDashboard()

test('a domain is added, verified, kept to HTTPS and removed by the keyboard alone', async () => {
  await using visit = await dashboard.visit(browser)
  const { page } = visit
  await publishOwnSite(dashboard.shop.petstore)
  await page.goto(`${dashboard.origin}/projects/petstore`)
  await press(page, 'Domains')
  await page.locator('h1:focus', { hasText: 'Domains' }).waitFor()
  await press(page, 'Add domain')
  await page.getByRole('dialog').locator('input:focus').waitFor()
  await page.keyboard.type('www.example.test')
  await page.keyboard.press('Enter')
  await page.locator('h1:focus', { hasText: 'www.example.test' }).waitFor()

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
  await page.keyboard.press('ArrowRight')
  await page.getByRole('tab', { name: 'Evidence', selected: true }).waitFor()
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
  await using visit = await dashboard.visit(browser)
  const { page } = visit
  await page.goto(`${dashboard.origin}/projects/petstore/production/keys`)
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

  await page.goto(`${dashboard.origin}/projects/petstore/settings/members`)
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

async function press(page: Page, name: string): Promise<void> {
  await tabTo(page, name)
  await page.keyboard.press('Enter')
}
