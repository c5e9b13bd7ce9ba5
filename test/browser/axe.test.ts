import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { COLOUR_RULES, violations } from '../harness/accessibility.ts'
import { launchBrowser } from '../harness/browser.ts'
import { type Dashboard, openDashboard } from './dashboard.ts'
import { open, PAGES, PAGES_OUTSIDE, settled } from './every-page.ts'
import { fillShop } from './filled-shop.ts'

let browser: Browser
let dashboard: Dashboard
before(async () => {
  browser = await launchBrowser()
  dashboard = await openDashboard()
  await fillShop(browser, dashboard)
})
after(async () => {
  await browser?.close()
  await dashboard?.[Symbol.asyncDispose]()
})

for (const colorScheme of ['light', 'dark'] as const) {
  test(`axe finds nothing on any page in ${colorScheme}, and no page complains or asks anybody else`, async () => {
    // The scheme changes nothing but colours.
    const judgement = colorScheme === 'dark' ? { rules: COLOUR_RULES } : {}
    const found: string[] = []
    await using visit = await dashboard.visit(browser, { colorScheme })
    await visit.page.goto(`${dashboard.origin}/projects`)
    for (const path of PAGES) {
      await open(visit.page, path)
      found.push(...(await violations(visit.page, path, judgement)))
    }
    await using stranger = await dashboard.visit(browser, { colorScheme, signedOut: true })
    for (const path of PAGES_OUTSIDE) {
      await stranger.page.goto(dashboard.origin + path)
      await settled(stranger.page, path)
      found.push(...(await violations(stranger.page, path, judgement)))
    }
    assert.deepEqual(found, [])
    visit.assertQuiet()
    stranger.assertQuiet()
  })
}
