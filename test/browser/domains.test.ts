import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Page } from 'playwright-core'
import { zipBytes } from '../deploys/archive-bytes.ts'
import { defineWrite } from '../../src/platform/storage/storage.ts'
import { violations } from '../harness/accessibility.ts'
import { publishOwnSite } from '../harness/own-site.ts'
import { type Dashboard, openDashboard, openOwnersDashboard, PHONE, WINDOW } from './dashboard.ts'
import { open } from './every-page.ts'
import { attach, createRecord, headersOf, recordOnScreen } from './sandbox-steps.ts'
import { choose, chooseFromMenu, goTo, overflows, shows } from './steps.ts'

let dashboard: Dashboard
before(async () => {
  dashboard = await openOwnersDashboard()
})
after(() => dashboard?.[Symbol.asyncDispose]())

for (const [screen, viewport] of [
  ['a desk', WINDOW],
  ['a phone', PHONE],
] as const) {
  test(`from the first start to a live custom domain, entirely by clicking, on ${screen}`, async () => {
    await using dashboard = await openDashboard()
    await using visit = await dashboard.visit({ viewport })
    const { page } = visit
    await dashboard.signUpOwner(page)
    await page.evaluate('window.sameDocument = true')

    await goTo(page, 'Domains')
    await page.getByRole('link', { name: 'Deploy a site' }).click()
    await deploySite(page)
    await goTo(page, 'Domains')
    await page.getByRole('button', { name: 'Add domain' }).click()
    await page.getByLabel('Domain or subdomain').fill('https://WWW.Example.test/about')
    await page.getByRole('dialog').getByRole('button', { name: 'Add domain' }).click()
    await page.getByRole('heading', { level: 1, name: /^www\.example\.test.*awaiting DNS/ }).waitFor()
    const record = await recordOnScreen(page)
    assert.deepEqual([record.type, record.name, record.ttl], ['CNAME', 'www', '3600'])
    assert.match(record.value, /^[0-9a-f]{20,}\.localhost$/)

    await goTo(page, 'Sandbox registrar')
    await page.getByText('This is a sandbox').waitFor()
    await createRecord(page, record)

    await goTo(page, 'Domains')
    await page.getByRole('link', { name: 'www.example.test', exact: true }).click()
    await page.getByRole('button', { name: 'Verify', exact: true }).click()
    // Nobody touches anything: the page follows by itself.
    await page.getByRole('heading', { level: 1, name: /live/ }).waitFor()
    await page.getByRole('heading', { level: 2, name: 'Live: visitors see the site' }).waitFor()
    await page
      .getByRole('tabpanel', { name: 'Certificate' })
      .getByText(/^in \d+ days$/)
      .waitFor()

    await page.getByRole('tab', { name: 'Evidence' }).click()
    await page.getByRole('button', { name: 'Check what is served' }).click()
    await page.getByText('As it should be').waitFor()
    await shows(page.locator('.hops'), /308.*https:\/\/www\.example\.test.*200.*Certificate for www\.example\.test/)

    await assertOpens(page, 'Visit', 'www.example.test.localhost')
    await goTo(page, 'Overview')
    await assertOpens(page, 'Visit site', 'petstore.localhost')
    await goTo(page, 'Domains')
    await page.getByRole('link', { name: 'www.example.test', exact: true }).click()

    assert.equal((await headersOf(dashboard, 'www.example.test'))['strict-transport-security'], undefined)
    await page.getByRole('button', { name: 'Switch on…' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('radio', { name: '1 day' }).click()
    await shows(dialog, /This cannot be recalled/)
    assert.equal(await dialog.getByRole('button', { name: 'Save' }).isDisabled(), true)
    await dialog.getByLabel(/works over HTTPS, and will for at least 1 day/).click()
    await dialog.getByRole('button', { name: 'Save' }).click()
    await shows(page.getByRole('region', { name: 'HTTPS only (HSTS)' }), /on.*remember it for 1 day/)
    assert.equal((await headersOf(dashboard, 'www.example.test'))['strict-transport-security'], 'max-age=86400')
    await page.getByRole('tab', { name: 'Timeline' }).click()
    await shows(page.getByRole('region', { name: 'Timeline' }), /Certificate issued.*was added/)
    assert.equal(await overflows(page), false, 'the page scrolls sideways')
    assert.equal(await page.evaluate('window.sameDocument'), true, 'no page was loaded again')
    visit.assertQuiet()
  })
}

test('several domains: one primary and redirects, changed, swapped and removed from the menu', async () => {
  await using visit = await dashboard.visitAgain()
  const { page } = visit
  for (const hostname of ['www.example.test', 'example.test', 'shop.example.test']) await attach(dashboard, hostname)
  await page.goto(`${dashboard.origin}/projects/petstore/settings/domains`)
  const items = page.locator('.domain')
  await shows(items.nth(0), /^www\.example\.test.*live.*primary/)
  await shows(items.nth(1), /^example\.test.*live.*redirects to www\.example\.test with 301/)

  const dialog = page.getByRole('dialog')
  const redirect = async (status: string) => {
    await chooseFromMenu(page, 'Menu of shop.example.test', 'Redirect…')
    assert.equal(await dialog.getByLabel('From').inputValue(), 'shop.example.test')
    await choose(page, dialog, 'Status', new RegExp(`^${status}`))
    await dialog.getByRole('button', { name: 'Save redirect' }).click()
    await shows(items.nth(2), new RegExp(`redirects to www\\.example\\.test with ${status}`))
  }
  await redirect('308')
  const redirected = page.getByRole('alert').filter({ hasText: 'with 308.' })
  await redirected.hover()
  await redirected.getByRole('button', { name: 'Undo' }).click()
  await shows(items.nth(2), /redirects to www\.example\.test with 301/)
  await redirect('307')

  await chooseFromMenu(page, 'Menu of example.test', 'Make primary')
  await shows(items.nth(0), /^example\.test.*primary/)
  const { primary, redirects } = await dashboard.api('/projects/petstore/domains')
  assert.deepEqual(
    { primary, redirects },
    {
      primary: 'example.test',
      redirects: [
        { from: 'www.example.test', to: 'example.test', status: 301 },
        { from: 'shop.example.test', to: 'example.test', status: 307 },
      ],
    },
  )
  const said = page.getByRole('alert').filter({ hasText: 'example.test is the primary domain now' })
  await said.hover()
  await said.getByRole('button', { name: 'Undo' }).click()
  await shows(items.nth(0), /^www\.example\.test.*primary/)

  await chooseFromMenu(page, 'Menu of shop.example.test', 'Remove')
  await shows(dialog, /Traffic stops being served immediately.*set up a redirect first/)
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await page.getByText('shop.example.test has been removed').waitFor()
  assert.equal(await page.getByRole('region', { name: 'Domains', exact: true }).locator('.domain').count(), 2)

  const removed = page.locator('.is-removed', { hasText: 'shop.example.test' })
  await shows(
    removed,
    /DNS still points here.*The record to delete.*shop\.example\.test CNAME [0-9a-f]+\.localhost.*ns1\.registrar\.test/,
  )
  await page.locator('.is-removed:focus').waitFor()
  assert.deepEqual(await violations(page, 'a removed domain', { within: '.is-removed' }), [])
  const { records } = (await dashboard.api('/sandbox/zones')).find(
    ({ apex }: { apex: string }) => apex === 'example.test',
  )
  const { id } = records.find(({ name }: { name: string }) => name.startsWith('shop'))
  await dashboard.api(`/sandbox/zones/example.test/records/${id}`, 'DELETE')
  await removed.getByRole('link', { name: 'shop.example.test' }).click()
  await page.getByRole('heading', { level: 1, name: /shop\.example\.test removed/ }).waitFor()
  await page.getByRole('button', { name: /^Check DNS/ }).click()
  await page.getByText('DNS does not point here').waitFor()
  visit.assertQuiet()
})

test('an apex that led here before it was added shows both records, and the sandbox fills both in', async () => {
  await using visit = await dashboard.visitAgain('/projects')
  const { page } = visit
  const zone = '/sandbox/zones/my-shop.test/records'
  const { id } = await dashboard.api(zone, 'POST', { type: 'A', name: '@', value: '127.0.0.1' })
  await publishOwnSite(dashboard.shop.petstore)
  await dashboard.api('/projects/petstore/domains', 'POST', { hostname: 'my-shop.test' })
  await dashboard.api(`${zone}/${id}`, 'DELETE')
  await open(page, '/projects/petstore/settings/domains/my-shop.test')
  await shows(page.locator('.record-table'), /ALIAS or ANAME.*TXT.*_petstore.*petstore-verify=/)
  await page.getByRole('link', { name: 'Open at the sandbox registrar' }).click()
  await page.getByRole('button', { name: 'Add record' }).click()
  await page.getByRole('cell', { name: 'ALIAS', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Add record' }).click()
  await page.getByRole('cell', { name: /petstore-verify=/ }).waitFor()
  await page.goBack()
  await page.getByRole('button', { name: 'Verify', exact: true }).click()
  await page.getByRole('heading', { level: 1, name: /live/ }).waitFor()
  visit.assertQuiet()
})

async function deploySite(page: Page): Promise<void> {
  const buffer = zipBytes([{ name: 'index.html', content: '<h1>Bare</h1>' }])
  await page.locator('input[accept]').setInputFiles({ name: 'site.zip', mimeType: 'application/zip', buffer })
  await page.getByText('Published: 1 file').waitFor()
}

/** A new project has the starter site at once: as it is where that could not be published. */
const forgetDeploys = defineWrite('test.forgetDeploys', async (db, { slug }: { slug: string }) => {
  const { id } = await db.selectFrom('projects').select('id').where('slug', '=', slug).executeTakeFirstOrThrow()
  await db.deleteFrom('active_deploys').where('project_id', '=', id).execute()
  await db.deleteFrom('deploys').where('project_id', '=', id).execute()
})

test('a project without a deploy is led to one, and from there to its domain', async () => {
  await using visit = await dashboard.visitAgain()
  const { page } = visit
  await dashboard.api('/projects', 'POST', { slug: 'bare', name: 'Bare' })
  await dashboard.api('/operator/projects/bare/plan', 'PUT', { plan: 'pro' })
  await dashboard.shop.petstore.storage.write(forgetDeploys, { slug: 'bare' })
  await page.goto(`${dashboard.origin}/projects/bare/settings/domains`)
  await page.getByText('First a site, then its domain').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Add domain' }).count(), 0)
  await page.getByRole('link', { name: 'Deploy a site' }).click()
  await page.getByText('Nothing deployed yet').waitFor()
  await deploySite(page)
  await goTo(page, 'Domains')
  await page.getByRole('button', { name: 'Add domain' }).waitFor()
  visit.assertQuiet()
})

test('a project on the free plan sees what Pro would give, and the way there', async () => {
  await using visit = await dashboard.visitAgain()
  const { page } = visit
  await dashboard.api('/projects', 'POST', { slug: 'corner-shop', name: 'Corner Pet Shop' })
  await page.goto(`${dashboard.origin}/projects/corner-shop/settings/domains`)
  await page.getByRole('heading', { name: 'Custom domains come with Pro' }).waitFor()
  assert.equal(await page.getByRole('button', { name: 'Add domain' }).count(), 0)
  await page.getByRole('link', { name: 'See the plans' }).click()
  await page.getByRole('button', { name: 'Change to Pro' }).click()
  await page.getByText('This project is on Pro now.').waitFor()
  await page.getByRole('tab', { name: 'Domains' }).click()
  await page.getByText('First a site, then its domain').waitFor()
  visit.assertQuiet()
})

/** A link that opens another window: the browser finds the site there, and brings nothing of the dashboard along. */
async function assertOpens(page: Page, link: string, host: string): Promise<void> {
  const asked = page.context().waitForEvent('request', (request) => new URL(request.url()).hostname === host)
  const [site] = await Promise.all([
    page.waitForEvent('popup'),
    page.getByRole('link', { name: link, exact: true }).click(),
  ])
  await site.waitForLoadState()
  assert.equal(new URL(site.url()).hostname, host)
  assert.equal((await (await asked).response())?.status(), 200)
  assert.equal((await (await asked).allHeaders())['cookie'], undefined)
  await site.close()
}
