import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'

/** The rules that look at colours: all that differs between two schemes. */
export const COLOUR_RULES = ['color-contrast', 'link-in-text-block']

interface Judgement {
  /** A part of the page instead of all of it. */
  within?: string
  /** These rules only. */
  rules?: readonly string[]
  without?: readonly string[]
}

/** Nothing is judged or read that the browser has not laid out yet, because it is far away. */
export const LAY_OUT_ALL = `(() => {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync('* { content-visibility: visible !important }')
  document.adoptedStyleSheets.push(sheet)
})()`

const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

/** What axe has against the page as it is now. */
export async function violations(page: Page, where: string, judgement: Judgement = {}): Promise<string[]> {
  const { within = 'html', rules, without = [] } = judgement
  // It is half a megabyte of script, and stays until the document goes.
  if ((await page.evaluate('typeof axe')) === 'undefined') await page.evaluate(AXE)
  const options = {
    resultTypes: ['violations'],
    // No rule that is on reads style sheets, which it would take apart every time.
    preload: { assets: ['media'] },
    rules: Object.fromEntries(without.map((rule) => [rule, { enabled: false }])),
    ...(rules && { runOnly: { type: 'rule', values: rules } }),
  }
  const found = await page.evaluate<string[]>(`axe
    .run(${JSON.stringify(within)}, ${JSON.stringify(options)})
    .then(({ violations }) => violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary = '' }) => [id, html.slice(0, 200), failureSummary].join(' '))))`)
  return found.map((violation) => `${where}: ${violation}`)
}

/**
 * In light or dark, whichever it has, by every rule, then in the other by the rules of colours. It is left so: to turn
 * a page takes 80 ms of a processor.
 */
export async function violationsInBothSchemes(
  page: Page,
  where: string,
  part: Pick<Judgement, 'within'> = {},
): Promise<string[]> {
  const scheme = String(await page.locator('html').getAttribute('data-mantine-color-scheme'))
  const other = scheme === 'dark' ? 'light' : 'dark'
  const found = await violations(page, `${where} in ${scheme}`, part)
  await turn(page, other)
  return [...found, ...(await violations(page, `${where} in ${other}`, { ...part, rules: COLOUR_RULES }))]
}

async function turn(page: Page, colorScheme: 'dark' | 'light'): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor()
}
