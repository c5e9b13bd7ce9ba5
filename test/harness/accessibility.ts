import { AxeBuilder } from '@axe-core/playwright'
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

/** What axe has against the page as it is now. */
export async function violations(page: Page, where: string, judgement: Judgement = {}): Promise<string[]> {
  const { within = 'html', rules, without = [] } = judgement
  // It is half a megabyte of script, and stays until the document goes.
  const isLoaded = (await page.evaluate('typeof axe')) === 'object'
  const axe = new AxeBuilder({ page, ...(isLoaded && { axeSource: '0' }) })
    .include(within)
    // Nothing is told about what is right, and no second page opened to join the findings of several frames.
    .options({ resultTypes: ['violations'] })
    .setLegacyMode()
    .disableRules([...without])
  if (rules) axe.withRules([...rules])
  const { violations: found } = await axe.analyze()
  return found.flatMap(({ id, nodes }) =>
    nodes.map((node) => `${where}: ${id} ${node.html.slice(0, 200)} ${node.failureSummary ?? ''}`),
  )
}

/** In light by every rule, then in dark by the rules of colours; the page is left in light. */
export async function violationsInBothSchemes(page: Page, where: string, within?: string): Promise<string[]> {
  const part = within === undefined ? {} : { within }
  const light = await violations(page, where, part)
  await turn(page, 'dark')
  const dark = await violations(page, `${where} in dark`, { ...part, rules: COLOUR_RULES })
  await turn(page, 'light')
  return [...light, ...dark]
}

async function turn(page: Page, colorScheme: 'dark' | 'light'): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await page.locator(`html[data-mantine-color-scheme=${colorScheme}]`).waitFor()
}
