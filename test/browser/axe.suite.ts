import assert from 'node:assert/strict'
import { test } from 'node:test'
import { launchBrowser } from '../harness/browser.ts'
import { openDashboard } from './dashboard.ts'
import { open, PAGES, PAGES_OUTSIDE, settled, violations } from './every-page.ts'
import { fillShop } from './filled-shop.ts'

/** One scheme is one file: judging the colours of every page takes a minute of a slow machine. */
export function testPages(colorScheme: 'light' | 'dark'): void {
  test(`axe finds nothing on any page in the ${colorScheme} scheme, and no page complains or asks anybody else`, async () => {
    await using dashboard = await openDashboard()
    await using browser = await launchBrowser()
    await fillShop(browser, dashboard)
    const found: string[] = []
    await using visit = await dashboard.visit(browser, { colorScheme })
    await visit.page.goto(dashboard.origin)
    for (const path of PAGES) {
      await open(visit.page, path)
      found.push(...(await violations(visit.page, path)))
    }
    await using stranger = await dashboard.visit(browser, { colorScheme, signedOut: true })
    for (const path of PAGES_OUTSIDE) {
      await stranger.page.goto(dashboard.origin + path)
      await settled(stranger.page, path)
      found.push(...(await violations(stranger.page, path)))
    }
    assert.deepEqual(found, [])
    visit.assertQuiet()
    stranger.assertQuiet()
  })
}
