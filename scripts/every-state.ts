import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page, Route } from 'playwright-core'
import { type Dashboard, PHONE, type VisitOptions, WINDOW } from '../test/browser/dashboard.ts'
import { PAGES, PAGES_OUTSIDE } from '../test/browser/every-page.ts'
import { violations } from '../test/harness/accessibility.ts'

/**
 * Every page in every state, to be looked at: `screenshots.ts --every-state FOLDER [part of a name …]`. Axe looks, too,
 * and what it finds is told at the end.
 */

type State = 'full' | 'empty' | 'loading' | 'error' | 'offline'

interface Look extends VisitOptions {
  name: string
  states: readonly State[]
}

const LOOKS: readonly Look[] = [
  { name: 'light', states: ['full', 'empty', 'loading', 'error', 'offline'] },
  { name: 'dark', colorScheme: 'dark', states: ['full', 'empty', 'loading', 'error', 'offline'] },
  { name: 'phone', viewport: PHONE, states: ['full', 'empty', 'loading', 'error', 'offline'] },
  { name: 'small-phone', viewport: { width: 360, height: 740 }, states: ['full'] },
  { name: 'desk', viewport: { width: 1440, height: 900 }, states: ['full'] },
  { name: 'wall', viewport: { width: 3840, height: 2160 }, states: ['full'] },
]

/** What the frame needs: without it there is no page whose state could be shown. */
const OF_THE_FRAME = /\/platform\/v1\/(?:session|installation|projects)$/
const API = '**/platform/v1/**'
const FAILURE = { code: 'internal_error', message: 'Something went wrong on our side. Try again.', status: 500 }
/** What comes late, such as fonts and the last lines of a table. */
const SETTLES_MS = 350

export async function picturesOfEveryState(
  dashboard: Dashboard,
  folder: string,
  wanted: readonly string[],
): Promise<void> {
  await mkdir(folder, { recursive: true })
  const made: string[] = []
  const found: string[] = []
  for (const { states, name: look, ...options } of LOOKS) {
    for (const state of states) {
      const shots = pathsOf(state)
        .map((path) => ({ path, name: `${state}-${look}-${fileName(path)}.png` }))
        .filter(({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)))
      for (const signedOut of [false, true]) {
        const those = shots.filter(({ path }) => PAGES_OUTSIDE.includes(path) === signedOut)
        if (those.length === 0) continue
        // One window for all of them: its scripts are there and compiled.
        await using visit = await dashboard.visit({ ...options, signedOut })
        await bringAbout(visit.page, state)
        for (const { path, name } of those) {
          await picture(dashboard, visit.page, { path, state, file: join(folder, name) })
          found.push(...(await violations(visit.page, name)))
          made.push(name)
        }
      }
    }
  }
  await writeFile(join(folder, 'index.html'), indexOf(made))
  console.log([`${made.length} pictures; axe found ${found.length}.`, ...found].join('\n'))
  if (found.length > 0) process.exitCode = 1
}

function pathsOf(state: State): string[] {
  if (state === 'full') return [...PAGES, ...PAGES_OUTSIDE]
  const pages = PAGES.filter((path) => !/nowhere|none|corner-shop|domains\/(?!www)/.test(path))
  // Its code and its answers are there: nothing fails, so that nothing is told.
  if (state === 'offline') return pages.filter((path) => !path.startsWith('/account'))
  if (state !== 'empty') return pages
  // A project in which nobody has done anything.
  return pages
    .filter((path) => path.startsWith('/projects/petstore') && !path.includes('/domains/'))
    .map((path) => path.replace('petstore', 'corner-shop'))
}

const fileName = (path: string) => path.slice(1).replaceAll(/[^\w.]+/g, '-') || 'home'

async function bringAbout(page: Page, state: State): Promise<void> {
  if (state === 'loading') await page.route(API, (route) => (isOfFrame(route) ? route.continue() : undefined))
  if (state === 'error') {
    await page.route(API, (route) =>
      isOfFrame(route) ? route.continue() : route.fulfill({ status: 500, json: FAILURE }),
    )
  }
}

interface Shot {
  path: string
  state: State
  file: string
}

async function picture(dashboard: Dashboard, page: Page, { path, state, file }: Shot): Promise<void> {
  const { width, height: least } = page.viewportSize() ?? WINDOW
  if (state === 'offline') {
    // Whatever was broken loads itself again as soon as it can.
    await page.goto('about:blank')
    await page.context().setOffline(false)
    await page.goto(`${dashboard.origin}/account`)
    await page.locator('h1').first().waitFor()
    await page.context().setOffline(true)
    await page.evaluate(`history.pushState(null, '', ${JSON.stringify(path)})`)
  } else {
    await page.goto(dashboard.origin + path)
  }
  await page.locator(SHOWN_IN[state]).first().waitFor()
  if (state !== 'loading') await page.locator('.waiting-bar').first().waitFor({ state: 'hidden' })
  await page.waitForTimeout(SETTLES_MS)
  const height = Number(await page.evaluate('document.documentElement.scrollHeight'))
  await page.setViewportSize({ width, height: Math.max(height, least) })
  await page.screenshot({ path: file, animations: 'disabled' })
  await page.setViewportSize({ width, height: least })
}

/** What there is to be seen then. */
const SHOWN_IN: Record<State, string> = {
  full: 'h1',
  empty: 'h1',
  loading: '.waiting-bar, h1',
  error: '[role=alert], h1',
  offline: '.offline-text, [role=alert]',
}

const isOfFrame = (route: Route) => OF_THE_FRAME.test(new URL(route.request().url()).pathname)

/** One page with all of them, to be looked over. */
function indexOf(files: readonly string[]): string {
  const figures = files.map((file) => `<figure><figcaption>${file}</figcaption><img src="${file}"></figure>`)
  const style = 'body{columns:4;font:12px sans-serif}figure{margin:0 0 1em;break-inside:avoid}img{width:100%}'
  return `<!doctype html><title>Every state</title><style>${style}</style>${figures.join('\n')}`
}
