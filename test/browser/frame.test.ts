import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Locator, Route } from 'playwright-core'
import { violationsInBothSchemes } from '../harness/accessibility.ts'
import { until } from '../harness/until.ts'
import { type Dashboard, openOwnersDashboard, OWNER, PASSWORD } from './dashboard.ts'
import { open, settled } from './every-page.ts'
import { goTo, shows } from './steps.ts'

let dashboard: Dashboard
before(async () => {
  dashboard = await openOwnersDashboard()
})
after(() => dashboard?.[Symbol.asyncDispose]())

test('a service that does not answer is told as such on every page, and comes back by itself', async () => {
  await using visit = await dashboard.visit()
  const { page } = visit
  const banner = page.locator('.offline-text')
  const gone = () => banner.waitFor({ state: 'detached' })
  const say = (what: 'online' | 'offline') => page.evaluate(`dispatchEvent(new Event('${what}'))`)
  const takeAway = () => page.route('**/platform/v1/**', (route) => route.abort())
  await page.clock.install()
  await takeAway()
  await page.goto(`${dashboard.origin}/projects`)
  await shows(banner, /The service does not answer/)
  await page.unrouteAll()
  await gone()
  // A service on this machine needs no network.
  const answered = page.waitForResponse('**/platform/v1/session')
  await say('offline')
  await answered
  assert.equal(await banner.count(), 0)
  await open(page, '/projects/petstore/production/animals')

  // The pause between two questions does not pass: that there is a network again ends it.
  await page.clock.pauseAt(Date.now() + 60_000)
  await takeAway()
  await say('offline')
  await shows(banner, /The service does not answer/)
  await page.unrouteAll()
  await say('online')
  await gone()
  await page.clock.resume()

  await page.context().setOffline(true)
  // Chromium tells the page of it a moment before it keeps requests back: its own question may still be answered.
  await until('requests find nobody', () => page.evaluate<boolean>(`fetch('/').then(() => false, () => true)`))
  await say('offline')
  await shows(banner, /The service does not answer/)
  assert.deepEqual(await violationsInBothSchemes(page, 'offline'), [])
  await goTo(page, 'Deploys')
  await page.getByRole('heading', { level: 1, name: 'The service does not answer' }).waitFor()
  await page.context().setOffline(false)
  await page.getByRole('heading', { level: 1, name: 'Deploys' }).waitFor()
  assert.equal(await banner.count(), 0)
})

test('a link that cannot be looked at again leaves what was typed behind it', async () => {
  const { link } = await dashboard.api('/projects/petstore/invitations', 'POST', { role: 'viewer' })
  await using visit = await dashboard.visit({ signedOut: true })
  const { page } = visit
  await page.goto(link)
  await page.getByLabel('Your name').fill('Grace Example')
  const json = { code: 'not_found', message: 'It has been used.', status: 404 }
  await page.route('**/platform/v1/links/inspect', (route) => route.fulfill({ status: 404, json }))
  const refused = page.waitForResponse('**/platform/v1/links/inspect')
  await page.route('**/platform/v1/session', (route) => route.abort())
  await page.evaluate(`dispatchEvent(new Event('offline'))`)
  await page.locator('.offline-text').waitFor()
  await page.unroute('**/platform/v1/session')
  await (await refused).finished()
  await page.locator('.offline-text').waitFor({ state: 'detached' })
  await page.getByLabel('E-mail address').fill('grace@example.com')
  await page.getByLabel('Password', { exact: true }).fill('a much longer one')
  assert.equal(await page.getByLabel('Your name').inputValue(), 'Grace Example')
})

test('what is done leads on from the page where it was asked for, and from no other', async () => {
  await using visit = await dashboard.visitAgain('/projects')
  const { page } = visit
  const late = Promise.withResolvers<void>()
  await page.route('**/platform/v1/projects', async (route) => {
    if (route.request().method() === 'POST') await late.promise
    await route.continue()
  })
  const dialog = page.getByRole('dialog')
  const create = async (name: string) => {
    await page.getByRole('button', { name: 'New project' }).first().click()
    await dialog.getByLabel('Name').fill(name)
    const sent = page.waitForRequest((request) => request.method() === 'POST')
    await dialog.getByRole('button', { name: 'Create project' }).click()
    await sent
  }
  await create('Late shop')
  await page.evaluate(`history.pushState(null, '', '/projects/petstore')`)
  await dialog.waitFor({ state: 'detached' })
  late.resolve()
  await page.getByRole('button', { name: /^My pet shop/ }).click()
  await page.getByRole('menuitem', { name: 'Late shop' }).waitFor()
  assert.equal(new URL(page.url()).pathname, '/projects/petstore')
  await page.getByRole('menuitem', { name: 'All projects' }).click()
  await create('Early shop')
  await page.locator('#main[data-path="/projects/early-shop"] h1').waitFor()
  await dialog.waitFor({ state: 'detached' })
  assert.equal(new URL(page.url()).pathname, '/projects/early-shop')

  // Nor from a dialog that was opened again meanwhile, for the next one.
  const third = Promise.withResolvers<void>()
  await page.route('**/platform/v1/projects', async (route) => {
    if (route.request().method() === 'POST') await third.promise
    await route.continue()
  })
  await open(page, '/projects')
  await create('Third shop')
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'New project' }).first().click()
  await dialog.getByLabel('Name').fill('Fourth shop')
  third.resolve()
  await page.getByText('Third shop').first().waitFor()
  assert.equal(new URL(page.url()).pathname, '/projects')
  assert.equal(await dialog.getByLabel('Name').inputValue(), 'Fourth shop')

  // What takes a project away leads away from each of its pages.
  const deleted = Promise.withResolvers<void>()
  await page.route('**/platform/v1/projects/early-shop', async (route) => {
    if (route.request().method() === 'DELETE') await deleted.promise
    await route.continue()
  })
  await open(page, '/projects/early-shop/settings/delete')
  await page.getByRole('button', { name: 'Delete Early shop…' }).click()
  await dialog.getByLabel(/^Type early-shop/).fill('early-shop')
  await dialog.getByRole('button', { name: 'Delete for ever' }).click()
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await dialog.waitFor({ state: 'detached' })
  await goTo(page, 'Deploys')
  await page.locator('#main[data-path="/projects/early-shop/deploys"] h1').waitFor()
  deleted.resolve()
  await page.getByText('Early shop has been deleted.').waitFor()
  assert.equal(new URL(page.url()).pathname, '/projects')

  // Nor does another address, from a page that is none of the project's.
  const moved = Promise.withResolvers<void>()
  await page.route('**/platform/v1/projects/late-shop', async (route) => {
    if (route.request().method() === 'PATCH') await moved.promise
    await route.continue()
  })
  await open(page, '/projects/late-shop/settings')
  await page.getByLabel('Slug').fill('later-shop')
  await page.getByRole('button', { name: 'Change address' }).click()
  await open(page, '/account')
  await page.getByLabel('Your name').fill('Ada Lovelace')
  moved.resolve()
  await page.getByText('The address has been changed.').waitFor()
  assert.equal(new URL(page.url()).pathname, '/account')
  assert.equal(await page.getByLabel('Your name').inputValue(), 'Ada Lovelace')
})

test('the answer to a question from before does not speak for a service that went since', async () => {
  await using visit = await dashboard.visit()
  const { page } = visit
  const doubt = () => page.evaluate(`dispatchEvent(new Event('offline'))`)
  await page.goto(`${dashboard.origin}/projects`)
  await settled(page, '/projects')
  const first = Promise.withResolvers<Route>()
  await page.route('**/platform/v1/session', (route) => first.resolve(route), { times: 1 })
  await doubt()
  const asked = await first.promise
  await page.route('**/platform/v1/**', (route) => route.abort())
  await doubt()
  await asked.continue()
  await shows(page.locator('.offline-text'), /The service does not answer/)
})

test('a session that ends asks for the password in place, and the draft is still there', async () => {
  await using visit = await dashboard.visit({ signedOut: true })
  const { page } = visit
  const signIn = async () => {
    await page.getByLabel('Password', { exact: true }).fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  }
  await page.goto(`${dashboard.origin}/sign-in?to=/projects/petstore/production/animals`)
  await page.getByLabel('E-mail address').fill(OWNER.email)
  await signIn()
  await page.getByRole('button', { name: 'Add an animal' }).first().click()
  const form = page.getByRole('dialog', { name: 'Add an animal to production' })
  await form.getByLabel('Name').fill('Draft')
  await form.getByLabel('Category').fill('3')
  await dashboard.api('/sessions/end-others', 'POST')
  await form.getByRole('button', { name: 'Add', exact: true }).click()

  const dialog = page.getByRole('dialog', { name: 'Your session has ended' })
  await shows(dialog, /What you have typed is still there/)
  assert.equal(await dialog.getByLabel('E-mail address').inputValue(), OWNER.email)
  assert.deepEqual(await violationsInBothSchemes(page, 'ended', { within: '[role=dialog]' }), [])
  await signIn()
  await dialog.waitFor({ state: 'hidden' })
  assert.equal(await form.getByLabel('Name').inputValue(), 'Draft')
  await form.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('cell', { name: 'Draft', exact: true }).waitFor()

  // Signed in again in another tab: whoever comes back here is not asked a second time.
  await dashboard.api('/sessions/end-others', 'POST')
  // Not by a click: the page may have heard of it already, and asks.
  await page.evaluate(`history.pushState(null, '', '/projects/petstore/production/orders')`)
  await dialog.waitFor()
  const data = { email: OWNER.email, password: PASSWORD }
  await page
    .context()
    .request.post(`${dashboard.origin}/platform/v1/sign-in`, { data, headers: { Origin: dashboard.origin } })
  await page.evaluate(`dispatchEvent(new Event('focus'))`)
  await dialog.waitFor({ state: 'hidden' })
  await shows(page.locator('main'), /No orders in production yet/)
  visit.assertQuiet()
})

test('a section that could not be loaded says which one it is, and comes when it is tried again', async () => {
  await using visit = await dashboard.visitAgain('/projects')
  const { page } = visit
  const message = 'It is not a good moment.'
  const refuse = (route: Route) => route.fulfill({ status: 403, json: { code: 'forbidden', message, status: 403 } })
  for (const [path, ...sections] of [
    [
      '/projects/petstore/production/requests',
      'Requests to production',
      'Failed requests to production',
      'Visits of the site',
    ],
    ['/operator', 'Projects', 'Accounts'],
    ['/operator/health', 'Instances', 'Queue of work'],
    ['/operator/names', 'Certificates of the platform', 'Names of the platform'],
  ] as const) {
    await page.route(
      /\/platform\/v1\/(?:operator\/|projects\/petstore\/(?:requests|traffic|failed-requests)\b)/,
      refuse,
    )
    await open(page, path)
    const regions = sections.map((name) => page.getByRole('region', { name, exact: true }))
    for (const region of regions) await shows(region, /could not be loaded.*It is not a good moment\./)
    assert.equal(await page.locator('.trouble').count(), sections.length)
    if (path === '/operator') assert.deepEqual(await violationsInBothSchemes(page, 'refused'), [])
    await page.unrouteAll()
    for (const region of regions) await region.getByRole('button', { name: 'Try again' }).click()
    await page.locator('.trouble').first().waitFor({ state: 'detached' })
  }

  // Neither are news that could not be loaded none, nor is a list at its end whose older part could not be.
  await dashboard.api('/projects', 'POST', { slug: 'kiosk', name: 'Kiosk' })
  for (let at = 1; at <= 50; at++) await dashboard.api('/projects/kiosk', 'PATCH', { name: `Kiosk ${at}` })
  await page.route('**/kiosk/notifications', refuse)
  await page.route('**/kiosk/audit?*cursor=*', refuse)
  await page.goto(`${dashboard.origin}/projects/kiosk/settings/audit`)
  await page.getByRole('button', { name: 'News' }).click()
  const news = page.getByRole('dialog')
  await shows(news, /could not be loaded.*It is not a good moment\./)
  await page.getByRole('button', { name: 'Show older entries' }).click()
  await shows(page.locator('main .trouble'), /It is not a good moment\./)
  await page.unrouteAll()
  await page.getByRole('button', { name: 'Show older entries' }).click()
  await page.getByText('Project kiosk created').waitFor()
  await page.getByRole('button', { name: 'News' }).click()
  await news.getByRole('button', { name: 'Try again' }).click()
  await shows(news, /Nothing yet/)
  visit.assertQuiet()
})

/**
 * Goes on where the script of a page has been loaded and run, and the page has heard so; the address of a script has
 * its name. It is run when its styles are there, which come beside it in any order: whoever asks for the same style
 * later hears of it later.
 */
const codeOf = (name: string) => `(async () => {
  const loaded = performance.getEntriesByType('resource').map((each) => each.name)
  const script = loaded.find((each) => each.includes('/${name}-') && each.endsWith('.js'))
  if (script === undefined) return false
  const heard = ({ href }) => new Promise((onload, onerror) => {
    document.head.append(Object.assign(document.createElement('link'), { rel: 'stylesheet', href, onload, onerror }))
  })
  await Promise.all([...document.querySelectorAll('link[rel=stylesheet]')].map(heard))
  await import(script)
  return true
})()`

/** What the page shows when a press on what has the focus has been answered, and nothing else been done. */
const PRESS_AND_LOOK_AT_ONCE = `(async () => {
  document.activeElement.click()
  await undefined
  const shown = document.querySelector('#main')
  // Of these pages only the outline has cards before there are answers.
  return shown.querySelector('.waiting-bar.is-card') ? 'an outline' : shown.querySelector('h1').textContent
})()`

test('a page that somebody points at, or comes to by the keyboard, is drawn at once without its outline', async () => {
  await using visit = await dashboard.visit()
  const { page } = visit
  await page.goto(`${dashboard.origin}/projects/petstore/production/animals`)
  await settled(page, '/projects/petstore/production/animals')
  const atOnce = async (target: Locator, file: string) => {
    await until(`${file} is there`, () => page.evaluate<boolean>(codeOf(file)))
    await target.focus()
    return page.evaluate<string>(PRESS_AND_LOOK_AT_ONCE)
  }
  const link = (name: string) => page.getByRole('link', { name, exact: true })
  await link('Webhooks').hover()
  assert.equal(await atOnce(link('Webhooks'), 'webhooks-page'), 'Webhooks')
  await link('Deploys').focus()
  assert.equal(await atOnce(link('Deploys'), 'deploys-page'), 'Deploys')
  await open(page, '/projects/petstore/settings')
  const tab = page.getByRole('tab', { name: 'Members' })
  await tab.hover()
  assert.equal(await atOnce(tab, 'members-settings'), 'Members')
  visit.assertQuiet()
})
