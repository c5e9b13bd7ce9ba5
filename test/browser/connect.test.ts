import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { HOUR_MS } from '../../src/platform/clock.ts'
import { defineWrite } from '../../src/platform/storage/storage.ts'
import { violations } from '../harness/accessibility.ts'
import { publishOwnSite } from '../harness/own-site.ts'
import { type Dashboard, openOwnersDashboard, PHONE, WINDOW } from './dashboard.ts'
import { open } from './every-page.ts'
import { chooseFromMenu, overflows, shows } from './steps.ts'

let dashboard: Dashboard
before(async () => {
  dashboard = await openOwnersDashboard()
  await publishOwnSite(dashboard.shop.petstore)
})
after(() => dashboard[Symbol.asyncDispose]())

const DOMAINS = '/projects/petstore/settings/domains'

test('a domain is connected by one click, with consent at the provider and back, and cancelled as well', async () => {
  await dashboard.api('/sandbox/zones/example.test/records', 'POST', { type: 'A', name: 'www', value: '192.0.2.1' })
  await dashboard.api('/projects/petstore/domains', 'POST', { hostname: 'www.example.test' })
  await using visit = await dashboard.visitAgain()
  const { page } = visit
  const address = `${dashboard.origin}${DOMAINS}/www.example.test`
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

const passAnHour = defineWrite('test.passAnHour', (db) =>
  db
    .updateTable('domain_moves')
    .set((eb) => ({ old_until: eb('old_until', '-', HOUR_MS) }))
    .execute(),
)

test('a domain is prepared by one click, ready, switching while a nameserver lags, and moved', async () => {
  const records = '/sandbox/zones/example.test/records'
  const create = async (type: string, value: string, onlyOn?: string) =>
    (await dashboard.api(records, 'POST', { type, name: 'old', value, ttl: 600, ...(onlyOn && { onlyOn }) })) as {
      id: string
    }
  const remove = ({ id }: { id: string }) => dashboard.api(`${records}/${id}`, 'DELETE')
  const before = await create('A', '203.0.113.9')
  await using visit = await dashboard.visitAgain()
  const { page } = visit
  await page.setViewportSize(WINDOW)
  const main = page.locator('#main')
  const headline = (name: RegExp) => page.getByRole('heading', { level: 2, name }).waitFor()

  await page.goto(dashboard.origin + DOMAINS)
  await page.getByRole('button', { name: 'Prepare' }).click()
  await page.getByRole('dialog').getByLabel('Domain or subdomain').fill('old.example.test')
  await page.getByRole('dialog').getByRole('button', { name: 'Prepare domain' }).click()
  await headline(/^Create two records, and change nothing else$/)
  await page.getByRole('button', { name: 'Prepare at Sandbox registrar' }).click()
  await page.getByRole('button', { name: 'Connect', exact: true }).click()
  await headline(/^Ready to switch/)
  await shows(main, /Visitors are still led to A 203\.0\.113\.9/)

  const { record } = await dashboard.api('/projects/petstore/domains/old.example.test')
  const [first, late] = [
    await create('CNAME', record.record.value, 'ns1.registrar.test'),
    await create('A', '203.0.113.9', 'ns2.registrar.test'),
  ]
  await remove(before)
  await page.getByRole('button', { name: 'Verify' }).click()
  await headline(/^Switching: not every nameserver leads here yet$/)
  await page.getByRole('heading', { level: 1, name: /switching/ }).waitFor()
  await shows(main, /Moving/, /visitors may be led to A 203\.0\.113\.9\. Keep the old host running/)
  assert.deepEqual(await violations(page, 'a domain that is switching'), [])

  for (const each of [first, late]) await remove(each)
  await create('CNAME', record.record.value)
  await page.getByRole('button', { name: 'Verify' }).click()
  await headline(/^Live/)
  await shows(main, /Every nameserver leads here now/, /keep the old host running until/)
  assert.doesNotMatch(await main.innerText(), /\d UTC/, 'every time is the reader’s own')
  await dashboard.shop.petstore.storage.write(passAnHour, undefined)
  await page.reload()
  await headline(/^Moved$/)
  await shows(main, /the old host may be switched off/)
  await page.setViewportSize(PHONE)
  assert.equal(await overflows(page), false)
})

test('the records of a wildcard are passed on with the one for its certificate, and nothing leads to it', async () => {
  const wildcard = '*.birds.example.test'
  const first = 'first.birds.example.test'
  const second = 'second.birds.example.test'
  for (const hostname of [wildcard, first, second]) {
    await dashboard.api('/projects/petstore/domains', 'POST', { hostname })
  }
  await using visit = await dashboard.visitAgain(`${DOMAINS}/${wildcard}`)
  const { page } = visit
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Send these to a colleague' }).click()
  const message = await dialog.getByRole('textbox').inputValue()
  assert.match(message, /these DNS records for .*Name: {2}\*\.birds\n.*Name: {2}_acme-challenge\.birds\n/s)
  await page.keyboard.press('Escape')
  await open(page, DOMAINS)
  await chooseFromMenu(page, `Menu of ${second}`, 'Redirect…')
  await dialog.getByRole('combobox', { name: 'To' }).click()
  await page.getByRole('option', { name: first, exact: true }).waitFor()
  assert.ok(!(await page.getByRole('option').allInnerTexts()).includes(wildcard))
  visit.assertQuiet()
})
