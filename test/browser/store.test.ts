import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openOwnersDashboard } from './dashboard.ts'
import { choose, chooseFromMenu, goTo, shows } from './steps.ts'

const BIG = '9007199254740993'

const { browser, dashboard } = await openOwnersDashboard()

test('animals are added, edited and moved through the allowed statuses only, exact to the last digit', async () => {
  await using visit = await dashboard.visit(browser)
  const { page } = visit
  await page.goto(`${dashboard.origin}/projects/petstore`)
  await goTo(page, 'Animals')
  await page.getByText('No animals in production yet').waitFor()
  await page.getByRole('button', { name: 'Add an animal' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Rex')
  await dialog.getByLabel('Category').fill(BIG)
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  const row = page.getByRole('row', { name: /Rex/ })
  await shows(row, new RegExp(`Rex.*${BIG}.*available`))

  await page.getByRole('button', { name: /^Status of Rex/ }).click()
  assert.deepEqual(await page.getByRole('menuitem').allInnerTexts(), ['Make pending', 'Mark as sold'])
  await page.getByRole('menuitem', { name: 'Mark as sold' }).click()
  await shows(row, /sold/)
  await page.getByRole('button', { name: /^Status of Rex: sold/ }).click()
  assert.deepEqual(await page.getByRole('menuitem').allInnerTexts(), ['Make available (a return)'])
  await page.getByRole('menuitem').click()
  await shows(row, /available/)

  await page.getByRole('button', { name: 'Edit Rex' }).click()
  await dialog.getByLabel('Name').fill('Rexina')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByRole('cell', { name: 'Rexina', exact: true }).waitFor()
  const [pet] = (await (await dashboard.shop.call('/pets')).text()).match(/\{.*?\}/) ?? []
  assert.match(pet as string, new RegExp(`"name":"Rexina","categoryId":${BIG},"status":"available"`))
  visit.assertQuiet()
})

test('the environment cannot be overlooked: address, colour and words change, and nothing mixes', async () => {
  await using visit = await dashboard.visit(browser)
  const { page } = visit
  await page.goto(`${dashboard.origin}/projects/petstore/production/animals`)
  const band = page.getByRole('region', { name: 'Environment' })
  const choose = (name: string) => page.locator('nav').getByText(name, { exact: true }).click()
  await shows(band, /Production.*Real animals/)
  await choose('Staging')
  await page.waitForURL('**/staging/animals')
  await shows(band, new RegExp(`Staging.*nothing here is real.*${dashboard.shop.config.stagingUrl.port}/v1`))
  await page.getByText('No animals in staging yet').waitFor()
  await goTo(page, 'Orders')
  await page.waitForURL('**/staging/orders')

  await goTo(page, 'Overview')
  await page.waitForURL('**/projects/petstore?environment=staging')
  await page.reload()
  const numbers = page.locator('.numbers')
  await shows(numbers, /Available.*0.*in staging.*Requests in 24 h.*0.*in staging/)
  await page.getByRole('heading', { name: 'Requests to staging' }).waitFor()
  await page.getByRole('heading', { name: 'Newest animals in staging' }).waitFor()
  await goTo(page, 'Deploys')
  await page.waitForURL('**/deploys?environment=staging')
  await choose('Production')
  await page.waitForURL('**/deploys')
  await goTo(page, 'Overview')
  await shows(numbers, /Available.*1.*in production.*Requests in 24 h.*[1-9].*in production/)
  await page.goBack()
  await page.goBack()
  await page.goBack()
  await page.waitForURL('**/projects/petstore?environment=staging')
  await shows(numbers, /Available.*0.*in staging/)
  visit.assertQuiet()
})

test('a long list is followed page by page, filtered by status, and back again', async () => {
  for (let at = 1; at <= 30; at++) {
    const body = { name: `Puppy ${at}`, categoryId: 2, status: at % 10 === 0 ? 'pending' : 'available' }
    await dashboard.shop.call('/pets', { method: 'POST', body })
  }
  await using visit = await dashboard.visit(browser)
  const { page } = visit
  await page.goto(`${dashboard.origin}/projects/petstore/production/animals`)
  await page.getByRole('cell', { name: 'Puppy 1', exact: true }).waitFor()
  assert.equal(await page.getByRole('cell', { name: 'Puppy 30' }).count(), 0)
  await page.getByRole('button', { name: 'Next' }).click()
  await page.getByRole('cell', { name: 'Puppy 30', exact: true }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Next' }).isDisabled(), true)
  await page.getByRole('button', { name: 'Previous' }).click()
  await page.getByRole('cell', { name: 'Puppy 1', exact: true }).waitFor()
  await page.getByText('Pending', { exact: true }).click()
  await page.waitForURL('**/animals?status=pending')
  await page.getByRole('cell', { name: 'Puppy 20', exact: true }).waitFor()
  assert.equal(await page.getByRole('row', { name: /Puppy/ }).count(), 3)
  visit.assertQuiet()
})

test('an order holds its animal, which says so when somebody changes it, and is completed from its menu', async () => {
  const { id } = (await (
    await dashboard.shop.call('/pets', { method: 'POST', body: { name: 'Bello', categoryId: 1 } })
  ).json()) as { id: number }
  await using visit = await dashboard.visit(browser)
  const { page } = visit
  await page.goto(`${dashboard.origin}/projects/petstore/production/orders`)
  await page.getByRole('button', { name: 'Place an order' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Offer more animals' }).click()
  await choose(page, dialog, 'Animal', `Bello (#${id})`)
  await dialog.getByRole('button', { name: 'Place order' }).click()
  await shows(page.getByRole('row', { name: /placed/ }), new RegExp(`${id}.*placed`))

  await page.goto(`${dashboard.origin}/projects/petstore/production/animals?status=pending`)
  await chooseFromMenu(page, 'Status of Bello: pending. Change it', 'Mark as sold')
  await page.getByText(/holds this animal: complete or cancel the order instead/).waitFor()
  await shows(page.getByRole('row', { name: /Bello/ }), /pending/)

  await goTo(page, 'Orders')
  await chooseFromMenu(page, 'Actions for order 1', /^Complete/)
  await page.getByText(`Order 1 is completed, and animal ${id} is sold.`).waitFor()
  await shows(page.getByRole('row', { name: /completed/ }), /completed/)
  visit.assertQuiet()
})

test('the reference’s try-out panel creates an animal, and the dashboard shows it', async () => {
  await using visit = await dashboard.visit(browser)
  const { page } = visit
  await page.goto(`${dashboard.origin}/docs/`)
  await page.getByRole('button', { name: 'Add an API key' }).click()
  await page.locator('#key-input').fill(dashboard.shop.keys.production)
  await page.keyboard.press('Enter')
  await page.locator('#try-createPet-body').fill('{"name": "Tried out", "categoryId": 5}')
  await page.locator('#createPet .try-panel').getByRole('button', { name: 'Send' }).click()
  await shows(page.locator('#createPet .answer'), /201.*Tried out/)
  await page.goto(`${dashboard.origin}/projects/petstore`)
  await shows(page.locator('.newest'), /Tried out.*available/)
  visit.assertQuiet()
})
