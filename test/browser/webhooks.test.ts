import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { verifyWebhook } from '../../client/src/webhooks/webhooks.ts'
import { violationsInBothSchemes } from '../harness/accessibility.ts'
import { until } from '../harness/until.ts'
import { type Received, startReceiver } from '../harness/webhook-receiver.ts'
import { type Dashboard, openOwnersDashboard, PHONE, WINDOW } from './dashboard.ts'
import { goTo, overflows, shows } from './steps.ts'

let dashboard: Dashboard
before(async () => {
  dashboard = await openOwnersDashboard()
})
after(() => dashboard?.[Symbol.asyncDispose]())

test('an endpoint is added, tested, looked at, sent to again, rotated, switched off and removed', async () => {
  await using receiver = await startReceiver()
  await using visit = await dashboard.visitAgain()
  const { page } = visit
  await page.goto(`${dashboard.origin}/projects/petstore`)
  await goTo(page, 'Webhooks')
  await shows(page.locator('main'), /Nobody is told yet/)
  await page.getByRole('button', { name: 'Add endpoint' }).first().click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('URL').fill(receiver.url)
  await dialog.getByLabel('Name').fill('Stock list')
  await dialog.getByLabel('Animal deleted').click()
  assert.deepEqual(await violationsInBothSchemes(page, 'adding an endpoint'), [])
  await dialog.getByRole('button', { name: 'Add endpoint' }).click()
  await page.getByText('This secret is shown this once').waitFor()
  const secret = await dialog.locator('.minted code').innerText()
  await dialog.getByRole('button', { name: 'I have stored it' }).click()

  await page.getByRole('link', { name: 'Stock list' }).click()
  await page.getByRole('button', { name: 'Send a test' }).click()
  await until('it has come', () => receiver.received.length === 1)
  const { headers, body } = receiver.received[0] as Received
  assert.equal((await verifyWebhook(secret, headers as Record<string, string>, body)).type, 'webhook.test')
  const row = page.getByRole('row', { name: /webhook\.test/ })
  await shows(row, /delivered.*204/)
  receiver.answer = (_, response) => void response.writeHead(500).end('out of order')
  await row.getByRole('button').click()
  await shows(dialog, /webhook\.test.*webhook-signature: v1,/)
  await dialog.getByRole('button', { name: 'Send again' }).click()
  await shows(dialog, /500.*out of order/)
  assert.deepEqual(await violationsInBothSchemes(page, 'a delivery'), [])
  await page.keyboard.press('Escape')
  await shows(row, /waiting.*500/)
  assert.deepEqual(await violationsInBothSchemes(page, 'an endpoint'), [])
  await page.setViewportSize(PHONE)
  assert.equal(await overflows(page), false)
  await page.setViewportSize(WINDOW)

  await page.getByRole('button', { name: 'Rotate secret…' }).click()
  await dialog.getByRole('button', { name: 'Rotate secret' }).click()
  await page.getByText('This secret is shown this once').waitFor()
  assert.notEqual(await dialog.locator('.minted code').innerText(), secret)
  await dialog.getByRole('button', { name: 'I have stored it' }).click()
  await page.getByRole('button', { name: 'Switch off' }).click()
  await shows(page.locator('main'), /switched off.*Somebody has switched it off/)
  await page.getByRole('button', { name: 'Switch on' }).click()
  await page.getByRole('button', { name: 'Switch off' }).waitFor()
  await page.getByRole('button', { name: 'Remove…' }).click()
  await dialog.getByRole('button', { name: 'Remove endpoint' }).click()
  await shows(page.locator('main'), /Nobody is told yet/)
  visit.assertQuiet()
})

test('what was refused about one delivery is not said about another', async () => {
  await using receiver = await startReceiver()
  const webhooks = '/projects/petstore/webhooks'
  const { id } = await dashboard.api(webhooks, 'POST', { url: receiver.url, events: ['key.created'] })
  for (let at = 0; at < 2; at++) await dashboard.api(`${webhooks}/${id}/test`, 'POST')
  await until('both have come', () => receiver.received.length === 2)
  await using visit = await dashboard.visitAgain(`${webhooks}/${id}`)
  const { page } = visit
  const message = 'It is not a good moment.'
  await page.route('**/resend', (route) =>
    route.fulfill({ status: 409, json: { code: 'conflict', message, status: 409 } }),
  )
  const dialog = page.getByRole('dialog')
  const delivered = page.getByRole('row', { name: /delivered/ })
  await delivered.nth(1).waitFor()
  await delivered.first().getByRole('button').click()
  await dialog.getByRole('button', { name: 'Send again' }).click()
  await shows(dialog.getByRole('alert'), /It is not a good moment\./)
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await delivered.last().getByRole('button').click()
  await dialog.getByRole('button', { name: 'Send again' }).waitFor()
  assert.equal(await dialog.getByRole('alert').count(), 0)
  await dashboard.api(`${webhooks}/${id}`, 'DELETE')
})

test('what other tabs, people or programs change shows by itself, over one connection of a browser', async () => {
  await using visit = await dashboard.visitAgain()
  const first = visit.page
  const second = await first.context().newPage()
  const streams: string[] = []
  first.context().on('request', (request) => {
    if (request.url().endsWith('/events')) streams.push(request.url())
  })
  const animals = `${dashboard.origin}/projects/petstore/production/animals`
  await first.goto(animals)
  await first.getByText('No animals').first().waitFor()
  await until('it listens', () => streams.length === 1)
  await second.goto(animals)
  await second.getByText('No animals').first().waitFor()

  const added = await dashboard.shop.call('/pets', { method: 'POST', body: { name: 'Of a program', categoryId: 1 } })
  assert.equal(added.status, 201)
  for (const page of [first, second]) await page.getByText('Of a program').first().waitFor()
  const { id } = (await added.json()) as { id: number }
  await dashboard.api(`/projects/petstore/environments/production/pets/${id}`, 'PATCH', { name: 'Of a person' })
  for (const page of [first, second]) await page.getByText('Of a person').first().waitFor()
  assert.equal(streams.length, 1)

  // The one that listened is gone: the other takes its turn.
  await first.close()
  await until('the other listens', () => streams.length === 2)
  await dashboard.shop.call(`/pets/${id}`, { method: 'PATCH', body: { name: 'Still told' } })
  await second.getByText('Still told').first().waitFor()
})
