import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { builtDashboard } from '../../src/pages/dashboard-build.ts'
import { violationsInBothSchemes } from '../harness/accessibility.ts'
import { until } from '../harness/until.ts'
import { type Dashboard, openDashboard, PHONE, type Visit, WINDOW } from './dashboard.ts'
import { open, PAGES, PAGES_OUTSIDE, settled } from './every-page.ts'
import { fillShop } from './filled-shop.ts'
import { oddTexts } from './page-text.ts'
import { arrowTo, overflows, shows, tabTo } from './steps.ts'

/** Opens a dialog on a page, by the name of the button that does. */
const DIALOGS = [
  ['/projects/petstore/production/animals', 'Add an animal'],
  ['/projects/petstore/production/orders', 'Place an order'],
  ['/projects/petstore/production/keys', 'Create key'],
  ['/projects/petstore/settings/members', 'Invite'],
  ['/projects/petstore/settings/domains', 'Add domain'],
  ['/projects/petstore/settings/domains/example.test', 'Send these to a colleague'],
  ['/projects/petstore/settings/domains/www.example.test', 'Switch on…'],
  ['/projects/petstore/settings/delete', 'Delete My pet shop…'],
  ['/sandbox/example.test', 'Add zone'],
  ['/projects', 'New project'],
] as const

let dashboard: Dashboard
before(async () => {
  dashboard = await openDashboard()
  await fillShop(dashboard)
  // Longer than a phone is wide, and not to be broken.
  const name = 'PrincessButtercupOfTheLongCorridorBehindTheKitchen'
  await dashboard.shop.call('/pets', { method: 'POST', body: { name, categoryId: 1 } })
  await dashboard.api('/projects', 'POST', { slug: 'long-name', name })
})
after(() => dashboard?.[Symbol.asyncDispose]())

/** What lies beyond the edge of its card, where nobody can click it. */
const CUT_OFF = `[...document.querySelectorAll('main .card :is(a, button, input)')]
  .filter((each) => !each.closest('pre, .settings-tabs') && each.getBoundingClientRect().width > 0)
  .filter((each) => each.getBoundingClientRect().right > each.closest('.card').getBoundingClientRect().right + 1)
  .map((each) => each.getAttribute('aria-label') ?? each.textContent)`
/** Pages with long names and values in their cards. */
const WIDE = /deploys|keys|domains|sandbox|operator/

async function assertGood({ page, assertQuiet }: Visit, path: string): Promise<void> {
  const found = await violationsInBothSchemes(page, path)
  found.push(...(await oddTexts(page)).map((line) => `reads oddly: ${line}`))
  for (const width of WIDE.test(path) ? [360, PHONE.width, 820] : [PHONE.width]) {
    await page.setViewportSize({ width, height: PHONE.height })
    if (await overflows(page)) found.push(`scrolls sideways at ${width}`)
    const cutOff = WIDE.test(path) ? await page.evaluate<string[]>(CUT_OFF) : []
    found.push(...cutOff.map((name) => `${name} is cut off at ${width}`))
  }
  await page.setViewportSize(WINDOW)
  assert.deepEqual(found, [])
  assertQuiet()
}

describe('axe finds nothing in light and dark, phones and tablets cut nothing off, nothing reads oddly', () => {
  let visit: Visit
  before(async () => {
    visit = await dashboard.visitAgain('/account')
  })
  after(() => visit?.[Symbol.asyncDispose]())

  for (const path of PAGES) {
    test(`on ${path}`, async () => {
      await open(visit.page, path)
      await assertGood(visit, path)
    })
  }
})

test('the same holds for a domain whose name is longer than a phone is wide', async () => {
  const hostname = 'princessbuttercupofthelongcorridorbehindthekitchen.example.test'
  await dashboard.api('/projects/petstore/domains', 'POST', { hostname })
  const path = `/projects/petstore/settings/domains/${hostname}`
  await using visit = await dashboard.visitAgain(path)
  await assertGood(visit, path)
})

test('the same holds for strangers on every page that they can see', async () => {
  await using stranger = await dashboard.visit({ signedOut: true })
  for (const path of PAGES_OUTSIDE) {
    await stranger.page.goto(dashboard.origin + path)
    await settled(stranger.page, path)
    await assertGood(stranger, path)
  }
})

test('headings, text and fields are drawn in the typeface that ships with the pages', async () => {
  await using visit = await dashboard.visitAgain('/projects/petstore/settings')
  const { page } = visit
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('DOM.enable')
  await devtools.send('CSS.enable')
  const { root } = await devtools.send('DOM.getDocument')
  for (const selector of ['h1', 'h2', 'main p', 'main label', 'main button']) {
    const { nodeId } = await devtools.send('DOM.querySelector', { nodeId: root.nodeId, selector })
    const { fonts } = await devtools.send('CSS.getPlatformFontsForNode', { nodeId })
    const drawn = fonts.map(({ familyName, isCustomFont }) => `${familyName}${isCustomFont ? '' : ' of the system'}`)
    assert.deepEqual(drawn, ['Inter'], selector)
  }
  await devtools.detach()
  const loaded = await page.evaluate<string[]>(
    `performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => name.endsWith('.woff2'))`,
  )
  assert.equal(loaded.length, 1, loaded.join())
  assert.equal(loaded[0]?.replace(/[\w-]+\.woff2$/, ''), `${dashboard.origin}/_app/immutable/`)
  visit.assertQuiet()
})

const TAB_IS_IN_VIEW = `(() => {
  const { left, right } = document.querySelector('[role=tab][aria-selected=true]').getBoundingClientRect()
  return left >= 0 && right <= innerWidth
})()`

/** What is drawn behind it, by the colours that somebody has chosen for all pages. */
const behind = (selector: string) => `getComputedStyle(document.querySelector('${selector}')).backgroundColor`

/** What hangs below the line, as in g and p. */
const LABEL_IS_CUT = `(() => {
  const { scrollHeight, clientHeight } = document.querySelector('.long-button .mantine-Button-label')
  return scrollHeight > clientHeight
})()`

const CHOSEN_WORDS = `[...document.querySelectorAll('.segments input:checked + span')].map(
  (chosen) => getComputedStyle(chosen).color,
)`

test('whoever has chosen the colours of all pages sees what is chosen, and the charts', async () => {
  await using visit = await dashboard.visitAgain('/projects/petstore')
  const { page } = visit
  await page.emulateMedia({ forcedColors: 'active' })
  const around = await page.evaluate<string>(behind('.card'))
  const isSeen = async (shown: string) =>
    assert.notEqual(await page.evaluate<string>(behind(shown)), around, `${shown} is seen`)
  for (const shown of ['.environment-switch input:checked + span', '.side-link[aria-current]']) await isSeen(shown)
  await isSeen('.chart-bar:not(.is-failed)')
  const [environment, range] = await page.evaluate<string[]>(CHOSEN_WORDS)
  assert.equal(environment, range, 'both are read on the same background')
  await open(page, '/projects/petstore/settings')
  await isSeen('[role=tab][data-active]')
  await page.emulateMedia({ forcedColors: null })
  visit.assertQuiet()
})

test('buttons of one word in a list have names that say what they are for', async () => {
  await using visit = await dashboard.visitAgain('/projects/petstore/settings/domains')
  const { page } = visit
  for (const hostname of ['example.test', 'shop.my-shop.test']) {
    await page.getByRole('button', { name: `Verify ${hostname}`, exact: true }).waitFor()
  }
  await open(page, '/projects/petstore/settings/members')
  await page.getByRole('button', { name: 'Withdraw the invitation of grace@example.com' }).waitFor()
  await page.getByRole('button', { name: 'Leave My pet shop' }).waitFor()
  visit.assertQuiet()
})

test('on a phone the open tab is to be seen', async () => {
  await using visit = await dashboard.visitAgain('/projects')
  const { page } = visit
  await page.setViewportSize({ width: 360, height: 740 })
  await open(page, '/projects/petstore/settings/audit')
  // Asked from here again and again: the page's policy forbids what Playwright would ask by itself.
  await until('the tab is in view', () => page.evaluate<boolean>(TAB_IS_IN_VIEW))
  // The button has the name of the project in it.
  await open(page, '/projects/long-name/settings/delete')
  assert.equal(await overflows(page), false)
  assert.equal(await page.evaluate<boolean>(LABEL_IS_CUT), false)
  visit.assertQuiet()
})

test('a page with tabs far below begins at its top, also when it is loaded by its address', async () => {
  await using visit = await dashboard.visitAgain('/account')
  const { page } = visit
  const path = '/projects/petstore/settings/domains/shop.my-shop.test'
  await page.goto(dashboard.origin + path)
  await settled(page, path)
  const tab = page.getByRole('tab', { selected: true })
  await until('what stands above the tabs is drawn', async () => Number((await tab.boundingBox())?.y) > WINDOW.height)
  assert.equal(await page.evaluate('scrollY'), 0)
  visit.assertQuiet()
})

test('dialogs are accessible in light and dark, take the focus, and give it back to what opened them', async () => {
  await using visit = await dashboard.visitAgain('/account')
  const { page } = visit
  for (const [path, button] of DIALOGS) {
    await open(page, path)
    const opener = page.getByRole('button', { name: button, exact: true }).first()
    await opener.focus()
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.locator(':focus').waitFor()
    assert.deepEqual(await violationsInBothSchemes(page, button, { within: '[role=dialog]' }), [])
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'hidden' })
    await page.locator(':focus', { hasText: button }).waitFor()
  }
  visit.assertQuiet()
})

test('a menu leads to its dialog and back by the keyboard alone', async () => {
  await using visit = await dashboard.visitAgain('/projects/petstore/settings/domains')
  const { page } = visit
  await page.getByRole('button', { name: 'Menu of example.test', exact: true }).focus()
  await page.keyboard.press('Enter')
  await page.getByRole('menuitem', { name: 'Verify' }).waitFor()
  await arrowTo(page, 'Redirect…')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog')
  await dialog.locator(':focus').waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'hidden' })
  await page.locator('[aria-label="Menu of example.test"]:focus').waitFor()
  visit.assertQuiet()
})

/** And what has it, once every timer is done that was begun before. */
const GO_ON_AND_LOSE_THE_FOCUS = `new Promise((resolve) => {
  const had = document.activeElement
  had.dispatchEvent(new KeyboardEvent('keydown', { key: 'Shift', bubbles: true }))
  had.blur()
  setTimeout(() => resolve(document.activeElement.tagName), 300)
})`

/** At what has the focus, when the press has been answered and nothing else been done. */
const PRESS_AND_LOOK_AT_ONCE = `(async () => {
  document.activeElement.click()
  await undefined
  return document.activeElement.ariaLabel ?? document.activeElement.tagName
})()`

test('an animal is added, found and sold by the keyboard alone', async () => {
  await using visit = await dashboard.visitAgain('/projects/petstore/staging/animals')
  const { page } = visit
  await tabTo(page, 'Add an animal')
  await page.keyboard.press('Enter')
  await page.getByRole('dialog').locator('input:focus').waitFor()
  await page.keyboard.type('Keyboard cat')
  // What was typed outlives an Escape that nobody meant.
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  const opener = page.locator('button:focus', { hasText: 'Add an animal' })
  await opener.waitFor()
  // Whoever goes on is left alone: a menu that opens has no focus for a moment.
  assert.equal(await page.evaluate(GO_ON_AND_LOSE_THE_FOCUS), 'BODY')
  await page.getByRole('button', { name: 'Add an animal' }).press('Enter')
  await page.getByRole('dialog').locator('input:focus').waitFor()
  assert.equal(await page.getByRole('dialog').getByLabel('Name').inputValue(), 'Keyboard cat')
  await page.keyboard.press('Tab')
  await page.keyboard.type('7')
  await page.keyboard.press('Enter')
  await page.getByRole('cell', { name: 'Keyboard cat', exact: true }).waitFor()
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await tabTo(page, 'Status of Keyboard cat')
  // The next key may come before the menu has the focus.
  assert.match(await page.evaluate(PRESS_AND_LOOK_AT_ONCE), /^Status of Keyboard cat/)
  await page.getByRole('menuitem', { name: 'Mark as sold' }).waitFor()
  await arrowTo(page, 'Mark as sold')
  await page.keyboard.press('Enter')
  await shows(page.getByRole('row', { name: /Keyboard cat/ }), /sold/)
  visit.assertQuiet()
})

test('a new page takes the focus to its heading, names itself, and the first tab stop skips the side bar', async () => {
  await using visit = await dashboard.visitAgain('/projects/petstore')
  const { page } = visit
  await page.getByRole('link', { name: 'Deploys' }).press('Enter')
  await page.locator('h1:focus', { hasText: 'Deploys' }).waitFor()
  assert.equal(await page.title(), 'Deploys · Petstore')
  await page.goto(`${dashboard.origin}/projects/petstore/deploys`)
  await settled(page, '/projects/petstore/deploys')
  await page.keyboard.press('Tab')
  await page.locator('.skip-link:focus', { hasText: 'Skip to content' }).waitFor()
  await page.keyboard.press('Enter')
  await page.locator('main:focus').waitFor()

  const titles = new Set<string>()
  for (const tab of ['', '/domains', '/members', '/plan', '/audit', '/delete']) {
    await open(page, `/projects/petstore/settings${tab}`)
    titles.add(await page.title())
  }
  assert.equal(titles.size, 6, [...titles].join(', '))
})

test('a viewer reads everything about a domain, and is offered nothing that would be refused', async () => {
  const { link } = await dashboard.api('/projects/petstore/invitations', 'POST', { role: 'viewer' })
  await using guest = await dashboard.visit({ signedOut: true })
  const { page } = guest
  await page.goto(link)
  await page.getByLabel('Your name').fill('Grace Example')
  await page.getByLabel('E-mail address').fill('grace@example.com')
  await page.getByLabel('Password', { exact: true }).fill('a much longer one')
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.waitForURL('**/projects/petstore')
  await open(page, '/projects/petstore/settings/domains/www.example.test')
  await shows(page.getByRole('region', { name: 'HTTPS only (HSTS)' }), /off/)
  await page.getByRole('tab', { name: 'Timeline' }).click()
  await shows(page.getByRole('region', { name: 'Timeline' }), /Certificate issued/)
  await open(page, '/projects/petstore/settings/domains')
  await shows(page.getByRole('region', { name: 'Recently removed' }), /old\.example\.test/)
  const offers = /^(?:Switch on…|Re-verify|Verify|Check what is served|Check DNS.*|Add domain|Menu of .*)$/
  assert.equal(await page.getByRole('main').getByRole('button', { name: offers }).count(), 0)
  await open(page, '/projects/petstore/settings/domains/www.example.test')
  for (const tab of ['Certificate', 'Instances', 'Evidence', 'Timeline']) {
    await page.getByRole('tab', { name: tab }).click()
    await page.getByRole('tabpanel', { name: tab }).waitFor()
    assert.equal(await page.getByRole('main').getByRole('button', { name: offers }).count(), 0)
  }
  assert.equal(await page.getByRole('main').getByRole('button', { name: offers }).count(), 0)
  guest.assertQuiet()
})

test('whoever wants less motion sees nothing that pulses for ever while a page waits', async () => {
  await using visit = await dashboard.visitAgain()
  const { page } = visit
  await page.goto(`${dashboard.origin}/projects`)
  await settled(page, '/projects')
  await page.route('**/platform/v1/**', () => {})
  await page.evaluate(`history.pushState(null, '', '/projects/petstore/production/animals')`)
  await page.locator('.waiting-bar').first().waitFor()
  const ends = await page.evaluate<number[]>(
    'document.getAnimations().map(({ effect }) => effect.getComputedTiming().endTime)',
  )
  assert.ok(ends.every(Number.isFinite), `they end after ${ends.join(', ')} ms`)
})

test('the first view needs less than 150 KB of compressed script, before and after signing in', async () => {
  for (const [path, signedOut] of [
    ['/sign-in', true],
    ['/projects/petstore', false],
  ] as const) {
    await using visit = await dashboard.visit({ signedOut })
    const { page } = visit
    const sizes: Promise<number>[] = []
    page.on('requestfinished', (request) => {
      if (request.resourceType() === 'script')
        sizes.push(request.sizes().then(({ responseBodySize }) => responseBodySize))
    })
    await page.goto(dashboard.origin + path)
    await settled(page, path)
    // Never idle: the stream of changes stays open.
    await page.waitForLoadState('load')
    const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0)
    assert.ok(bytes > 30_000 && bytes < 150_000, `${path}: ${bytes} bytes of script`)
    console.log(`# ${path}: ${Math.round(bytes / 1000)} KB of compressed script`)
  }
})

test('the first view of every page needs less than 150 KB of compressed script', async () => {
  const get = (path: string) =>
    fetch(`http://127.0.0.1:${dashboard.shop.config.baseUrl.port}${path}`, { headers: { 'Accept-Encoding': 'br' } })
  const scripts = new Map<string, { bytes: number; needs: string[]; loads: string[] }>()
  const read = async (name: string): Promise<void> => {
    if (scripts.has(name)) return
    scripts.set(name, { bytes: 0, needs: [], loads: [] })
    const answer = await get(`/_app/immutable/${name}`)
    const code = await answer.text()
    const needs = [...code.matchAll(/(?:import|from)\s*["']\.\/([\w.-]+\.js)["']/g)].map(([, file]) => file as string)
    const loads = [...code.matchAll(/import\(\s*["'`]\.\/([\w.-]+\.js)["'`]/g)].map(([, file]) => file as string)
    scripts.set(name, { bytes: Number(answer.headers.get('content-length')), needs, loads })
    await Promise.all([...needs, ...loads].map(read))
  }
  const entry = /\/_app\/immutable\/([\w.-]+\.js)/.exec(await (await get('/')).text())?.[1] as string
  await read(entry)
  const nameOf = (file: string) => file.replace(/-[\w-]{8}\.js$/, '')
  const named = (name: string) => [...scripts.keys()].find((file) => nameOf(file) === name) as string
  const withNeeds = (files: readonly string[]) => {
    const all = new Set(files)
    for (const file of all) scripts.get(file)?.needs.forEach((needed) => all.add(needed))
    return all
  }
  const pages = [...scripts.keys()].filter((file) => /-(?:page|pages|settings)$/.test(nameOf(file)))
  assert.ok(pages.length > 15, pages.join(', '))
  const inSettings = scripts.get(named('settings-pages'))?.loads ?? []
  const sizes = pages.map((file) => {
    const before = inSettings.includes(file) ? [named('settings-pages')] : []
    const needed = withNeeds([entry, named('signed-in'), ...before, file])
    const bytes = [...needed].reduce((sum, each) => sum + (scripts.get(each)?.bytes ?? 0), 0)
    return { page: nameOf(file), bytes }
  })
  sizes.sort((a, b) => b.bytes - a.bytes)
  console.log(`# ${sizes.map(({ page, bytes }) => `${page} ${Math.round(bytes / 1000)}`).join(', ')} KB`)
  assert.deepEqual(
    sizes.filter(({ bytes }) => bytes >= 150_000),
    [],
  )
})

test('every component that the scripts name has its styles, and no other has', async () => {
  const built = join((await builtDashboard()) as string, '_app/immutable')
  const styles = join(import.meta.dirname, '../../node_modules/@mantine/core/styles')
  const textOf = (folder: string, pattern: string) =>
    globSync(pattern, { cwd: folder }).map((file) => ({ file, text: readFileSync(join(folder, file), 'utf8') }))
  const classesIn = (texts: { text: string }[]) =>
    new Set(texts.flatMap(({ text }) => text.match(/\bm_[0-9a-f]{6,8}/g) ?? []))
  const components = textOf(styles, '*.layer.css').map((each) => ({ ...each, classes: classesIn([each]) }))
  const having = (known: ReadonlySet<string>) =>
    components.filter(({ classes }) => !classes.isDisjointFrom(known)).map(({ file }) => file)
  assert.deepEqual(having(classesIn(textOf(built, '*.css'))), having(classesIn(textOf(built, '*.js'))))
})

test('pages forbid inline scripts, hashed files are kept for ever, and nothing else is', async () => {
  const get = (path: string, headers = {}) =>
    fetch(`http://127.0.0.1:${dashboard.shop.config.baseUrl.port}${path}`, { headers })
  const index = await get('/')
  const policy = index.headers.get('content-security-policy') ?? ''
  assert.match(policy, /default-src 'none'.*script-src 'self';.*style-src 'self' 'nonce-[^']+';/)
  assert.doesNotMatch(policy, /unsafe/)
  assert.equal(index.headers.get('cache-control'), 'no-store')
  const html = await index.text()
  assert.doesNotMatch(html, /<script(?![^>]*\ssrc=)/)
  assert.notEqual(
    /style-nonce" content="([^"]+)"/.exec(html)?.[1],
    /style-nonce" content="([^"]+)"/.exec(await (await get('/')).text())?.[1],
  )
  const asset = /\/_app\/immutable\/[\w.-]+\.js/.exec(html)?.[0] as string
  const sent = await get(asset, { 'Accept-Encoding': 'br' })
  assert.equal(sent.headers.get('cache-control'), 'public, max-age=31536000, immutable')
  assert.equal(sent.headers.get('content-encoding'), 'br')
  assert.equal((await get('/_app/immutable/old-file.js')).status, 404)
  assert.equal((await get('/projects/any/page')).status, 200)
  assert.equal((await get('/nothing-here', { Accept: 'text/html' })).status, 404)
  const program = await get('/nothing-here', { Accept: '*/*' })
  assert.equal(((await program.json()) as { code: string }).code, 'not_found')
})
