import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { violations } from '../harness/accessibility.ts'
import { publishOwnSite } from '../harness/own-site.ts'
import { type Dashboard, openOwnersDashboard } from './dashboard.ts'
import { open } from './every-page.ts'
import { attach } from './sandbox-steps.ts'
import { goTo, shows } from './steps.ts'

let dashboard: Dashboard
before(async () => {
  dashboard = await openOwnersDashboard()
})
after(() => dashboard?.[Symbol.asyncDispose]())

test('rule 1: a conflicting A record and a wrong value are named with a fix, and mended from the screen', async () => {
  await using visit = await dashboard.visitAgain()
  const { page } = visit
  await publishOwnSite(dashboard.shop.petstore)
  const { record } = await dashboard.api('/projects/petstore/domains', 'POST', { hostname: 'www.my-shop.test' })
  await cause(page, 'my-shop.test', 'A conflicting A record')
  await verify(page, 'www.my-shop.test')
  const problems = page.locator('.problems')
  await shows(
    problems,
    /An address record of www\.my-shop\.test is in the way of the CNAME.*A 203\.0\.113\.10/,
    /There is.*A.*www.*203\.0\.113\.10.*There should be.*CNAME.*www.*localhost/,
  )
  await shows(page.locator('.situation'), /The DNS record is not right.*not served until.*DNS record.*Not right/)
  await problems.getByRole('button', { name: 'Evidence' }).click()
  await shows(page.getByLabel('Questions and answers'), /www\.my-shop\.test A @ns1\.registrar\.test.*203\.0\.113\.10/)
  await shows(
    page.getByRole('table').filter({ hasText: 'Nameserver' }),
    /ns1\.registrar\.test.*no.*ns2\.registrar\.test.*no/,
  )
  await page.getByText(/^Caches expire by/).waitFor()

  await problems.getByRole('link', { name: 'Open at the sandbox registrar' }).click()
  await page.waitForURL('**/sandbox/my-shop.test?*')
  assert.equal(await page.getByRole('textbox', { name: 'Value', exact: true }).inputValue(), record.record.value)
  await page.getByRole('button', { name: 'Delete A www' }).click()
  await page.getByText('No records yet').waitFor()
  await cause(page, 'my-shop.test', 'A wrong CNAME value')
  await verify(page, 'www.my-shop.test')
  await shows(
    problems,
    new RegExp(
      `The CNAME of www\\.my-shop\\.test has another value.*somewhere\\.else\\.test instead of ${record.record.value}`,
    ),
  )

  await open(page, '/sandbox/my-shop.test')
  await page.getByRole('button', { name: 'Edit CNAME www' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Value').fill(record.record.value)
  await dialog.getByRole('button', { name: 'Save record' }).click()
  await page.getByRole('cell', { name: record.record.value }).waitFor()
  await dialog.waitFor({ state: 'hidden' })
  assert.equal(await page.getByRole('button', { name: 'Edit CNAME www' }).count(), 1)
  await verify(page, 'www.my-shop.test')
  await page.getByRole('heading', { level: 1, name: /live/ }).waitFor()
  assert.equal(await problems.count(), 0)
  visit.assertQuiet()
})

test('rules 2 and 3: a CAA record keeps the certificate, the page walks the list, Re-verify brings it', async () => {
  await using visit = await dashboard.visit()
  const { page } = visit
  await dashboard.api('/sandbox/zones', 'POST', { apex: 'caa.test' })
  await cause(page, 'caa.test', 'A blocking CAA record')
  await attach(dashboard, 'www.caa.test')
  await page.clock.install()
  await page.goto(`${dashboard.origin}/projects/petstore/settings/domains/www.caa.test`)
  await shows(
    page.locator('.problems'),
    /A CAA record at caa\.test forbids the certificate.*There should be.*CAA.*@.*0 issue "ca\.localhost"/,
  )
  await page.getByRole('tab', { name: 'Evidence' }).click()
  await page.getByRole('button', { name: 'Check what is served' }).click()
  await page.getByText(/has no certificate yet/).waitFor()
  await page
    .getByText(/browsers warn about a private connection.*wait a few minutes and retry in a fresh session/)
    .waitFor()

  await page.getByRole('button', { name: 'Why does it take so long?' }).click()
  const now = page.locator('.notice', { hasText: 'What we see at this moment' })
  await shows(
    now,
    /The domain still verifies.*All nameservers give the right answer.*A CAA record blocks the certificate authority/,
  )

  await page.clock.fastForward('31:00')
  const walk = page.locator('.notice', { hasText: 'Not provisioned after 30 minutes' })
  await shows(
    walk,
    /The domain still verifies.*A CAA record blocks the certificate authority.*A CAA record at caa\.test/,
    /create this record: type CAA.*A new attempt is possible.*Mend what stands above, then choose Re-verify/,
  )
  await page.getByRole('tab', { name: 'Timeline' }).click()
  await shows(
    page.getByRole('region', { name: 'Timeline' }),
    /Certificate attempt failed.*A CAA record forbids the certificate/,
  )
  const zones = await dashboard.api('/sandbox/zones')
  const caa = zones
    .find(({ apex }: { apex: string }) => apex === 'caa.test')
    .records.find(({ type }: { type: string }) => type === 'CAA')
  await dashboard.api(`/sandbox/zones/caa.test/records/${caa.id}`, 'DELETE')
  await walk.getByRole('button', { name: 'Re-verify' }).click()
  await page.clock.resume()
  await page.getByRole('heading', { level: 1, name: /live/ }).waitFor()
  visit.assertQuiet()
})

test('rule 4: the served response headers of a redirect are shown, hop by hop, without any cache', async () => {
  await attach(dashboard, 'www.example.test')
  await using visit = await dashboard.visitAgain('/projects/petstore/settings/domains/www.example.test')
  const { page } = visit
  await page.getByRole('heading', { level: 1, name: /live.*redirect/ }).waitFor()
  await page.getByRole('tab', { name: 'Evidence' }).click()
  await page.getByRole('button', { name: 'Check what is served' }).click()
  const hops = page.locator('.hops')
  await shows(hops, /www\.example\.test.*301.*www\.my-shop\.test.*200/)
  await hops
    .getByRole('button', { name: /headers$/ })
    .first()
    .click()
  await shows(page.getByLabel(/^Headers of http/).first(), /location: https?:\/\//i)
  visit.assertQuiet()
})

test('a nameserver that fails is told apart from one that is right, and the domain is served', async () => {
  await using visit = await dashboard.visitAgain()
  const { page } = visit
  await dashboard.api('/sandbox/zones', 'POST', { apex: 'flaky.test' })
  await cause(page, 'flaky.test', 'A failing nameserver')
  await attach(dashboard, 'www.flaky.test')
  await open(page, '/projects/petstore/settings/domains/www.flaky.test')
  await shows(page.locator('.problems'), /A nameserver of flaky\.test reports a failure.*a warning.*SERVFAIL/)
  await page.getByRole('tab', { name: 'Evidence' }).click()
  await shows(
    page.getByRole('table').filter({ hasText: 'Nameserver' }),
    /ns1\.registrar\.test.*yes.*ns2\.registrar\.test.*SERVFAIL.*no/,
  )

  await page.getByRole('heading', { level: 1, name: /live/ }).waitFor()

  await goTo(page, 'Sandbox registrar')
  await page.getByRole('link', { name: 'flaky.test' }).click()
  await page.getByLabel('ns2.registrar.test answers SERVFAIL').click()
  await page.getByText('None: they answer as they should.').waitFor()
  await verify(page, 'www.flaky.test')
  await page.locator('.problems').waitFor({ state: 'hidden' })
  visit.assertQuiet()
})

test('a link to a domain that is not there offers to add it', async () => {
  await using visit = await dashboard.visitAgain('/projects/petstore/settings/domains/new.example.test')
  const { page } = visit
  await page.getByText('new.example.test is not a domain of this project').waitFor()
  await page.getByRole('button', { name: 'Add this domain' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Add domain' }).click()
  await page.getByRole('heading', { level: 2, name: 'Create its DNS record' }).waitFor()
  visit.assertQuiet()
})

test('a domain whose DNS has drifted says one thing everywhere: served still, and what to mend', async () => {
  await dashboard.api('/sandbox/zones', 'POST', { apex: 'drift.test' })
  await attach(dashboard, 'www.drift.test')
  await using visit = await dashboard.visitAgain('/projects/petstore/settings/domains/www.drift.test')
  const { page } = visit
  await page.getByRole('heading', { level: 1, name: /live/ }).waitFor()
  const zones = await dashboard.api('/sandbox/zones')
  const { records } = zones.find(({ apex }: { apex: string }) => apex === 'drift.test')
  await dashboard.api(`/sandbox/zones/drift.test/records/${records[0].id}`, 'DELETE')
  await page.getByRole('button', { name: 'Re-verify' }).click()
  await shows(
    page.getByRole('main'),
    /Its DNS no longer leads here.*Visitors are still served, until.*DNS record.*Not right.*Does not verify any more/,
    /There is no record for www\.drift\.test.*There should be.*CNAME/,
  )
  const text = await page.getByRole('main').innerText()
  assert.doesNotMatch(text, /In place|Verified|Will show|not served/)
  assert.deepEqual(await violations(page, 'a drifted domain'), [])
  await page.getByRole('tab', { name: 'Timeline' }).click()
  const timeline = page.getByRole('region', { name: 'Timeline' })
  await shows(timeline, /have changed.*still served, until/)
  assert.doesNotMatch(await timeline.innerText(), /\d UTC/, 'every time is the reader’s own')
  visit.assertQuiet()
})

/** One click on the sandbox page. */
async function cause(page: Page, apex: string, accident: string): Promise<void> {
  await page.goto(`${dashboard.origin}/sandbox/${apex}`)
  await page.getByRole('button', { name: `Cause: ${accident}` }).click()
  await page.getByText(`${accident}: in place.`).waitFor()
}

async function verify(page: Page, hostname: string): Promise<void> {
  await open(page, `/projects/petstore/settings/domains/${hostname}`)
  await page
    .getByRole('button', { name: /^(?:Verify|Re-verify)$/ })
    .first()
    .click()
}
