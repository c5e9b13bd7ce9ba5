import type { Page } from 'playwright-core'

/** Every page that somebody who is signed in can see, in the shop of `filled-shop.ts`. */
export const PAGES = [
  '/projects',
  '/projects/petstore',
  '/projects/petstore/production/animals',
  '/projects/petstore/staging/animals',
  '/projects/petstore/production/orders',
  '/projects/petstore/production/keys',
  '/projects/petstore/production/requests',
  '/projects/petstore/deploys',
  '/projects/petstore/webhooks',
  '/projects/petstore/settings',
  '/projects/petstore/settings/domains',
  '/projects/petstore/settings/domains/www.example.test',
  '/projects/petstore/settings/domains/example.test',
  '/projects/petstore/settings/domains/shop.my-shop.test',
  '/projects/petstore/settings/domains/old.example.test',
  '/projects/petstore/settings/members',
  '/projects/petstore/settings/tokens',
  '/projects/petstore/settings/plan',
  '/projects/petstore/settings/audit',
  '/projects/petstore/settings/delete',
  '/projects/corner-shop/settings/domains',
  '/projects/corner-shop/staging/orders',
  '/account',
  '/account/security',
  '/account/sessions',
  '/account/activity',
  '/sandbox/example.test',
  '/operator',
  '/operator/health',
  '/operator/names',
  '/nowhere',
  '/projects/none',
]
export const PAGES_OUTSIDE = ['/sign-in', '/sign-up', '/forgot', '/join', '/password#not-a-link']

/** What somebody was told on the page before. */
const MESSAGES = '.mantine-Notification-root'

/**
 * As a click on a link would, without loading everything again, which takes half a second of a processor; from a page
 * that leads nowhere by itself, and is not the same one.
 */
export async function open(page: Page, path: string): Promise<void> {
  await page.locator('#main').waitFor()
  await closeMessages(page)
  await page.evaluate(`history.pushState(null, '', ${JSON.stringify(path)})`)
  // The address changes at once: the page before would still have a heading, and nothing to load.
  const [pathname = ''] = path.split('?')
  await page.locator(`#main[data-path="${pathname}"] h1`).first().waitFor()
  await settled(page, pathname)
}

export async function closeMessages(page: Page): Promise<void> {
  await page.evaluate(`document.querySelectorAll('.mantine-Notification-closeButton').forEach((each) => each.click())`)
  await page.locator(MESSAGES).first().waitFor({ state: 'detached' })
}

export async function settled(page: Page, path: string): Promise<void> {
  await page.waitForURL((url) => url.pathname + url.hash === path)
  await page.locator('h1').first().waitFor()
  await page.locator('.waiting-bar').first().waitFor({ state: 'hidden' })
}
