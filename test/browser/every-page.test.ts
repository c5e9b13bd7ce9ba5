import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { violationsInBothSchemes } from '../harness/accessibility.ts'
import { launchBrowser } from '../harness/browser.ts'
import { type Dashboard, openDashboard, PHONE, WINDOW } from './dashboard.ts'
import { open, PAGES, PAGES_OUTSIDE, settled } from './every-page.ts'
import { fillShop } from './filled-shop.ts'
import { overflows } from './steps.ts'

let browser: Browser
let dashboard: Dashboard
before(async () => {
  browser = await launchBrowser()
  dashboard = await openDashboard()
  await fillShop(dashboard)
})
after(async () => {
  await browser?.close()
  await dashboard?.[Symbol.asyncDispose]()
})

test('on every page axe finds nothing in light and dark, nothing overflows on a phone, nothing complains', async () => {
  const found: string[] = []
  const judge = async (page: Page, path: string) => {
    found.push(...(await violationsInBothSchemes(page, path)))
    await page.setViewportSize(PHONE)
    if (await overflows(page)) found.push(`${path}: scrolls sideways on a phone`)
    await page.setViewportSize(WINDOW)
  }
  await using visit = await dashboard.visit(browser)
  await visit.page.goto(`${dashboard.origin}/projects`)
  for (const path of PAGES) {
    await open(visit.page, path)
    await judge(visit.page, path)
  }
  await using stranger = await dashboard.visit(browser, { signedOut: true })
  for (const path of PAGES_OUTSIDE) {
    await stranger.page.goto(dashboard.origin + path)
    await settled(stranger.page, path)
    await judge(stranger.page, path)
  }
  assert.deepEqual(found, [])
  visit.assertQuiet()
  stranger.assertQuiet()
})

const CLIPPED = `[...document.querySelectorAll('main .card :is(a, button, input)')]
  .filter((each) => !each.closest('pre, .settings-tabs') && each.getBoundingClientRect().width > 0)
  .filter((each) => each.getBoundingClientRect().right > each.closest('.card').getBoundingClientRect().right + 1)
  .map((each) => each.getAttribute('aria-label') ?? each.textContent)`

test('what can be clicked is cut off neither on phones nor on a tablet, and the open tab is to be seen', async () => {
  await using visit = await dashboard.visit(browser)
  const { page } = visit
  await page.goto(`${dashboard.origin}/projects`)
  const cut: string[] = []
  for (const path of PAGES.filter((each) => /deploys|keys|domains|sandbox/.test(each))) {
    await open(page, path)
    for (const width of [360, 390, 820]) {
      await page.setViewportSize({ width, height: 844 })
      const found = await page.evaluate<string[]>(CLIPPED)
      if (found.length > 0) cut.push(`${path} at ${width}: ${found.join(', ')}`)
    }
  }
  assert.deepEqual(cut, [])
  await page.setViewportSize({ width: 360, height: 740 })
  await open(page, '/projects/petstore/settings/audit')
  await page.waitForFunction(`(() => {
    const { left, right } = document.querySelector('[role=tab][aria-selected=true]').getBoundingClientRect()
    return left >= 0 && right <= innerWidth
  })()`)
  visit.assertQuiet()
})
