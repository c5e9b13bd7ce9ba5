import assert from 'node:assert/strict'
import { test } from 'node:test'
import { violations } from '../harness/accessibility.ts'
import { publishOwnSite } from '../harness/own-site.ts'
import { openOwnersDashboard, PHONE } from './dashboard.ts'
import { overflows, shows } from './steps.ts'

test('a domain is connected by one click, with consent at the provider and back, and cancelled as well', async () => {
  await using dashboard = await openOwnersDashboard()
  await publishOwnSite(dashboard.shop.petstore)
  await dashboard.api('/sandbox/zones/example.test/records', 'POST', { type: 'A', name: 'www', value: '192.0.2.1' })
  await dashboard.api('/projects/petstore/domains', 'POST', { hostname: 'www.example.test' })
  await using visit = await dashboard.visit()
  const { page } = visit
  const address = `${dashboard.origin}/projects/petstore/settings/domains/www.example.test`
  await page.goto(address)
  await page.getByRole('button', { name: 'Connect at Sandbox registrar' }).click()

  await page.getByRole('heading', { name: 'Petstore wants to connect www.example.test' }).waitFor()
  await shows(page.locator('#main table'), /removes.*A.*www\.example\.test.*192\.0\.2\.1.*adds.*CNAME.*\.localhost/)
  assert.deepEqual(await violations(page, 'the consent at the registrar'), [])
  await page.setViewportSize(PHONE)
  assert.equal(await overflows(page), false)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByText('Sandbox registrar has not created the records: you have cancelled it there.').waitFor()
  assert.equal(page.url(), address, 'the answer is not left in the address')
  assert.deepEqual(await violations(page, 'a domain that can be connected'), [])
  assert.equal(await overflows(page), false)

  await page.getByRole('button', { name: 'Connect at Sandbox registrar' }).click()
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await page.getByText('Sandbox registrar has taken the records.').waitFor()
  await page.getByRole('heading', { level: 1, name: /live/ }).waitFor()

  await page.goto(`${address}?state=invented`)
  await page.getByText('This answer belongs to no request of yours that is open').waitFor()
})
